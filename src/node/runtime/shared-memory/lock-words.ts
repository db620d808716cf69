import { LockRecord } from '../../core/lock-record.ts';
import type { Recorder } from '../recorder.ts';
import { ACQUIRE, type Kinds, RELEASE } from './kinds.ts';
import type { SharedNames } from './names.ts';
import { LOCK_WORD, PLAIN_WORD, type SharedState } from './shared-state.ts';
import { variableKey } from './variables.ts';
import type { Memory } from './views.ts';

/*
 * Words that are used as locks, and nothing else: 0 is free, anything else is taken. The first compareExchange or exchange
 * that turns 0 into something else makes a word a candidate. From then on, taking it is an acquire, putting 0 there is a
 * release, and all that others do in vain orders nothing. As soon as a word is used as no lock is, it is an ordinary variable again
 * for all that follows.
 */

/** What was done to a word by `Atomics`. */
export interface WordChange {
  by: 'load' | 'store' | 'exchange' | 'compareExchange' | 'other';
  before: number | bigint;
  after: number | bigint;
}

/** The values of a mutex with waiters: free, taken, taken while others wait. */
const MOST_TAKEN = 2;

export class LockWords {
  readonly #recorder: Recorder;
  readonly #state: () => SharedState;
  readonly #names: SharedNames;
  /** By memory and variable. */
  readonly #locks = new Map<Memory, Map<number, LockRecord>>();

  constructor(recorder: Recorder, state: () => SharedState, names: SharedNames) {
    this.#recorder = recorder;
    this.#state = state;
    this.#names = names;
  }

  lockOf(memory: Memory, offset: number, size: number): LockRecord {
    const locks = this.#locks.get(memory) ?? new Map<number, LockRecord>();
    this.#locks.set(memory, locks);
    const key = variableKey(offset, size);
    const lock = locks.get(key) ?? new LockRecord(this.#names.nameOf(memory, offset, size), true);
    locks.set(key, lock);
    return lock;
  }

  /** What a change of a word is to be logged as: `kinds`, or what it means to the lock that the word is. */
  judge(
    stripe: number,
    memory: Memory,
    offset: number,
    size: number,
    change: WordChange,
    kinds: Kinds,
  ): Kinds {
    const state = this.#state();
    const isolate = this.#recorder.tasks.isolate?.index ?? 0;
    let word = state.findWord(stripe, memory.number, offset);
    const wasFree = isZero(change.before);
    const isFree = isZero(change.after);
    if (word < 0) {
      if (!isTaking(change) || !wasFree || isFree) return kinds;
      word = state.addWord(stripe, memory.number, offset);
      if (word < 0) return kinds;
      state.setWordState(word, LOCK_WORD);
      state.setWordHolder(word, -1);
    }
    if (state.wordState(word) === PLAIN_WORD) return this.#withRelease(memory, offset, size, kinds);
    const holder = state.wordHolder(word);
    if (wasFree && isFree) return 0;
    if (wasFree && holder < 0 && isTaking(change)) {
      state.setWordHolder(word, isolate);
      return ACQUIRE;
    }
    if (!wasFree && isFree && holder === isolate) {
      state.setWordHolder(word, -1);
      return RELEASE;
    }
    // In vain: a look at it, an attempt that failed, a note that somebody waits, the holder's own counting down.
    const isCounting = holder === isolate && change.by === 'other' && isSmall(change.after);
    if (!wasFree && (change.before === change.after || isNote(change) || isCounting)) return 0;
    state.setWordState(word, PLAIN_WORD);
    state.setWordHolder(word, -1);
    return this.#withRelease(memory, offset, size, kinds);
  }

  /** The word has turned out to be no lock: whoever has acquired it lets go. */
  #withRelease(memory: Memory, offset: number, size: number, kinds: Kinds): Kinds {
    const lock = this.lockOf(memory, offset, size);
    return lock.holder === null ? kinds : kinds | RELEASE;
  }
}

function isZero(value: number | bigint): boolean {
  return value === 0 || value === 0n;
}

function isSmall(value: number | bigint): boolean {
  return value >= 0 && value <= MOST_TAKEN;
}

function isTaking({ by }: WordChange): boolean {
  return by === 'compareExchange' || by === 'exchange';
}

/** Somebody who waits has said so: 1 becomes 2, or an exchange that came too late leaves what it put there. */
function isNote({ by, after }: WordChange): boolean {
  return (by === 'compareExchange' || by === 'exchange') && isSmall(after) && !isZero(after);
}
