import type { ViolationResult } from '../check/result.ts';
import { TraceReader } from '../formats/read.ts';
import type { NumberedCall } from '../node/runtime/turns/options.ts';
import { Op } from '../trace/operation.ts';

/** The call that was violated, and the one that came into it. */
export interface Rivals {
  own: NumberedCall;
  /** Null if it was no call of a block: a timer, a listener, the program itself. */
  other: NumberedCall | null;
}

/** The calls of a program's trace that met, and all calls of such blocks in the order in which they ended. */
export interface Encounters {
  rivals: ReadonlyMap<ViolationResult, Rivals>;
  ended: readonly NumberedCall[];
  /** How many calls there were, by label. */
  counts: ReadonlyMap<string, number>;
}

/** More calls of a block are not put in an order of their own. */
const MOST_CALLS = 1000;

/** Of each violated block of a program's trace, which calls met there. */
export async function encountersIn(
  trace: string,
  violations: readonly ViolationResult[],
): Promise<Encounters> {
  const wanted = new Set<number>();
  for (const { block } of violations) if (block !== null) wanted.add(block.begin);
  for (const violation of violations) wanted.add(intruderOf(violation) ?? 0);
  const calls = await callsIn(trace, wanted);
  const rivals = new Map<ViolationResult, Rivals>();
  for (const violation of violations) {
    const own = calls.at.get(violation.block?.begin ?? 0)?.at(-1);
    if (own === undefined) continue;
    // What both are part of cannot come before or after one of them.
    const around = calls.at.get(violation.block?.begin ?? 0) ?? [];
    const others = (calls.at.get(intruderOf(violation) ?? 0) ?? []).filter((call) => !around.includes(call));
    // Two calls of one function are what people think of; else the whole of what the other task did counts.
    const other = others.find(({ label }) => label === own.label) ?? others.at(0) ?? null;
    rivals.set(violation, { own, other });
  }
  const labels = new Set([...rivals.values()].flatMap(({ own, other }) => [own.label, other?.label]));
  return {
    rivals,
    ended: calls.ended.filter(({ label }) => labels.has(label)),
    counts: calls.counts,
  };
}

/** How many calls of blocks there were, by label. */
export async function callsByLabel(trace: string): Promise<ReadonlyMap<string, number>> {
  return (await callsIn(trace, new Set())).counts;
}

interface Calls {
  /** The calls that were open in the thread of an event, and in those that had led to it, outermost first. */
  at: Map<number, readonly NumberedCall[]>;
  ended: NumberedCall[];
  counts: Map<string, number>;
}

async function callsIn(trace: string, events: ReadonlySet<number>): Promise<Calls> {
  const reader = await TraceReader.open(trace, { lenient: true });
  const open = new Map<number, NumberedCall[]>();
  const counts = new Map<string, number>();
  const calls: Calls = { at: new Map(), ended: [], counts };
  /** By thread: what was open around its fork. */
  const around = new Map<number, readonly NumberedCall[]>();
  const over = new WeakSet<NumberedCall>();
  const openIn = (thread: number) => [
    ...(around.get(thread) ?? []).filter((call) => !over.has(call)),
    ...(open.get(thread) ?? []),
  ];
  let event = 0;
  for await (const batch of reader.batches())
    for (let i = 0; i < batch.length; i++) {
      event++;
      const thread = batch.thread[i];
      if (batch.op[i] === Op.begin) {
        const label = reader.names.labels.text(batch.operand[i]);
        const nth = (counts.get(label) ?? 0) + 1;
        counts.set(label, nth);
        const stack = open.get(thread) ?? [];
        stack.push({ label, nth });
        open.set(thread, stack);
      }
      if (events.has(event)) calls.at.set(event, openIn(thread));
      if (batch.op[i] === Op.fork) {
        around.set(batch.operand[i], openIn(thread));
        open.delete(batch.operand[i]);
      } else if (batch.op[i] === Op.end) {
        const call = open.get(thread)?.pop();
        if (call === undefined) continue;
        over.add(call);
        if (call.nth <= MOST_CALLS) calls.ended.push(call);
      }
    }
  return calls;
}

/** The event of another task that came into the block. */
function intruderOf({ interference, cycle, thread }: ViolationResult): number | null {
  if (interference !== null) return interference.between.event;
  return cycle.find(({ to }) => to.thread !== thread)?.to.event ?? null;
}
