import { Op } from '../../trace/operation.ts';
import type { Activation } from './activation.ts';
import type { ChannelRecord } from './channel-record.ts';
import { beBusy } from './idle-tasks.ts';
import type { LockRecord } from './lock-record.ts';
import type { ObjectRecord } from './object-record.ts';
import type { Place } from './place.ts';
import type { Task } from './task.ts';
import type { VariableRecord } from './variable.ts';

/*
 * Entries of the log that are not events of the trace yet.
 */
/**
 * A call, which is a block: its fork, if it turns out to be a task of its own, which is then the subject; its begin; and the
 * fork of its background, if there is one.
 */
export const CALL = Op.skip + 7;
/** Becomes a fork if the activation that begins after it is forked. */
export const SLOT = Op.skip + 1;
/** Becomes the fork of a task if that ever does something. */
export const FORK_SLOT = Op.skip + 2;
/** Becomes the fork of the background of an activation if that is needed, or may be. */
export const BACKGROUND_SLOT = Op.skip + 3;
/** Becomes a join by nobody in particular if the task is not joined by anybody else. */
export const REAP = Op.skip + 4;

/** Becomes any number of accesses, of any task: see `Place`. */
export const PLACE = Op.skip + 5;
/** The blocks of the task that are open have begun by here, although nothing has happened in them yet. */
export const HERE = Op.skip + 6;

/** A read of a variable that has no record so far: the subject is what it is a variable of. Becomes a read, or nothing (`late-reads.ts`). */
export const LATE_READ = Op.skip + 8;

/** What an entry is about: depends on its operation. */
export type Subject =
  | VariableRecord
  | ObjectRecord
  | Task
  | Activation
  | LockRecord
  | ChannelRecord
  | Place
  | null;

/** Not more: the garbage collector copies the activations that wait in the log again and again. */
const BITS = 9;
const CHUNK = 1 << BITS;

/** For as many entries as a chunk has. */
const NULLS: readonly null[] = Array.from({ length: CHUNK }, () => null);

/**
 * The lists of objects are new each time: the garbage collector has to be told of each young object that is put into an old list, and a chunk is
 * mostly over before it would have to look at it.
 */
export class LogChunk {
  length = 0;
  readonly op = new Uint8Array(CHUNK);
  readonly site = new Int32Array(CHUNK);
  /** The place in the order of all isolates (`SequenceClock`); 0 for what no other isolate can see. */
  readonly sequence = new Int32Array(CHUNK);
  /** What is known of an access besides (`EventFlag`). */
  readonly flags = new Uint16Array(CHUNK);
  task: (Task | null)[] = NULLS.slice();
  by: (Activation | null)[] = NULLS.slice();
  subject: Subject[] = NULLS.slice();
  /*
   * Of a read that is not noted yet (`unnoted-reads.ts`): for which block, null once it is; in which segment; and the one before it of the same
   * variable. The same of a late read, and of the same object; also what is read, and in which epoch.
   */
  block: (Activation | null)[] = NULLS.slice();
  /** The block that it seemed to be for, if that has turned out to be another one. */
  former: readonly (Activation | null)[] = NULLS;
  readonly segment = new Float64Array(CHUNK);
  readonly before = new Float64Array(CHUNK);
  key: unknown[] = NULLS.slice();
  /** Of an access: the one before it to the same variable. */
  readonly prior = new Float64Array(CHUNK);
  readonly epoch = new Float64Array(CHUNK);

  /** The block that a read seemed to be for was this one. */
  noteFormer(i: number, block: Activation): void {
    if (this.former === NULLS) this.former = NULLS.slice();
    (this.former as (Activation | null)[])[i] = block;
  }

  /** Nothing is in it any more. */
  clear(): void {
    this.length = 0;
    this.task = NULLS as [];
    this.by = NULLS as [];
    this.subject = NULLS as [];
    this.block = NULLS as [];
    this.former = NULLS;
    this.key = NULLS as [];
  }

  /** It is going to be filled again. */
  renew(): this {
    this.task = NULLS.slice();
    this.by = NULLS.slice();
    this.subject = NULLS.slice();
    this.block = NULLS.slice();
    this.key = NULLS.slice();
    return this;
  }
}

/** Where an entry is in its chunk. */
export function placeInChunk(entry: number): number {
  return entry % CHUNK;
}

/**
 * The events that have not been handed over yet. They are numbered from 0 for as long as the program runs; an
 * entry can be changed by its number as long as it is here.
 */
export class Log {
  #chunks: LogChunk[] = [new LogChunk()];
  #tail = this.#chunks[0];
  /** The number of the first entry of the first chunk. */
  #first = 0;
  #tailFirst = 0;
  #spare: LogChunk[] = [];

  get length(): number {
    return this.#tailFirst + this.#tail.length - this.#first;
  }

  isLong(chunks: number): boolean {
    return this.#chunks.length > chunks;
  }

  /** How many chunks there are from the one with this entry on. */
  chunksFrom(entry: number): number {
    const before = Math.floor((Math.min(entry, this.#tailFirst) - this.#first) / CHUNK);
    return this.#chunks.length - Math.max(before, 0);
  }

  /** The number that the next entry gets. */
  get next(): number {
    return this.#tailFirst + this.#tail.length;
  }

  push(
    op: number,
    task: Task,
    by: Activation | null,
    subject: Subject,
    site: number,
    sequence: number = 0,
  ): number {
    if (task.idle !== null) beBusy(task);
    if (this.#tail.length === CHUNK) this.#grow();
    const tail = this.#tail;
    const i = tail.length++;
    tail.op[i] = op;
    tail.site[i] = site;
    tail.sequence[i] = sequence;
    tail.flags[i] = 0;
    tail.task[i] = task;
    tail.by[i] = by;
    tail.subject[i] = subject;
    tail.prior[i] = -1;
    return this.#tailFirst + i;
  }

  /** The chunk of an entry that was made; null if it has been handed over. */
  chunkOf(entry: number): LogChunk | null {
    return entry < this.#first ? null : this.#chunks[(entry - this.#first) >>> BITS];
  }

  /** Of the access that was pushed last: which one was before it. */
  notePrior(prior: number): void {
    const tail = this.#tail;
    tail.prior[tail.length - 1] = prior;
  }

  /** Says more of the read that was pushed last. */
  noteRead(block: Activation, segment: number, before: number): void {
    const tail = this.#tail;
    const i = tail.length - 1;
    tail.block[i] = block;
    tail.segment[i] = segment;
    tail.before[i] = before;
  }

  /** Turns a slot into an event; false if it has been handed over. */
  become(entry: number, op: number, subject: Subject): boolean {
    if (entry < this.#first) return false;
    const chunk = this.#chunks[(entry - this.#first) >>> BITS];
    const i = (entry - this.#first) & (CHUNK - 1);
    chunk.op[i] = op;
    chunk.subject[i] = subject;
    return true;
  }

  /** Notes something about an entry, unless it has been handed over. */
  annotate(entry: number, flags: number): void {
    if (entry < this.#first) return;
    const chunk = this.#chunks[(entry - this.#first) >>> BITS];
    chunk.flags[(entry - this.#first) & (CHUNK - 1)] |= flags;
  }

  /** Shows every entry from this one on. */
  forEachFrom(entry: number, see: (chunk: LogChunk, index: number, entry: number) => void): void {
    for (let n = Math.max(entry, this.#first); n < this.next; n++) {
      const offset = n - this.#first;
      see(this.#chunks[offset >>> BITS], offset & (CHUNK - 1), n);
    }
  }

  /** Hands over whole chunks, oldest first, until at most `keep` are left. */
  handOver(keep: number, take: (chunk: LogChunk, first: number) => void): void {
    for (let left = this.#chunks.length; left > keep; left--) {
      const chunk = this.#chunks[0];
      take(chunk, this.#first);
      // Numbers go on as if the chunk had been full: what is in it can no longer be reached.
      this.#first += CHUNK;
      this.#chunks.shift();
      if (this.#chunks.length === 0) this.#grow();
      chunk.clear();
      if (this.#spare.length < 4) this.#spare.push(chunk);
    }
  }

  #grow(): void {
    this.#tail = this.#spare.pop()?.renew() ?? new LogChunk();
    this.#chunks.push(this.#tail);
    this.#tailFirst += CHUNK;
  }
}
