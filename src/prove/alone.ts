import { TraceReader } from '../formats/read.ts';
import type { NumberedCall } from '../node/runtime/turns/options.ts';
import { accessKind, isAccess, Op } from '../trace/operation.ts';

/** More accesses of others are not remembered. */
const MOST_FOREIGN = 100_000;

/**
 * Whether a call and all that it has started, also what it has left running, ran by themselves in a run: nobody else came to what
 * they had to do with between their first access and their last. Else what came between, in words.
 */
export async function whatCameBetween(trace: string, call: NumberedCall): Promise<string | null> {
  const reader = await TraceReader.open(trace, { lenient: true });
  const { names } = reader;
  /** The threads of the call, once it has begun; how many blocks are open in the one that it began in. */
  const family = new Set<number>();
  const open: number[] = [];
  let count = 0;
  let thread = -1;
  let depth = 0;
  /** Per variable, whether the family has changed it. */
  const own = new Map<number, boolean>();
  let last = 0;
  let foreign: { event: number; thread: number; variable: number; isChange: boolean }[] = [];
  let event = 0;
  for await (const { length, op, thread: threads, operand } of reader.batches())
    for (let i = 0; i < length; i++) {
      event++;
      const by = threads[i];
      const isOpen = thread >= 0 && depth >= 0;
      const isPart = (task: number) => family.has(task) && (task !== thread || isOpen);
      if (op[i] === Op.begin) {
        open[by] = (open[by] ?? 0) + 1;
        if (thread < 0 && names.labels.text(operand[i]) === call.label && ++count === call.nth) {
          thread = by;
          depth = open[by];
          family.add(by);
        }
      } else if (op[i] === Op.end) {
        if (isOpen && by === thread && open[by] === depth) depth = -1;
        open[by] = (open[by] ?? 1) - 1;
      } else if (op[i] === Op.fork) {
        if (isPart(by)) family.add(operand[i]);
        else family.delete(operand[i]);
      } else if (thread >= 0 && isAccess(op[i])) {
        const isChange = accessKind(op[i]) !== Op.read;
        if (isPart(by)) {
          own.set(operand[i], (own.get(operand[i]) ?? false) || isChange);
          last = event;
        } else if (own.size > 0 && foreign.length < MOST_FOREIGN)
          foreign.push({ event, thread: by, variable: operand[i], isChange });
      }
    }
  if (thread < 0) return `call ${call.nth} of '${call.label}' was not made`;
  foreign = foreign.filter(
    (access) =>
      access.event < last && own.has(access.variable) && (access.isChange || own.get(access.variable)),
  );
  if (foreign.length === 0) return null;
  const [first] = foreign;
  return `'${names.threads.text(first.thread)}' still came between, to ${names.variables.text(first.variable)}`;
}
