import type { DifferenceResult, ProofResult } from '../check/result.ts';
import type { NumberedCall, TurnsOptions } from '../node/runtime/turns/options.ts';
import { differences, type Outcome } from './outcome.ts';
import type { Rivals } from './rivals.ts';

/** One more run of the program, in the same order as far as turns let it. */
export type Execute = (turns: TurnsOptions | null) => Promise<Execution>;

export interface Execution {
  outcome: Outcome;
  /** Why the calls could not take turns; null if they did. */
  givenUp: string | null;
  isTimedOut: boolean;
}

/** One way to let the two calls run alone. */
interface Serial {
  words: string;
  turns: TurnsOptions;
}

/**
 * Finds out whether a violation did harm: it did, if the program comes to another outcome whenever the calls run one after
 * the other. `observed` was seen, and `again` is the same run once more.
 */
export async function prove(
  { own, other }: Rivals,
  observed: Outcome,
  again: Outcome,
  execute: Execute,
): Promise<ProofResult> {
  const changing = differences(observed, again);
  if (changing.length > 0)
    return {
      verdict: 'not-deterministic',
      message: `not proved: the program does not do the same when it is run again (${whatOf(changing)})`,
      differences: changing,
    };
  if (other === null)
    return {
      verdict: 'not-possible',
      message: 'not proved: what came between is no call of a function, and cannot be made to wait',
      differences: [],
    };
  const reasons: string[] = [];
  let seen: { serial: Serial; differences: DifferenceResult[] } | null = null;
  for (const serial of serialsOf(own, other)) {
    const { outcome, givenUp, isTimedOut } = await execute(serial.turns);
    if (givenUp !== null || isTimedOut) {
      reasons.push(givenUp ?? `${serial.words}, the program did not end`);
      continue;
    }
    const found = differences(observed, outcome);
    if (found.length === 0)
      return {
        verdict: 'no-difference',
        message: `no difference seen in this run: ${serial.words}, the program comes to the same outcome`,
        differences: [],
      };
    seen ??= { serial, differences: found };
  }
  if (seen === null)
    return {
      verdict: 'not-possible',
      message: `not proved: the calls cannot run one after the other (${reasons[0]})`,
      differences: [],
    };
  return {
    verdict: 'harmful',
    message: `proved harmful: ${seen.serial.words}, the program comes to another outcome`,
    differences: seen.differences,
  };
}

function serialsOf(own: NumberedCall, other: NumberedCall): Serial[] {
  const labels = [...new Set([own.label, other.label])];
  const inOrder = (first: NumberedCall, second: NumberedCall): Serial => ({
    words: `with ${words(first)} before ${words(second)}`,
    turns: { labels, order: { first, second } },
  });
  return [
    inOrder(own, other),
    inOrder(other, own),
    // Others may be on their way as well, and come to another outcome because two of them have to wait.
    {
      words: `with all calls of ${labels.map((label) => `'${label}'`).join(' and ')} one at a time`,
      turns: { labels },
    },
  ];
}

function words({ label, nth }: NumberedCall): string {
  return `call ${nth} of '${label}'`;
}

function whatOf(found: readonly DifferenceResult[]): string {
  return [...new Set(found.map(({ what, name }) => (name === undefined ? what : `${what} of ${name}`)))].join(
    ', ',
  );
}
