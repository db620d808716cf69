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

/** Of each violated block of a program's trace, which calls met there. */
export async function rivalsIn(
  trace: string,
  violations: readonly ViolationResult[],
): Promise<Map<ViolationResult, Rivals>> {
  const reader = await TraceReader.open(trace, { lenient: true });
  const open = new Map<number, NumberedCall[]>();
  const counts = new Map<string, number>();
  /** The calls that were open in the thread of an event, outermost first. */
  const callsAt = new Map<number, readonly NumberedCall[]>();
  for (const violation of violations)
    for (const event of [violation.block?.begin, intruderOf(violation)])
      if (event !== undefined && event !== null) callsAt.set(event, []);
  let event = 0;
  for await (const batch of reader.batches())
    for (let i = 0; i < batch.length; i++) {
      event++;
      const thread = batch.thread[i];
      if (batch.op[i] === Op.begin) {
        const label = reader.names.labels.text(batch.operand[i]);
        const nth = (counts.get(label) ?? 0) + 1;
        counts.set(label, nth);
        const calls = open.get(thread) ?? [];
        calls.push({ label, nth });
        open.set(thread, calls);
      }
      if (callsAt.has(event)) callsAt.set(event, [...(open.get(thread) ?? [])]);
      if (batch.op[i] === Op.end) open.get(thread)?.pop();
    }
  return new Map(
    violations.flatMap((violation) => {
      const own = violation.block === null ? undefined : callsAt.get(violation.block.begin)?.at(-1);
      if (own === undefined) return [];
      const others = callsAt.get(intruderOf(violation) ?? -1) ?? [];
      // Two calls of one function are what people think of; else the whole of what the other task did counts.
      const other = others.find(({ label }) => label === own.label) ?? others.at(0) ?? null;
      return [[violation, { own, other }] as const];
    }),
  );
}

/** The event of another task that came into the block. */
function intruderOf({ interference, cycle, thread }: ViolationResult): number | null {
  if (interference !== null) return interference.between.event;
  return cycle.find(({ to }) => to.thread !== thread)?.to.event ?? null;
}
