import type { NamedEvent } from '../../src/trace/memory-trace.ts';
import { Op } from '../../src/trace/operation.ts';

/** A variable that no lock protects: where that was noticed, and the access that left no candidate. */
export interface Unprotected {
  variable: string;
  event: number;
  emptied: number;
  previousOfOther: number;
}

interface Access {
  event: number;
  thread: string;
  isWrite: boolean;
  held: ReadonlySet<string>;
}

/**
 * Eraser's discipline, said without states. The accesses of a variable count from the first by a second thread
 * on. Its candidates are the locks held at all of them. It is reported at the first access that counts at which
 * there is no candidate left and one of those that count, up to it, writes.
 */
export function unprotectedVariables(events: readonly NamedEvent[]): Unprotected[] {
  const found: Unprotected[] = [];
  for (const [variable, accesses] of accessesByVariable(events)) {
    const first = accesses.findIndex(({ thread }) => thread !== accesses[0].thread);
    if (first < 0) continue;
    const counted = accesses.slice(first);
    const last = counted.findIndex(
      (_, i) => counted.slice(0, i + 1).some(({ isWrite }) => isWrite) && candidates(counted, i).length === 0,
    );
    if (last < 0) continue;
    const { event, thread } = counted[last];
    const emptied = counted.find((_, i) => candidates(counted, i).length === 0)!;
    const previous = accesses.filter((access) => access.event < event && access.thread !== thread).at(-1)!;
    found.push({ variable, event, emptied: emptied.event, previousOfOther: previous.event });
  }
  return found.sort((a, b) => a.event - b.event);
}

/** The locks held at the accesses up to index `last`. */
function candidates(accesses: readonly Access[], last: number): string[] {
  return [...accesses[0].held].filter((lock) =>
    accesses.slice(0, last + 1).every(({ held }) => held.has(lock)),
  );
}

function accessesByVariable(events: readonly NamedEvent[]): Map<string, Access[]> {
  const byVariable = new Map<string, Access[]>();
  /** The locks of each thread, one entry for each acquire that was not released yet. */
  const acquired = new Map<string, string[]>();
  events.forEach(({ thread, op, operand }, i) => {
    const locks = acquired.get(thread) ?? [];
    acquired.set(thread, locks);
    if (op === Op.acquire) locks.push(operand);
    if (op === Op.release) locks.splice(locks.indexOf(operand), 1);
    if (op > Op.update) return;
    const access = { event: i + 1, thread, isWrite: op !== Op.read, held: new Set(locks) };
    byVariable.set(operand, [...(byVariable.get(operand) ?? []), access]);
  });
  return byVariable;
}
