import { type ReadOptions, TraceReader } from '../formats/read.ts';
import { pagePart } from '../report/html-page.ts';
import { shown } from '../report/well-formed-text.ts';
import { EventBatch } from '../trace/batch.ts';
import type { NameTable } from '../trace/name-table.ts';
import type { TraceNames } from '../trace/names.ts';
import { BlocksAcrossChunks } from './blocks-across-chunks.ts';
import { encodeChunk } from './chunk-codec.ts';
import { NameIndexWriter, TABLES, type Table } from './name-index.ts';
import { ThreadLives } from './thread-lives.ts';

/** What a page knows of the trace as a whole. */
export interface TraceHeader {
  trace: string;
  format: string;
  /** The number of the first event in the page, how many there are, and how many the trace has. */
  first: number;
  events: number;
  total: number;
  /** Events in each chunk but the last. */
  chunkEvents: number;
  /** By thread. */
  threads: { first: number[]; last: number[]; forked: number[]; joined: number[]; lane: number[] };
  lanes: number;
}

/** The names behind the numbers, and how many events name each of them. */
export interface NamesPart {
  names: Record<Table | 'locations', string[]>;
  counts: Record<Table, number[]>;
}

export interface TracePartsOptions extends ReadOptions {
  /** How many events the trace has, as far as it is to be read. */
  total: number;
  /** Which of them the page shows, both included. */
  from: number;
  to: number;
  onProgress?: (events: number, reader: TraceReader) => void;
}

/** So many chunks an overview can show beside each other; a chunk is neither very small nor slow to unpack. */
const CHUNKS = 1024;
const SMALLEST = 64;
const LARGEST = 1 << 15;
const NAME = 120;
/** Names beyond are shown by their number. */
const MOST_NAMES = 2_000_000;

/** The parts of a page that shows a trace, one after another: only one chunk is in memory at a time. */
export async function* traceParts(path: string, options: TracePartsOptions): AsyncGenerator<string> {
  const { total, from, onProgress } = options;
  const to = Math.min(options.to, total);
  const events = Math.max(0, to - from + 1);
  const size = chunkSize(events);
  const reader = await TraceReader.open(path, options);
  const { names } = reader;
  const index = new NameIndexWriter();
  const lives = new ThreadLives();
  const blocks = new BlocksAcrossChunks();
  const chunk = new EventBatch(size);
  chunk.firstEvent = from;
  let open = blocks.list();
  const finished = () => {
    index.add(
      chunk,
      TABLES.map((table) => names[table].size),
    );
    lives.add(chunk, chunk.firstEvent, names.threads.size);
    const part = pagePart('chunk', encodeChunk(chunk, open));
    blocks.add(chunk, chunk.firstEvent);
    open = blocks.list();
    chunk.advance();
    return part;
  };
  for await (const batch of reader.batches()) {
    const { firstEvent, length } = batch;
    for (let i = Math.max(0, from - firstEvent); i < length && firstEvent + i <= to; i++) {
      chunk.push(batch.thread[i], batch.op[i], batch.operand[i], batch.location[i], 0);
      if (chunk.length === size) yield finished();
    }
    onProgress?.(firstEvent + length - 1, reader);
    if (firstEvent + length > to) break;
  }
  if (chunk.length > 0) yield finished();
  yield pagePart('operands', index.finish());
  yield pagePart('names', JSON.stringify(namesPart(names, index)));
  const { lanes, count } = lives.lanes(names.threads.size);
  const header: TraceHeader = {
    trace: shown(path),
    format: reader.format.name,
    first: from,
    events,
    total,
    chunkEvents: size,
    threads: {
      first: [...lives.first.subarray(0, lanes.length)],
      last: [...lives.last.subarray(0, lanes.length)],
      forked: [...lives.forked.subarray(0, lanes.length)],
      joined: [...lives.joined.subarray(0, lanes.length)],
      lane: [...lanes],
    },
    lanes: count,
  };
  yield pagePart('trace', JSON.stringify(header));
}

function chunkSize(events: number): number {
  let size = SMALLEST;
  while (size < LARGEST && size * CHUNKS < events) size *= 2;
  return size;
}

function namesPart(names: TraceNames, index: NameIndexWriter): NamesPart {
  const counts = (table: Table) => [
    ...index.counts[TABLES.indexOf(table)].subarray(0, Math.min(names[table].size, MOST_NAMES)),
  ];
  return {
    names: {
      threads: texts(names.threads),
      locks: texts(names.locks),
      variables: texts(names.variables),
      labels: texts(names.labels),
      locations: texts(names.locations),
    },
    counts: {
      threads: counts('threads'),
      locks: counts('locks'),
      variables: counts('variables'),
      labels: counts('labels'),
    },
  };
}

function texts(table: NameTable): string[] {
  return Array.from({ length: Math.min(table.size, MOST_NAMES) }, (_, id) => shown(table.text(id), NAME));
}
