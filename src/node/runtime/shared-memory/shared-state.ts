/*
 * What all isolates of a program have to know about the memory that they share: which memories there are, which element
 * sizes they are used with, who is accessing what just now. It lies in a SharedArrayBuffer of its own, which every new
 * isolate is given.
 */

import { keepOut } from './views.ts';

/** The program's own ones are replaced. */
const { compareExchange, load, or, store, wait } = Atomics;

const { decode } = TextDecoder.prototype;
const decoder = new TextDecoder();

/** So many memories have a number and a mask of element sizes in common. */
const MEMORIES = 1024;
const MEMORY_INTS = 4;
const ID_LOW = 0;
const ID_HIGH = 1;
const SIZES = 2;

export const STRIPES = 1024;
const STRIPE_INTS = 8;
const HOLDER = 0;
const LAST_ISOLATE = 1;
const LAST_MEMORY = 2;
const LAST_KEY = 3;

/** So many words of a stripe can be known as locks, or as none. */
const WORDS = 4;
const WORD_INTS = 4;
const WORD_MEMORY = 0;
const WORD_OFFSET = 1;
const WORD_STATE = 2;
const WORD_HOLDER = 3;

/** So many views have names that all isolates know. */
const NAMES = 256;
const NAME_BYTES = 64;
const NAME_INTS = 5 + NAME_BYTES / 4;
const NAME_MEMORY = 0;
const NAME_START = 1;
const NAME_SIZE = 2;
const NAME_LENGTH = 3;
const NAME_BYTE_COUNT = 4;
const NAME_TEXT = 5;

const MEMORY_COUNT = 0;
const MEMORY_LOCK = 1;
const NAME_COUNT = 2;
const MEMORY_START = 4;
const STRIPE_START = MEMORY_START + MEMORIES * MEMORY_INTS;
const WORD_START = STRIPE_START + STRIPES * STRIPE_INTS;
const NAMES_START = WORD_START + STRIPES * WORDS * WORD_INTS;
const LENGTH = NAMES_START + NAMES * NAME_INTS;

/** So often a lock is tried at once; then its holder is given time to run, which may have been interrupted. */
const TRIES = 1 << 10;
const PAUSE_MS = 1;

const MOST_INT = 2 ** 31 - 1;

/** All sizes: of a memory that has no place in the table. */
const ANY_SIZE = 15;

/** What is known of a word that compareExchange has been used on: nothing, that it may be a lock, or that it is none. */
export const UNKNOWN_WORD = 0;
export const LOCK_WORD = 1;
export const PLAIN_WORD = 2;

/** What a part of a memory is called, and how its elements are counted. */
export interface ViewName {
  memory: number;
  /** Its first byte. */
  start: number;
  /** Of an element, in bytes. */
  size: number;
  /** How many elements there are. */
  length: number;
  text: string;
}

/** Whether an isolate is still running. */
export type IsAlive = (isolate: number) => boolean;

export class SharedState {
  readonly buffer: SharedArrayBuffer;
  readonly #words: Int32Array;

  constructor(buffer = new SharedArrayBuffer(LENGTH * Int32Array.BYTES_PER_ELEMENT)) {
    this.buffer = buffer;
    keepOut(buffer);
    this.#words = new Int32Array(buffer);
  }

  /** The number of the memory with this identity, from 1 in order of appearance. */
  memoryNumber(id: number, isolate: number, isAlive: IsAlive): number {
    const [low, high] = [id | 0, Math.floor(id / 2 ** 32) | 0];
    const words = this.#words;
    this.#acquire(MEMORY_LOCK, isolate, isAlive);
    try {
      const count = words[MEMORY_COUNT];
      for (let i = 0; i < count; i++) {
        const at = MEMORY_START + i * MEMORY_INTS;
        if (words[at + ID_LOW] === low && words[at + ID_HIGH] === high) return i + 1;
      }
      if (count === MEMORIES) return MEMORIES + 1 + id;
      const at = MEMORY_START + count * MEMORY_INTS;
      words[at + ID_LOW] = low;
      words[at + ID_HIGH] = high;
      words[MEMORY_COUNT] = count + 1;
      return count + 1;
    } finally {
      store(words, MEMORY_LOCK, 0);
    }
  }

  /** Notes that there is a view with elements of this size (1, 2, 4 or 8 bytes), which is a bit of the mask of sizes. */
  addSize(memory: number, size: number): void {
    if (memory <= MEMORIES) or(this.#words, this.#sizesAt(memory), size);
  }

  /** The element sizes that the memory is used with, as a mask. */
  sizes(memory: number): number {
    return memory <= MEMORIES ? this.#words[this.#sizesAt(memory)] : ANY_SIZE;
  }

  #sizesAt(memory: number): number {
    return MEMORY_START + (memory - 1) * MEMORY_INTS + SIZES;
  }

  /** Makes a name known to all isolates, if there is room for it. Names stay in the order in which they were given. */
  addName(name: ViewName, isolate: number, isAlive: IsAlive): void {
    const text = new TextEncoder().encode(name.text);
    const words = this.#words;
    if (text.length > NAME_BYTES || name.start > MOST_INT || name.length > MOST_INT) return;
    this.#acquire(MEMORY_LOCK, isolate, isAlive);
    try {
      const count = words[NAME_COUNT];
      if (count === NAMES) return;
      const at = NAMES_START + count * NAME_INTS;
      words[at + NAME_MEMORY] = name.memory;
      words[at + NAME_START] = name.start;
      words[at + NAME_SIZE] = name.size;
      words[at + NAME_LENGTH] = name.length;
      words[at + NAME_BYTE_COUNT] = text.length;
      // Methods of typed arrays are replaced by those that record what they do.
      const bytes = new Uint8Array(this.buffer, (at + NAME_TEXT) * Int32Array.BYTES_PER_ELEMENT, text.length);
      for (let i = 0; i < text.length; i++) bytes[i] = text[i];
      store(words, NAME_COUNT, count + 1);
    } finally {
      store(words, MEMORY_LOCK, 0);
    }
  }

  /** All names so far. */
  names(): ViewName[] {
    const words = this.#words;
    return Array.from({ length: load(words, NAME_COUNT) }, (_, i) => {
      const at = NAMES_START + i * NAME_INTS;
      const length = words[at + NAME_BYTE_COUNT];
      const shared = new Uint8Array(this.buffer, (at + NAME_TEXT) * Int32Array.BYTES_PER_ELEMENT, length);
      const bytes = new Uint8Array(length);
      for (let byte = 0; byte < length; byte++) bytes[byte] = shared[byte];
      return {
        memory: words[at + NAME_MEMORY],
        start: words[at + NAME_START],
        size: words[at + NAME_SIZE],
        length: words[at + NAME_LENGTH],
        text: decode.call(decoder, bytes),
      };
    });
  }

  /** Accesses that overlap have the same stripe, as they are aligned. */
  stripeOf(memory: number, offset: number): number {
    const line = Math.floor(offset / 8);
    return ((Math.imul(memory, 0x9e3779b1) ^ Math.imul(line, 0x85ebca6b)) >>> 22) % STRIPES;
  }

  /** Waits until nobody else is accessing memory of this stripe. */
  lock(stripe: number, isolate: number, isAlive: IsAlive): void {
    this.#acquire(STRIPE_START + stripe * STRIPE_INTS + HOLDER, isolate, isAlive);
  }

  #acquire(at: number, isolate: number, isAlive: IsAlive): void {
    const words = this.#words;
    for (let tries = 1; ; tries++) {
      const holder = compareExchange(words, at, 0, isolate + 1);
      if (holder === 0) return;
      if (tries % TRIES !== 0) continue;
      if (isAlive(holder - 1)) wait(words, at, holder, PAUSE_MS);
      // An isolate may be ended anywhere.
      else if (compareExchange(words, at, holder, isolate + 1) === holder) return;
    }
  }

  unlock(stripe: number): void {
    store(this.#words, STRIPE_START + stripe * STRIPE_INTS + HOLDER, 0);
  }

  /**
   * Whether the last access in this stripe was one by this isolate to this same variable; from now on it is. To be called
   * with the stripe locked.
   */
  isLastAccess(stripe: number, isolate: number, memory: number, key: number): boolean {
    const words = this.#words;
    const at = STRIPE_START + stripe * STRIPE_INTS;
    const isSame =
      words[at + LAST_ISOLATE] === isolate + 1 &&
      words[at + LAST_MEMORY] === memory &&
      words[at + LAST_KEY] === (key | 0);
    if (isSame) return true;
    words[at + LAST_ISOLATE] = isolate + 1;
    words[at + LAST_MEMORY] = memory;
    words[at + LAST_KEY] = key;
    return false;
  }

  /** Whether the last access in this stripe was by another isolate, or there was none. */
  isForeign(stripe: number, isolate: number): boolean {
    return this.#words[STRIPE_START + stripe * STRIPE_INTS + LAST_ISOLATE] !== isolate + 1;
  }

  /** The place of what is known of a word; -1 if nothing is. To be called, as what follows, with its stripe locked. */
  findWord(stripe: number, memory: number, offset: number): number {
    const words = this.#words;
    for (let i = 0; i < WORDS; i++) {
      const at = WORD_START + (stripe * WORDS + i) * WORD_INTS;
      if (words[at + WORD_STATE] === UNKNOWN_WORD) return -1;
      if (words[at + WORD_MEMORY] === memory && words[at + WORD_OFFSET] === offset) return at;
    }
    return -1;
  }

  /** A place for a word that is not known yet; -1 if there is none left. */
  addWord(stripe: number, memory: number, offset: number): number {
    const words = this.#words;
    for (let i = 0; i < WORDS; i++) {
      const at = WORD_START + (stripe * WORDS + i) * WORD_INTS;
      if (words[at + WORD_STATE] !== UNKNOWN_WORD) continue;
      words[at + WORD_MEMORY] = memory;
      words[at + WORD_OFFSET] = offset;
      return at;
    }
    return -1;
  }

  wordState(word: number): number {
    return this.#words[word + WORD_STATE];
  }

  setWordState(word: number, state: number): void {
    this.#words[word + WORD_STATE] = state;
  }

  /** The isolate that holds the lock; -1 if none does. */
  wordHolder(word: number): number {
    return this.#words[word + WORD_HOLDER] - 1;
  }

  setWordHolder(word: number, isolate: number): void {
    this.#words[word + WORD_HOLDER] = isolate + 1;
  }
}
