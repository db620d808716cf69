import type { NamedEvent } from '../trace/memory-trace.ts';
import { Op } from '../trace/operation.ts';

/** What a thread has begun and not finished. */
class Unfinished {
  readonly blocks: string[] = [];
  readonly locks = new Set<string>();
}

/**
 * The events that the program for a trace executes: a thread of a program comes to its end, and so do its blocks.
 * Locks that it still holds are released, and blocks that are open ended, where the thread is joined or else after the
 * last event. That makes no difference to what is serializable: the locks were nobody else's since, and a release inside
 * the block belongs to it. A join of a thread that is yet to be forked, and so never does anything, waits for nothing and
 * is left out.
 */
export function executedEvents(events: readonly NamedEvent[]): NamedEvent[] {
  const executed: NamedEvent[] = [];
  const unfinished = new Map<string, Unfinished>();
  const notForkedYet = new Set(events.filter(({ op }) => op === Op.fork).map(({ operand }) => operand));
  const finish = (thread: string) => {
    const { blocks, locks } = unfinished.get(thread) ?? new Unfinished();
    unfinished.delete(thread);
    for (const lock of locks) executed.push({ thread, op: Op.release, operand: lock });
    for (const label of blocks.toReversed()) executed.push({ thread, op: Op.end, operand: label });
  };
  for (const { thread, op, operand } of events) {
    let open = unfinished.get(thread);
    if (open === undefined) {
      open = new Unfinished();
      unfinished.set(thread, open);
    }
    if (op === Op.begin) open.blocks.push(operand);
    else if (op === Op.end) open.blocks.pop();
    else if (op === Op.acquire) open.locks.add(operand);
    else if (op === Op.release) open.locks.delete(operand);
    else if (op === Op.fork) notForkedYet.delete(operand);
    else if (op === Op.join) {
      if (notForkedYet.has(operand)) continue;
      finish(operand);
    }
    executed.push({ thread, op, operand });
  }
  for (const thread of [...unfinished.keys()]) finish(thread);
  return executed;
}
