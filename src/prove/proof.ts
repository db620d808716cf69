import type { DifferenceResult, ProofResult } from '../check/result.ts';
import type { NumberedCall, TurnsOptions } from '../node/runtime/turns/options.ts';
import { differences, type Outcome } from './outcome.ts';
import type { Encounters, Rivals } from './rivals.ts';

/** Somebody has ended a run, so that nothing follows from it. */
export class Interruption extends Error {}

/** One more run of the program, in the same order as far as turns let it; may be ended by an {@link Interruption}. */
export type Execute = (turns: TurnsOptions | null) => Promise<Execution>;

export interface Execution {
  outcome: Outcome;
  /** Why the calls could not take turns; null if they did. */
  givenUp: string | null;
  isTimedOut: boolean;
  /** What others did to what a call had to do with before it was over, with all that it had started; null if nothing. */
  between?: (call: NumberedCall) => Promise<string | null>;
  /** How many calls had to wait. */
  waited: number;
  milliseconds: number;
}

/** What is run again. */
export type Subject = 'program' | 'test';

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
  variables: ReadonlySet<string>,
  encounters: Encounters,
  observed: Outcome,
  again: Outcome,
  execute: Execute,
  subject: Subject = 'program',
): Promise<ProofResult> {
  const changing = differences(observed, again, variables);
  if (changing.length > 0)
    return {
      verdict: 'not-deterministic',
      message: `not proved: the ${subject} does not do the same when it is run again (${whatOf(changing)})${adviceOn(changing)}`,
      differences: changing,
    };
  const reasons: string[] = [];
  let seen: { serial: Serial; differences: DifferenceResult[] } | null = null;
  /** Whether a run that came to the observed outcome was no serial one, and whether one that did not was. */
  let [isAlikeByChance, isSerial] = [false, false];
  const serials = other === null ? byItself(own) : serialsOf(own, other, encounters);
  for (const serial of serials) {
    const { outcome, givenUp, isTimedOut, between } = await execute(serial.turns);
    if (givenUp !== null || isTimedOut) {
      reasons.push(givenUp ?? `${serial.words}, the ${subject} did not end`);
      continue;
    }
    const found = differences(observed, outcome, variables);
    // Neither of the two calls: a third one that comes into the other may do the same harm.
    const left =
      (found.length === 0 || isAlikeByChance) && between !== undefined
        ? ((await between(own)) ?? (other === null ? null : await between(other)))
        : null;
    if (found.length === 0 && left !== null) {
      // Other calls met all the same, or the call had left something running.
      isAlikeByChance = true;
      reasons.push(left);
      continue;
    }
    isSerial ||= left === null;
    if (found.length === 0)
      return {
        verdict: 'no-difference',
        message: `no difference seen in this run: ${serial.words}, the ${subject} comes to the same outcome`,
        differences: [],
      };
    // The outcome that is nearest to what was observed shows best what is wrong with that.
    if (seen === null || sizeOf(found) < sizeOf(seen.differences)) seen = { serial, differences: found };
  }
  // What is no call cannot be made to wait; then both of the orders that are left have to be tried.
  if (seen === null || (other === null && reasons.length > 0) || (isAlikeByChance && !isSerial)) {
    // Blocks of callbacks cannot wait for each other; perhaps this one can run by itself.
    if (other !== null) {
      const alone = await prove(
        { own, other: null },
        variables,
        encounters,
        observed,
        again,
        execute,
        subject,
      );
      if (alone.verdict !== 'not-possible') return alone;
    }
    return {
      verdict: 'not-possible',
      message:
        other === null
          ? `not proved: what came between is no call of a function that could wait, and the block cannot run by itself (${reasons[0]})`
          : `not proved: the calls cannot run one after the other (${reasons[0]})`,
      differences: [],
    };
  }
  return {
    verdict: 'harmful',
    message: `proved harmful: ${seen.serial.words}, the ${subject} comes to another outcome`,
    differences: seen.differences,
  };
}

/**
 * Runs in which the block is alone: the two calls one after the other, in either order, and all calls of their blocks one
 * at a time, as they began and as they ended. An outcome that any of them comes to is no harm.
 */
function serialsOf(own: NumberedCall, other: NumberedCall, { ended, counts }: Encounters): Serial[] {
  const labels = [...new Set([own.label, other.label])];
  const [first, second] = own.label === other.label && own.nth > other.nth ? [other, own] : [own, other];
  const inOrder = (...sequence: NumberedCall[]): Serial => ({
    words: `with ${sequence.map(words).join(' before ')}`,
    turns: { labels, sequence, onlySequence: true },
  });
  const pair = [inOrder(first, second), inOrder(second, first)];
  // If there are no other calls, that is all there is.
  if (labels.reduce((sum, label) => sum + (counts.get(label) ?? 0), 0) === 2) return pair;
  const all = `with all calls of ${labels.map((label) => `'${label}'`).join(' and ')} one at a time`;
  const asEnded = ended.filter(({ label }) => labels.includes(label));
  return [
    ...pair,
    { words: all, turns: { labels } },
    { words: `${all}, in the order in which they ended`, turns: { labels, sequence: asEnded } },
  ];
}

/** For what something else came between than a call of a block: it goes on before all else does, or when all else is over. */
function byItself(call: NumberedCall): Serial[] {
  const labels = [call.label];
  return [
    { words: `with ${words(call)} by itself`, turns: { labels, alone: { call, when: 'first' } } },
    {
      words: `with ${words(call)} when all else was over`,
      turns: { labels, alone: { call, when: 'last' } },
    },
  ];
}

function words({ label, nth }: NumberedCall): string {
  return `call ${nth} of '${label}'`;
}

function sizeOf(found: readonly DifferenceResult[]): number {
  return found.reduce((size, { observed, serial }) => size + observed.length + serial.length, 0);
}

function whatOf(found: readonly DifferenceResult[]): string {
  const words = found.map(({ what, name }) =>
    name === undefined ? what : what === 'file' ? `file ${name}` : `${what} of ${name}`,
  );
  return [...new Set(words)].join(', ');
}

/** Rows outlast a run: the next one begins with what it has left, unless the program sets them up itself. */
function adviceOn(found: readonly DifferenceResult[]): string {
  const hasRows = found.some(({ what, name }) => what === 'value' && /^[^ (]+#/.test(name ?? ''));
  return hasRows ? '; if that is a row, let the program set it up when it starts' : '';
}
