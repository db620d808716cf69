import { HANDOVER_WORDS, HANDOVERS, Handovers } from './handovers.ts';

/** The program's own are replaced: what we do with our memory is none of its business. */
const { add, compareExchange, load, notify, store } = Atomics;

/**
 * The memory that all isolates of a program and the checker thread share: the counter that orders what they do, the
 * directory of isolates, and a ring for each isolate. Everything is words of 32 bits.
 */

/** Isolates that are followed at a time, the main one included. */
export const MOST_ISOLATES = 64;

/** Words of a ring; a power of two. */
const RING_WORDS = 1 << 16;

/* Words of the header. */
/** The number that was given last. */
export const COUNTER = 0;
/** Changes when the checker thread has something to do. */
export const DOORBELL = 1;
/** Whether the checker thread waits until the bell rings; else it looks by itself soon. */
export const SLEEPING = 2;
/** See `CheckerState`. */
export const CHECKER = 3;
/** Whether nothing more is coming and the checker thread is to end. */
export const ENDING = 4;
/** Changes while the checker thread gets on. */
export const PROGRESS = 5;
/** How many workers there have been. */
export const WORKERS = 6;
/** How many message channels there have been. */
export const CHANNELS = 7;
const HEADER_WORDS = 64;

export const CheckerState = { starting: 0, running: 1, finished: 2, failed: 3 } as const;

/* Words of an isolate in the directory; the last comes from its own cache line. */
export const STATE = 0;
/** A number that is not above any that the isolate holds back; 0 if it holds back none. */
export const PENDING = 1;
/** Words written to its ring and read from it, modulo 2^32. */
export const WRITTEN = 2;
export const READ = 3;
/** Counts how often somebody has asked it to hand over what it has, and how often it has done so. */
export const ASKED = 4;
export const ANSWERED = 5;
/** The isolate that made it. */
export const PARENT = 6;
/** Which worker of the program it is, and which thread of the process. */
export const NUMBER = 7;
export const THREAD = 8;
const ISOLATE_WORDS = 16;

export const IsolateState = { free: 0, alive: 1, ended: 2 } as const;

const DIRECTORY = HEADER_WORDS;
const HANDOVERS_START = DIRECTORY + MOST_ISOLATES * ISOLATE_WORDS;
const RINGS = HANDOVERS_START + HANDOVERS * HANDOVER_WORDS;

export class Region {
  readonly buffer: SharedArrayBuffer;
  readonly header: Int32Array;
  readonly handovers: Handovers;
  readonly #isolates: readonly Int32Array[];
  readonly #ringWords: number;
  readonly #rings: Int32Array[] = [];

  /** The region behind `buffer`, or a new one with rings of so many words (a power of two). */
  constructor(buffer?: SharedArrayBuffer, ringWords: number = RING_WORDS) {
    this.buffer = buffer ?? new SharedArrayBuffer(4 * (RINGS + MOST_ISOLATES * ringWords));
    this.#ringWords = (this.buffer.byteLength / 4 - RINGS) / MOST_ISOLATES;
    this.header = this.#view(0, HEADER_WORDS);
    this.handovers = new Handovers(this.#view(HANDOVERS_START, HANDOVERS * HANDOVER_WORDS));
    const isolates = [];
    for (let i = 0; i < MOST_ISOLATES; i++)
      isolates.push(this.#view(DIRECTORY + i * ISOLATE_WORDS, ISOLATE_WORDS));
    this.#isolates = isolates;
  }

  /** What is known of an isolate: `STATE`, `PENDING` and so on. */
  isolate(index: number): Int32Array {
    return this.#isolates[index];
  }

  ring(index: number): Int32Array {
    this.#rings[index] ??= this.#view(RINGS + index * this.#ringWords, this.#ringWords);
    return this.#rings[index];
  }

  /** Whether the isolate may still go on; one that was killed leaves its locks as they are. */
  isAlive(index: number): boolean {
    return load(this.#isolates[index], STATE) === IsolateState.alive;
  }

  /** Takes a place in the directory; -1 if there is none. */
  admit(parent: number): number {
    for (const [index, isolate] of this.#isolates.entries()) {
      const before = compareExchange(isolate, STATE, IsolateState.free, IsolateState.alive);
      if (before !== IsolateState.free) continue;
      store(isolate, PARENT, parent);
      return index;
    }
    return -1;
  }

  /** The isolate does nothing any more, and neither do those that it has made: they died before it. */
  end(index: number): void {
    for (const [other, isolate] of this.#isolates.entries())
      if (other !== index && load(isolate, PARENT) === index && this.isAlive(other)) this.end(other);
    store(this.#isolates[index], STATE, IsolateState.ended);
    this.ringBell();
  }

  /** The checker thread has something to do. */
  ringBell(): void {
    add(this.header, DOORBELL, 1);
    notify(this.header, DOORBELL);
  }

  /** Wakes whoever waits for the checker thread. */
  tellAll(): void {
    for (const isolate of this.#isolates) notify(isolate, READ);
    notify(this.header, CHECKER);
  }

  #view(start: number, length: number): Int32Array {
    return new Int32Array(this.buffer, 4 * start, length);
  }
}
