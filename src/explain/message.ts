import type { BlockFact, ViolationFact } from '../analyses/analysis.ts';
import type { TraceNames } from '../trace/names.ts';
import { predictionSentence } from './prediction.ts';
import type { Conflict, EventFact, Explanation, Interference, Witness } from './witness.ts';
import { type Actor, listed, Words, wordFor } from './words.ts';

/** More transactions than these are counted, not named. */
const MOST_NAMED = 5;

/** One sentence that says what is wrong and where, for one violation. Everything in it is safe to print. */
export function message(explanation: Explanation, names: TraceNames, actor: Actor = 'thread'): string {
  const { violation, witness } = explanation;
  const words = Words.for(names, actor);
  if (violation.kind !== 'transaction' && violation.kind !== 'trace')
    return predictionSentence(explanation, words);
  if (witness === null) return unexplained(violation, words);
  if (!witness.increasing) return disorder(witness.cycle, words);
  return witness.interference === null
    ? path(witness, words)
    : interference(witness, witness.interference, words);
}

function unexplained({ kind, block, thread, event }: ViolationFact, words: Words): string {
  if (kind === 'transaction' && block !== null)
    return `${notAtomic(block, thread, words)}, which was noticed at event ${event}`;
  return `the trace is not serializable, which was noticed at event ${event} of ${words.thread(thread)}`;
}

function interference(
  { block, thread }: Witness,
  { first, between, last }: Interference,
  words: Words,
): string {
  const next = first.op === last.op ? `next ${wordFor(last)}` : wordFor(last);
  const until = `${words.whose(last, thread)} ${next} ${words.place(last)}`;
  const what = `${words.thread(between.thread)} ${words.did(between)}`;
  return `${notAtomic(block, thread, words)}: between ${words.deed(first, thread)} and ${until}, ${what}`;
}

/** A happens-before path: what others did comes after something in the block and before something else. */
function path({ block, thread, cycle }: Witness, words: Words): string {
  const { from: left, to: entered } = cycle[0];
  const { from: exited, to: returned } = cycle[cycle.length - 1];
  const after = `${words.thread(entered.thread)} ${words.did(entered)} after ${words.deed(left, thread)}`;
  const who =
    exited.thread === entered.thread
      ? ''
      : `${words.thread(exited.thread)}, which comes after ${words.name(entered.thread)}, `;
  const before = `${who}${words.did(exited)} before ${words.deed(returned, thread)}`;
  if (exited.event === entered.event)
    return `${notAtomic(block, thread, words)}: ${after} and before ${words.deed(returned, thread)}`;
  return `${notAtomic(block, thread, words)}: ${after}, and ${before}`;
}

/** A cycle of transactions, none of which can be blamed alone. */
function disorder(cycle: readonly Conflict[], words: Words): string {
  const named = cycle.slice(0, MOST_NAMED).map(({ from }) => transaction(from, words));
  if (cycle.length > named.length) named.push(`${cycle.length - named.length} more`);
  const order =
    cycle.length === 2
      ? 'each has to come before the other'
      : 'each has to come before the next, and the last before the first';
  return `the trace is not serializable: ${listed(named)} cannot be put in any order, as ${order}`;
}

function notAtomic(block: BlockFact, thread: number, words: Words): string {
  return `${words.block(block, thread)} is not atomic`;
}

function transaction(fact: EventFact, words: Words): string {
  const { block, thread } = fact;
  if (block === null) return words.deedBy(fact);
  return `${words.label(block)} (${words.thread(thread)}, begun at event ${block.begin})`;
}
