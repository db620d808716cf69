import type { NamedEvent } from '../../src/trace/memory-trace.ts';
import { Op } from '../../src/trace/operation.ts';
import { type Block, History, type Structure, structureOf } from './history.ts';

/*
 * The definitions, word for word and as slow as they come. They exist to be read, and to test the oracle,
 * which says the same faster.
 */

/** `happensBefore[i][j]`: event i happens before event j, along a chain of conflicts. */
export function happensBefore(history: History): boolean[][] {
  const n = history.length;
  const before = Array.from({ length: n }, (_, i) =>
    Array.from(
      { length: n },
      (_, j) => i < j && !!history.counts[i] && !!history.counts[j] && history.conflict(i, j),
    ),
  );
  for (let k = 0; k < n; k++)
    for (let i = 0; i < n; i++)
      for (let j = 0; j < n; j++) if (before[i][k] && before[k][j]) before[i][j] = true;
  return before;
}

/** Transaction A precedes B when some event of A happens before some event of B, or along a chain of such. */
function precedence(history: History, { transactionOf, transactions }: Structure): boolean[][] {
  const before = happensBefore(history);
  const precedes = Array.from({ length: transactions }, () => new Array<boolean>(transactions).fill(false));
  for (let i = 0; i < history.length; i++)
    for (let j = 0; j < history.length; j++)
      if (before[i][j] && transactionOf[i] !== transactionOf[j])
        precedes[transactionOf[i]][transactionOf[j]] = true;
  for (let b = 0; b < transactions; b++)
    for (let a = 0; a < transactions; a++)
      for (let c = 0; c < transactions; c++) if (precedes[a][b] && precedes[b][c]) precedes[a][c] = true;
  return precedes;
}

/** No transaction precedes itself. */
export function isSerializable(events: readonly NamedEvent[], boundary: boolean): boolean {
  const history = new History(events);
  return precedence(history, structureOf(history, boundary)).every((row, a) => !row[a]);
}

/** The outermost blocks that precede themselves. */
export function transactionsOnCycles(events: readonly NamedEvent[], boundary: boolean): Block[] {
  const history = new History(events);
  const structure = structureOf(history, boundary);
  const precedes = precedence(history, structure);
  const isOnCycle = (transaction: number) => precedes[transaction][transaction];
  return structure.blocks.filter(
    ({ outermost, first }) => outermost && isOnCycle(structure.transactionOf[first]),
  );
}

/** The number of the first event such that the trace up to and including it is not serializable. */
export function firstEvent(events: readonly NamedEvent[], boundary: boolean): number | null {
  for (let length = 1; length <= events.length; length++)
    if (!isSerializable(events.slice(0, length), boundary)) return length;
  return null;
}

/** The blocks for which an event of another thread happens after their begin and before a later event of them. */
export function violatedBlocks(events: readonly NamedEvent[], boundary: boolean): Block[] {
  const history = new History(events);
  const before = happensBefore(history);
  const isInside = (block: Block, e: number) =>
    history.thread[e] === block.thread && block.first <= e && e <= block.last;
  return structureOf(history, boundary).blocks.filter((block) =>
    someBetween(history, before, block, (e) => history.thread[e] !== block.thread, isInside),
  );
}

/** The blocks for which an event outside their family happens after their begin and before a later one in it. */
export function violatedFamilies(events: readonly NamedEvent[]): Block[] {
  const history = new History(events);
  const before = happensBefore(history);
  const threads = new Set(history.thread);
  return structureOf(history, false).blocks.filter((block) => {
    // The threads forked in the block while it is open, and those which these forked while it was still open.
    const children = new Set<number>();
    for (let pass = 0; pass < threads.size; pass++)
      for (let e = block.first; e <= block.end; e++)
        if (
          history.op[e] === Op.fork &&
          (history.thread[e] === block.thread || children.has(history.thread[e]))
        )
          children.add(history.operand[e]);
    const inFamily = (_: Block, e: number) =>
      (children.has(history.thread[e]) && e <= block.end) ||
      (history.thread[e] === block.thread && block.first <= e && e <= block.last);
    return someBetween(history, before, block, (e) => !inFamily(block, e), inFamily);
  });
}

function someBetween(
  history: History,
  before: boolean[][],
  block: Block,
  isOutside: (event: number) => boolean,
  isInside: (block: Block, event: number) => boolean,
): boolean {
  for (let e = 0; e < history.length; e++) {
    if (!isOutside(e) || !before[block.first][e]) continue;
    for (let f = 0; f < history.length; f++) if (isInside(block, f) && before[e][f]) return true;
  }
  return false;
}
