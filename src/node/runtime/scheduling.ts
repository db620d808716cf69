/*
 * What the runtime asks of a schedule (`src/node/schedule`), which says in which order tasks go on.
 */

import type { Activation } from '../core/activation.ts';
import type { Patches } from '../support/patching.ts';
import type { Recorder } from './recorder.ts';
import type { SharedMemory } from './shared-memory/shared-memory.ts';

export type Callback = (...values: unknown[]) => unknown;

/** Where a task gives up control and may be held back. */
export interface SchedulingPoints {
  /** How many functions given to `new Promise` are running: what they start is part of the promise. */
  executors: number;
  /** An activation waits for `value`, by way of `asked`; gives what it is to wait for instead. */
  awaited(activation: Activation, value: unknown, site: number, asked?: unknown): unknown;
  /** The same for what the program itself passes on. */
  passed(activation: Activation, value: unknown, site: number): unknown;
  /** The callback of a promise; gives what is to be called instead. */
  reacting(activation: Activation, promise: unknown, run: Callback, site: number): Callback;
}

/** Something that a program has asked a store for. */
export interface AskedOfStore {
  /** Sends it, perhaps later; what `start` returns is nobody's then. */
  send(start: () => unknown): unknown;
  /** It has been sent already. */
  sent(): void;
  /** The answer is there, and what it did is logged: `hand` gives it to the program, perhaps later. */
  answered(hand: () => void): void;
}

/** Without a schedule. */
export const AT_ONCE: AskedOfStore = { send: (start) => start(), sent() {}, answered: (hand) => hand() };

/** Holds back what stores answer. */
export interface StoreSchedule {
  /** The program has loaded a driver: what these files do with timers is their own business. */
  follow(isDriver: (file: string) => boolean): void;
  /**
   * What goes through one connection is answered in order. `mayWait`: whether the store may let it wait for something that
   * the program does later.
   */
  asks(activation: Activation | null, site: number, connection: object, mayWait: boolean): AskedOfStore;
}

export interface Schedule {
  readonly points: SchedulingPoints;
  readonly stores: StoreSchedule;
  /** Whether something has run that the schedule did not start: then the clock on the wall is as good. */
  readonly isForeign: boolean;
  /** Whether the log is handed over before anything more happens, unless something comes from elsewhere: it may be at once. */
  readonly isIdle: boolean;
  /** The log is about to be handed over. */
  catchUp(): void;
  /** A part of the program begins that is to have an order of its own, whatever came before: a test. */
  beginPart(root: Activation, name: string): void;
  /** Threads are held back as well. */
  follow(memory: SharedMemory): void;
  /** To be done before others wrap timers and files: what they wrap is then what happens in turn. */
  patch(patches: Patches): void;
  /** To be done after that. */
  patchLast(patches: Patches): void;
}

/**
 * `thread` is 0 for the first one; `handOver` is called when events have waited for long enough, by the
 * virtual clock.
 */
export type MakeSchedule = (thread: number, recorder: Recorder, handOver: () => void) => Schedule;
