import {
  isNumericLocation,
  locationNameId,
  NO_LOCATION,
  numericLocationValue,
} from '../../src/trace/location.ts';
import { MNEMONICS, type Mnemonic, Op } from '../../src/trace/operation.ts';
import { decodeChunk, type ViewChunk } from '../../src/view/chunk-codec.ts';
import { type ChunkNames, readNameIndex, TABLE_OF_OP, TABLES } from '../../src/view/name-index.ts';
import type { NamesPart, TraceHeader } from '../../src/view/trace-parts.ts';
import { partsOf, unpackedBytes, unpackedText } from '../shared/parts.ts';

/** A block, as far as its chunk knows it. */
export interface Block {
  thread: number;
  label: number;
  begin: number;
  /** Infinite where it does not end in this chunk. */
  end: number;
  depth: number;
}

export interface LoadedChunk extends ViewChunk {
  /** The number of its first event. */
  first: number;
  blocks: Block[];
}

/** An event with its names. */
export interface TraceEvent {
  event: number;
  thread: number;
  op: number;
  operand: number;
  location: number;
}

/** A name to look for: one of a table. */
export interface Target {
  table: number;
  id: number;
}

/** Of the chunks that nobody is looking at. */
const MOST_LOADED = 96;

/** Consecutive chunks, both ends included. */
export interface ChunkRange {
  from: number;
  to: number;
}

/**
 * The trace that the page holds. Its chunks are unpacked when they are asked for; those not used lately are dropped,
 * but never those in sight.
 */
export class TraceSource {
  readonly header: TraceHeader;
  readonly #names: NamesPart;
  readonly #parts: readonly HTMLElement[];
  readonly #loaded = new Map<number, LoadedChunk>();
  readonly #loading = new Map<number, Promise<LoadedChunk>>();
  #inSight: ChunkRange = { from: 0, to: -1 };
  #index: Promise<ChunkNames[]> | null = null;

  /** Null on a page without one. */
  static async load(): Promise<TraceSource | null> {
    const [header] = partsOf('trace');
    const [names] = partsOf('names');
    if (header === undefined || names === undefined) return null;
    return new TraceSource(JSON.parse(await unpackedText(header)), JSON.parse(await unpackedText(names)));
  }

  private constructor(header: TraceHeader, names: NamesPart) {
    this.header = header;
    this.#names = names;
    this.#parts = partsOf('chunk');
  }

  get last(): number {
    return this.header.first + this.header.events - 1;
  }

  get chunks(): number {
    return this.#parts.length;
  }

  chunkOf(event: number): number {
    return Math.floor((event - this.header.first) / this.header.chunkEvents);
  }

  /** The chunk if it is there already. */
  peek(index: number): LoadedChunk | null {
    return this.#loaded.get(index) ?? null;
  }

  load(index: number): Promise<LoadedChunk> {
    const there = this.#loaded.get(index);
    if (there !== undefined) {
      // The one used last is dropped last.
      this.#loaded.delete(index);
      this.#loaded.set(index, there);
      return Promise.resolve(there);
    }
    let loading = this.#loading.get(index);
    if (loading === undefined) {
      loading = this.#unpack(index).finally(() => this.#loading.delete(index));
      this.#loading.set(index, loading);
    }
    return loading;
  }

  /** Loads what is on the screen and keeps it there, whatever else is looked through; true if something was missing. */
  async show(range: ChunkRange): Promise<boolean> {
    const { from, to } = { from: Math.max(0, range.from), to: Math.min(this.chunks - 1, range.to) };
    this.#inSight = { from, to };
    const missing: Promise<LoadedChunk>[] = [];
    for (let chunk = from; chunk <= to; chunk++) {
      if (this.peek(chunk) === null) missing.push(this.load(chunk));
    }
    await Promise.all(missing);
    return missing.length > 0;
  }

  async #unpack(index: number): Promise<LoadedChunk> {
    const chunk = decodeChunk(await unpackedBytes(this.#parts[index]));
    const first = this.header.first + index * this.header.chunkEvents;
    const loaded = { ...chunk, first, blocks: blocksOf(chunk, first) };
    this.#loaded.set(index, loaded);
    for (const oldest of this.#loaded.keys()) {
      if (this.#loaded.size <= MOST_LOADED) break;
      if (oldest < this.#inSight.from || oldest > this.#inSight.to) this.#loaded.delete(oldest);
    }
    return loaded;
  }

  /** Which names occur in which chunk. */
  index(): Promise<ChunkNames[]> {
    this.#index ??= unpackedBytes(partsOf('operands')[0]).then((bytes) => readNameIndex(bytes, this.chunks));
    return this.#index;
  }

  async event(event: number): Promise<TraceEvent> {
    return eventAt(await this.load(this.chunkOf(event)), event);
  }

  thread(id: number): string {
    return this.name({ table: 0, id });
  }

  label(id: number): string {
    return this.name({ table: TABLES.indexOf('labels'), id });
  }

  operand({ op, operand }: Pick<TraceEvent, 'op' | 'operand'>): string {
    return this.name({ table: TABLE_OF_OP[op], id: operand });
  }

  name({ table, id }: Target): string {
    return this.#names.names[TABLES[table]][id] ?? `${TABLES[table].slice(0, -1)} ${id}`;
  }

  location(location: number): string | null {
    if (location === NO_LOCATION) return null;
    if (isNumericLocation(location)) return String(numericLocationValue(location));
    return this.#names.names.locations[locationNameId(location)] ?? null;
  }

  lane(thread: number): number {
    return this.header.threads.lane[thread] ?? -1;
  }

  count({ table, id }: Target): number {
    return this.#names.counts[TABLES[table]][id] ?? 0;
  }

  /** The names that contain `text`, those that occur most first. */
  matches(text: string, most: number): Target[] {
    const wanted = text.toLowerCase();
    const found: Target[] = [];
    for (const [table, kind] of TABLES.entries()) {
      const names = this.#names.names[kind];
      for (let id = 0; id < names.length; id++) {
        if (names[id].toLowerCase().includes(wanted) && this.count({ table, id }) > 0)
          found.push({ table, id });
      }
    }
    const exact = (target: Target) => (this.name(target).toLowerCase() === wanted ? 0 : 1);
    return found.sort((a, b) => exact(a) - exact(b) || this.count(b) - this.count(a)).slice(0, most);
  }
}

export function eventAt(chunk: LoadedChunk, event: number): TraceEvent {
  const i = event - chunk.first;
  const { thread, op, operand, location } = chunk;
  return { event, thread: thread[i], op: op[i], operand: operand[i], location: location[i] };
}

export function mnemonic(op: number): Mnemonic {
  return MNEMONICS[op];
}

function blocksOf({ open, length, op, thread, operand }: ViewChunk, first: number): Block[] {
  const blocks: Block[] = [];
  const stacks = new Map<number, Block[]>();
  const begin = (thread: number, label: number, begin: number) => {
    const stack = stacks.get(thread) ?? [];
    stacks.set(thread, stack);
    const block = { thread, label, begin, end: Number.POSITIVE_INFINITY, depth: stack.length };
    stack.push(block);
    blocks.push(block);
  };
  for (const block of open) begin(block.thread, block.label, block.begin);
  for (let i = 0; i < length; i++) {
    if (op[i] === Op.begin) begin(thread[i], operand[i], first + i);
    else if (op[i] === Op.end) {
      const block = stacks.get(thread[i])?.pop();
      if (block !== undefined) block.end = first + i;
    }
  }
  return blocks;
}
