import type { Conflict } from './witness.ts';

/**
 * A path along reached events as a cycle of transactions: where it goes on in a later transaction of a thread
 * than the one it arrived in, program order is a step of its own.
 */
export function transactionCycle(path: readonly Conflict[]): Conflict[] {
  return path.flatMap((conflict, i) => {
    const { to } = conflict;
    const { from } = path[(i + 1) % path.length];
    return to.transaction === from.transaction ? [conflict] : [conflict, { from: to, to: from }];
  });
}
