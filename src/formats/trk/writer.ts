import { crc32 } from 'node:zlib';
import type { EventBatch } from '../../trace/batch.ts';
import { isNumericLocation, locationNameId, NO_LOCATION, namedLocation } from '../../trace/location.ts';
import { type NameTables, operandTable, type TraceNames } from '../../trace/names.ts';
import { OPERATION_COUNT, type Op } from '../../trace/operation.ts';
import type { ByteSink, TraceWriter } from '../writer.ts';
import { ByteBuilder, VARINT_BYTES, widthOf, zigzag } from './byte-builder.ts';
import { Distinct } from './distinct.ts';
import {
  CHUNK_EVENTS,
  ChunkKind,
  END_BODY_BYTES,
  FRAME_BYTES,
  HEADER_BYTES,
  MAGIC,
  MAX_BODY_BYTES,
  MAX_NAME_GROWTH,
  MAX_PACKED_BYTES,
  MAX_SECTION_NAME_BYTES,
  VERSION,
} from './layout.ts';
import { OPERAND_TABLES } from './operand-classes.ts';
import { OutgoingNames } from './outgoing-names.ts';
import type { ChunkPacker } from './packed-chunk.ts';

/** New names of this many bytes together end a chunk early, so that few chunks need a large window. */
const CHUNK_NAME_BYTES = 256 * 1024;

export interface TrkOptions {
  /** Packs the chunks: they take half the room, and three times as long to write. Recorders do without its code. */
  packer?: ChunkPacker | null;
}

/** Writes a trace as `.trk`. */
export class TrkWriter implements TraceWriter {
  readonly #encoder: TrkEncoder;
  readonly #sink: ByteSink;

  constructor(names: TraceNames, sink: ByteSink, options: TrkOptions = {}) {
    this.#encoder = new TrkEncoder(names, options);
    this.#sink = sink;
  }

  async write(batch: EventBatch): Promise<void> {
    for (const bytes of this.#encoder.encode(batch)) await this.#sink(bytes);
  }

  /** Writes what has been gathered as a chunk of its own, so that a crash after this does not lose it. */
  async flush(): Promise<void> {
    for (const bytes of this.#encoder.flush()) await this.#sink(bytes);
  }

  /** See `TrkEncoder`. */
  async section(name: string, version: number, bytes: Uint8Array): Promise<void> {
    for (const piece of this.#encoder.section(name, version, bytes)) await this.#sink(piece);
  }

  async finish(): Promise<void> {
    for (const bytes of this.#encoder.finish()) await this.#sink(bytes);
  }
}

/**
 * Turns a trace into the bytes of a `.trk` file, for whoever writes them, at once or in a while. Ids in the file are counted anew, in the order in which the written events first
 * use their names: what the trace was read from may have named things that no event of it uses.
 */
export class TrkEncoder {
  /** In the order of `NAME_TABLES`. */
  readonly #names: readonly OutgoingNames[];
  readonly #threads: OutgoingNames;
  readonly #locks: OutgoingNames;
  readonly #variables: OutgoingNames;
  readonly #locations: OutgoingNames;
  /** For each operation, where its operands are named. */
  readonly #operands: readonly OutgoingNames[];

  #headerWritten = false;
  #eventsWritten = 0;

  // The chunk being gathered: an action is a pair of thread and operation.
  #count = 0;
  readonly #action = new Uint16Array(CHUNK_EVENTS);
  readonly #operand = new Int32Array(CHUNK_EVENTS);
  readonly #location = new Uint16Array(CHUNK_EVENTS);
  readonly #actions = new Distinct(CHUNK_EVENTS);
  /** The smallest operand of each action: what is stored per event is the difference from it. */
  readonly #leastOperand = new Int32Array(CHUNK_EVENTS);
  readonly #distinctLocations = new Distinct(CHUNK_EVENTS);
  readonly #packer: ChunkPacker | null;
  /** By table of operands: how many ids there were before the chunk. */
  #idsBefore: readonly number[] = new Array(OPERAND_TABLES).fill(0);

  constructor(names: NameTables, { packer = null }: TrkOptions = {}) {
    this.#packer = packer;
    const threads = new OutgoingNames(names.threads);
    const locks = new OutgoingNames(names.locks);
    const variables = new OutgoingNames(names.variables);
    const labels = new OutgoingNames(names.labels);
    this.#threads = threads;
    this.#locks = locks;
    this.#variables = variables;
    this.#locations = new OutgoingNames(names.locations);
    this.#names = [threads, locks, variables, labels, this.#locations];
    const byTable = new Map([
      [names.threads, threads],
      [names.locks, locks],
      [names.variables, variables],
      [names.labels, labels],
    ]);
    const operands: OutgoingNames[] = [];
    for (let op = 0; op < OPERATION_COUNT; op++) operands.push(byTable.get(operandTable(names, op as Op))!);
    this.#operands = operands;
  }

  /** Takes the events of the batch; gives the bytes that have to be written next, piece by piece. */
  *encode(batch: EventBatch): Generator<Uint8Array> {
    for (let i = 0; i < batch.length; ) {
      i = this.#gather(batch, i);
      if (this.#isFull()) yield* this.flush();
    }
  }

  /** What has been gathered, as a chunk of its own. */
  *flush(): Generator<Uint8Array> {
    if (!this.#headerWritten) {
      this.#headerWritten = true;
      yield header();
    }
    if (this.#count > 0) yield* this.#encodeChunk();
  }

  /** After `flush`: the number is going to be that of another thread. */
  forgetThread(thread: number): void {
    this.#threads.forget(thread);
  }

  /** After `flush`: the number is going to be that of another variable. */
  forgetVariable(variable: number): void {
    this.#variables.forget(variable);
  }

  /** After `flush`: the number is going to be that of another lock or message. */
  forgetLock(lock: number): void {
    this.#locks.forget(lock);
  }

  /*
   * After `flush`: what has this number is gone for good, and the number may be given to something else. Who reads the
   * file forgets it, and takes what has the same name later for something else.
   */

  retireThread(thread: number): void {
    this.#retire(this.#threads, thread);
  }

  retireVariable(variable: number): void {
    this.#retire(this.#variables, variable);
  }

  /** A lock, a barrier, a message or a condition; all that had the name. */
  retireLock(lock: number): void {
    this.#retire(this.#locks, lock);
  }

  /** Puts a section behind the events that have been taken. */
  *section(name: string, version: number, bytes: Uint8Array): Generator<Uint8Array> {
    yield* this.flush();
    yield sectionChunk(name, version, bytes);
  }

  *finish(): Generator<Uint8Array> {
    yield* this.flush();
    yield endChunk(this.#eventsWritten);
  }

  #retire(names: OutgoingNames, id: number): void {
    names.retire(id);
    if (this.#count === 0) names.chunkWritten();
  }

  #isFull(): boolean {
    if (this.#count === CHUNK_EVENTS) return true;
    let newNameBytes = 0;
    for (const names of this.#names) newNameBytes += names.pendingBytes;
    return newNameBytes > CHUNK_NAME_BYTES;
  }

  /** Takes events from `start` on until the chunk is full; returns the index of the first one left. */
  #gather(batch: EventBatch, start: number): number {
    for (const names of this.#names) names.reserve();
    const operands = this.#operands;
    const threads = this.#threads;
    const locations = this.#locations;
    const actions = this.#actions;
    const leastOperand = this.#leastOperand;
    const end = Math.min(batch.length, start + CHUNK_EVENTS - this.#count);
    let count = this.#count;
    let i = start;
    while (i < end) {
      const op = batch.op[i];
      const sourceThread = batch.thread[i];
      const sourceOperand = batch.operand[i];
      const sourceLocation = batch.location[i];
      i++;
      // An event that was taken out; it has no place in a file.
      if (op >= OPERATION_COUNT) continue;
      const named = operands[op];
      const thread = threads.fileId(sourceThread);
      const operand = named.fileId(sourceOperand);
      const location = this.#fileLocation(sourceLocation);

      const knownActions = actions.count;
      const action = actions.index(thread, op);
      if (actions.count !== knownActions || operand < leastOperand[action]) leastOperand[action] = operand;
      this.#action[count] = action;
      this.#operand[count] = operand;
      this.#location[count] = this.#distinctLocations.index(location, 0);
      count++;
      if (threads.pendingBytes + named.pendingBytes + locations.pendingBytes > CHUNK_NAME_BYTES) break;
    }
    this.#count = count;
    return i;
  }

  #fileLocation(location: number): number {
    if (location === NO_LOCATION || isNumericLocation(location)) return location;
    return namedLocation(this.#locations.fileId(locationNameId(location)));
  }

  *#encodeChunk(): Generator<Uint8Array> {
    if (this.#names.some(({ hasChanges }) => hasChanges)) yield this.#encodeChanges();
    yield this.#encodePacked() ?? this.#encodeEvents();
    this.#eventsWritten += this.#count;
    this.#count = 0;
    this.#actions.clear();
    this.#distinctLocations.clear();
    for (const names of this.#names) names.chunkWritten();
  }

  /** A chunk of names: what was retired, and what has the ids of what was. */
  #encodeChanges(): Uint8Array {
    let size = FRAME_BYTES + 1;
    for (const names of this.#names) size += names.pendingSize();
    const out = new ByteBuilder(size, FRAME_BYTES);
    out.u8(ChunkKind.names);
    for (const names of this.#names) names.writeChanges(out);
    return framed(out);
  }

  #encodeEvents(): Uint8Array {
    const count = this.#count;
    const actions = this.#actions;
    const locations = this.#distinctLocations;
    const operandWidth = this.#subtractLeastOperands();
    const actionWidth = Math.max(1, widthOf(actions.count - 1));
    const locationWidth = widthOf(locations.count - 1);

    let size = FRAME_BYTES + 1 + 3 * VARINT_BYTES + 3 + count * (actionWidth + operandWidth + locationWidth);
    for (const names of this.#names) size += names.pendingSize();
    size += actions.count * (1 + 2 * VARINT_BYTES) + locations.count * VARINT_BYTES;

    const out = new ByteBuilder(size, FRAME_BYTES);
    out.u8(ChunkKind.events);
    out.varint(count);
    for (const names of this.#names) names.writePending(out);
    out.varint(actions.count);
    for (let i = 0; i < actions.count; i++) {
      out.u8(actions.second[i]);
      out.varint(actions.first[i]);
      out.varint(this.#leastOperand[i]);
    }
    out.varint(locations.count);
    let previous = 0;
    for (let i = 0; i < locations.count; i++) {
      out.varint(zigzag((locations.first[i] - previous) | 0));
      previous = locations.first[i];
    }
    out.u8(actionWidth);
    out.u8(operandWidth);
    out.u8(locationWidth);
    for (let plane = 0; plane < actionWidth; plane++) out.plane(this.#action, count, plane);
    for (let plane = 0; plane < operandWidth; plane++) out.plane(this.#operand, count, plane);
    for (let plane = 0; plane < locationWidth; plane++) out.plane(this.#location, count, plane);
    return framed(out);
  }

  /** The same as a packed chunk; null if it would be too large. */
  #encodePacked(): Uint8Array | null {
    const packer = this.#packer;
    if (packer === null) return null;
    const { first: thread, second: op, count: actions } = this.#actions;
    const operandNames = this.#names.slice(0, OPERAND_TABLES);
    const idCounts = operandNames.map(({ count }) => count);
    const tables = Uint8Array.from(op.subarray(0, actions), (op) => operandNames.indexOf(this.#operands[op]));
    const events = packer.pack({
      count: this.#count,
      action: this.#action,
      operand: this.#operand,
      location: this.#location,
      actions: { count: actions, op, thread },
      actionTable: tables,
      locations: { count: this.#distinctLocations.count, values: this.#distinctLocations.first },
      idsBefore: this.#idsBefore,
      idCounts,
    });
    this.#idsBefore = idCounts;
    if (events === null) return null;

    // Names that are all alike take so little that a reader would not believe it.
    const out = this.#packedChunk(events, packer, true) ?? this.#packedChunk(events, packer, false);
    if (out === null) return null;
    for (const names of this.#names) names.dropPending();
    return framed(out);
  }

  /** The chunk with its names by templates, or plain; null if it, or what becomes of its names, is too large. */
  #packedChunk(events: Uint8Array, packer: ChunkPacker, byTemplates: boolean): ByteBuilder | null {
    const lists = this.#names.map((names) => names.pendingList());
    let capacity = FRAME_BYTES + 1 + VARINT_BYTES + events.length;
    for (const list of lists) capacity += VARINT_BYTES + 1 + list.length;
    const out = new ByteBuilder(capacity, FRAME_BYTES);
    out.u8(ChunkKind.packed);
    out.varint(this.#count);
    let longestPacked = 0;
    lists.forEach((list, i) => {
      if (packer.packNames(out, list, this.#names[i].pendingCount, byTemplates))
        longestPacked = Math.max(longestPacked, list.length);
    });
    out.append(events);
    const size = out.length - FRAME_BYTES - 1;
    return size >= MAX_PACKED_BYTES || longestPacked > MAX_NAME_GROWTH * size ? null : out;
  }

  /** Turns the operands into differences and returns how many bytes the largest one needs. */
  #subtractLeastOperands(): number {
    let largest = 0;
    for (let i = 0; i < this.#count; i++) {
      const difference = this.#operand[i] - this.#leastOperand[this.#action[i]];
      this.#operand[i] = difference;
      if (difference > largest) largest = difference;
    }
    return widthOf(largest);
  }
}

export function header(): Uint8Array {
  const out = new ByteBuilder(HEADER_BYTES);
  out.append(MAGIC);
  out.u32At(MAGIC.length, VERSION);
  return out.bytes;
}

function sectionChunk(name: string, version: number, bytes: Uint8Array): Uint8Array {
  const nameBytes = Buffer.from(name);
  if (nameBytes.length === 0 || nameBytes.length > MAX_SECTION_NAME_BYTES) {
    throw new RangeError(
      `the name of a section has 1 to ${MAX_SECTION_NAME_BYTES} bytes, not ${nameBytes.length}`,
    );
  }
  const size = 1 + 2 * VARINT_BYTES + nameBytes.length + bytes.length;
  if (size > MAX_BODY_BYTES)
    throw new RangeError(`a section of ${bytes.length} bytes does not fit into one chunk`);
  const out = new ByteBuilder(FRAME_BYTES + size, FRAME_BYTES);
  out.u8(ChunkKind.section);
  out.varint(nameBytes.length);
  out.append(nameBytes);
  out.varint(version);
  out.append(bytes);
  return framed(out);
}

export function endChunk(events: number): Uint8Array {
  const out = new ByteBuilder(FRAME_BYTES + END_BODY_BYTES, FRAME_BYTES);
  out.u8(ChunkKind.end);
  out.u32At(out.length, events % 2 ** 32);
  out.u32At(out.length + 4, Math.floor(events / 2 ** 32));
  out.length += 8;
  return framed(out);
}

/** Fills in length and checksum in front of the body. */
function framed(out: ByteBuilder): Uint8Array {
  const body = out.bytes.subarray(FRAME_BYTES, out.length);
  out.u32At(0, body.length);
  out.u32At(4, crc32(body));
  return out.bytes.subarray(0, out.length);
}
