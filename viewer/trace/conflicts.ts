import { Op } from '../../src/trace/operation.ts';
import { conflict, isOfThread } from '../../src/view/conflict.ts';
import { TABLE_OF_OP } from '../../src/view/name-index.ts';
import { eventAt, type LoadedChunk, type Target, type TraceEvent, type TraceSource } from './source.ts';

/** The events of other threads that an event conflicts with, the nearest ones in each direction. */
export interface Conflicts {
  before: TraceEvent[];
  after: TraceEvent[];
}

const MOST = 5;
/** Further away nothing is looked for. */
const MOST_CHUNKS = 200;

export async function conflictsOf(source: TraceSource, of: TraceEvent): Promise<Conflicts> {
  const { first, last, forked, joined } = source.header.threads;
  const before: TraceEvent[] = [];
  const after: TraceEvent[] = [];
  const add = async (event: number) => {
    if (event < source.header.first || event > source.last || event === of.event) return;
    (event < of.event ? before : after).push(await source.event(event));
  };
  if (isOfThread(of)) {
    await add(of.op === Op.fork ? first[of.operand] : last[of.operand]);
    return { before, after };
  }
  // Of the others only the first event after a fork, and the last before a join, are worth a mention.
  if (of.event === first[of.thread]) await add(forked[of.thread]);
  if (of.event === last[of.thread]) await add(joined[of.thread]);
  if (of.op === Op.begin || of.op === Op.end) return { before, after };
  const target = { table: TABLE_OF_OP[of.op], id: of.operand };
  const meets = (event: TraceEvent) => !isOfThread(event) && conflict(of, event);
  before.push(...(await search(source, target, of.event, -1, MOST, meets)));
  after.push(...(await search(source, target, of.event, 1, MOST, meets)));
  return { before, after };
}

/** Events that name `target`, from `event` on in a direction, it itself not included. */
export async function search(
  source: TraceSource,
  target: Target,
  event: number,
  direction: 1 | -1,
  most: number,
  meets: (event: TraceEvent) => boolean = () => true,
  mostChunks = MOST_CHUNKS,
): Promise<TraceEvent[]> {
  const index = await source.index();
  const found: TraceEvent[] = [];
  let looked = 0;
  const start = Math.max(0, Math.min(source.chunks - 1, source.chunkOf(event)));
  for (let at = start; at >= 0 && at < source.chunks; at += direction) {
    if (!holds(index[at].names[target.table], target.id)) continue;
    if (++looked > mostChunks) break;
    const chunk = await source.load(at);
    const from =
      direction > 0
        ? Math.max(0, event + 1 - chunk.first)
        : Math.min(chunk.length - 1, event - 1 - chunk.first);
    for (let i = from; i >= 0 && i < chunk.length; i += direction) {
      if (!names(chunk, i, target)) continue;
      const candidate = eventAt(chunk, chunk.first + i);
      if (!meets(candidate)) continue;
      found.push(candidate);
      if (found.length === most) return found;
    }
  }
  return found;
}

/** Whether event `i` of a chunk names the target, as its operand or, of a thread, by being its own. */
export function names({ op, thread, operand }: LoadedChunk, i: number, { table, id }: Target): boolean {
  return (table === 0 && thread[i] === id) || (operand[i] === id && TABLE_OF_OP[op[i]] === table);
}

function holds(sorted: Int32Array, id: number): boolean {
  let low = 0;
  let high = sorted.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    if (sorted[middle] === id) return true;
    if (sorted[middle] < id) low = middle + 1;
    else high = middle - 1;
  }
  return false;
}
