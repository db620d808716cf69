import type { Decorated } from './decoration.ts';
import type { ObjectRecord } from './object-record.ts';
import type { Task } from './task.ts';

export const ASYNC = 0;
/** A plain function that makes a promise and returns it. */
export const PROMISING = 1;
/** An async generator: no block, and in the task of whoever asked for the next value. */
export const GENERATOR = 2;
/** What stands for code that no async function runs: the program itself, callbacks, timers. No block either. */
export const CALLBACK = 3;
/** A block of the program's own making: `atomic(label, f)`. */
export const MARKED = 4;
/** A plain function that gives callbacks to others, to go on in them: a block once it has done so (`continuations.ts`). */
export const CONTINUING = 5;

export type ActivationKind =
  | typeof ASYNC
  | typeof PROMISING
  | typeof GENERATOR
  | typeof CALLBACK
  | typeof MARKED
  | typeof CONTINUING;

/* In place of the number of a begin. The trace needs none as long as nothing happens in the block; or it needs one in any case. */
export const UNBEGUN = 0;
export const NEEDED = -1;

/** A call that is going on and may be suspended. See docs/explanation/javascript-internals.md. */
export class Activation implements Decorated {
  decorations: unknown[] | null = null;
  readonly kind: ActivationKind;
  /** Its place and label. */
  readonly site: number;
  /** Whether it is a block of the trace, and has not ended as one. */
  isBlock: boolean;
  task: Task;
  /** Who called it or, for a callback, what was running where it was registered. */
  caller: Activation | null;
  /** The activation around it in the same task; null if it is the task's first. */
  outer: Activation | null;
  /** The one that it is waiting for in its own task. */
  child: Activation | null = null;
  /** The async generator that it has asked for a value and that has not given one yet; runs in its task. */
  asked: Activation | null = null;
  /** A call that has returned to it and of which it is not known yet whether it is awaited at once. */
  undecided: Activation | null = null;
  /** A call that was over when it returned, unless it is known what became of its promise. */
  answered: Activation | null = null;
  /** Tasks forked since it was last known what their promises became. */
  recent: Task[] | null = null;
  /** The tasks behind the promise that it is waiting for. */
  awaiting: readonly Task[] | null = null;
  /** Whether all of those are over when it goes on, as far as one can tell. */
  awaitsAll = false;
  /** It waits for an object that is no promise: the task in which the `then` of that is called. */
  thenable: Task | null = null;
  /** Where it waits for that, or has returned a promise of a library. */
  awaitsAt = 0;
  /** Where it has waited last. */
  suspendedAt = 0;
  /** The promise that it is waiting for, if something is known of that. */
  awaited: ObjectRecord | null = null;
  /** The segment in which it was called; -1 for a callback. */
  startedIn = -1;
  /** The site of the `await` for which it was called; 0 if there is none. */
  calledAt = 0;
  /** The task in which it has begun as a block, and by which of the begins of that in the trace; `UNBEGUN` before there is one. */
  begunIn: Task | null = null;
  begin = UNBEGUN;
  /** Whether it is over when somebody has waited for its promise. */
  lastsUntilAwaited: boolean;
  /** Whether it has given up control since it was called, or asked for a value. */
  isSuspended = false;
  /** For a marked block: whether the async function that it marks has not begun yet, which is no block besides it. */
  isUnnamed = false;
  /** Whether its code is over, and it lasts only until its child does, or its promise is settled. */
  hasReturned = false;
  isOver = false;
  /**
   * Whether what it gave back when it was awaited is no answer that its caller can go by: nothing, or a thing to work with, such as a
   * connection from a pool, which says little about how it was found.
   */
  gaveNoAnswer = false;
  /** The entry in the log of the last change that it made; -1 if there is none. */
  changed = -1;
  /** Whether it is in the log, and so are those around it; calls in which nothing has happened so far are not. */
  isLogged = true;
  /** Whether it had given up control when something happened in it for the first time, which is where the trace has its begin. */
  isLate = false;
  /** The place in the log that becomes its fork if it is forked. */
  slot = -1;
  /** For a function with continuations: whether it may become a block, and the place in the log that becomes its begin. */
  mayBeBlock = false;
  beginSlot = -1;
  /** Tasks of callbacks that it has given away in this step, to be forked when that is over. */
  givenAway: { task: Task; site: number }[] | null = null;
  /** The place in the log that becomes the fork of `background`. */
  backgroundSlot = -1;
  /** Forks the callbacks that were registered in it, by whatever means. */
  background: Task | null = null;
  /** What it is part of the work for, if that is known (`requests.ts`). */
  request: object | null;
  /** The outermost block of the task that it was in before it became a task of its own. */
  origin: Activation | null = null;
  /** Whether it is the `origin` of another one, which may act upon what this one read. */
  isOrigin = false;

  /** `isMeant`: whether it is a block unless its kind is that of none. */
  constructor(kind: ActivationKind, task: Task, caller: Activation | null, site: number, isMeant = true) {
    this.kind = kind;
    this.isBlock = isMeant && this.isCall && kind !== CONTINUING;
    this.task = task;
    this.caller = caller;
    this.outer = caller;
    this.site = site;
    this.request = caller === null ? null : caller.request;
    this.lastsUntilAwaited = kind === PROMISING;
  }

  /** Whether it is a call, which may become a task of its own. */
  get isCall(): boolean {
    return this.kind !== CALLBACK && this.kind !== GENERATOR;
  }
}

/**
 * The activation and all that it is waiting for in its own task, outermost first. What the innermost one waited for may
 * be over, though it has not gone on yet.
 */
export function waitingChain(activation: Activation): Activation[] {
  const chain: Activation[] = [];
  let inner: Activation | null = activation;
  for (; inner !== null && !inner.isOver; inner = inner.child ?? inner.asked) chain.push(inner);
  return chain;
}

/** The same belong to another task from here on. */
export function moveWaiting(activation: Activation, task: Task): void {
  let inner: Activation | null = activation;
  for (; inner !== null && !inner.isOver; inner = inner.child ?? inner.asked) inner.task = task;
}

/**
 * Whether what this activation has read, by this entry of the log, came to nobody who goes on: it has acted upon that itself,
 * and given no answer. A call that only looks and returns, or throws, does that for its caller.
 */
export function isForgotten(reader: Activation, entry: number): boolean {
  let hasActed = false;
  for (let over: Activation | null = reader; over?.isOver; over = over.outer ?? over.caller) {
    hasActed ||= over.changed > entry;
    if (over.gaveNoAnswer && hasActed) return true;
  }
  return false;
}

/**
 * Whoever asks an async generator for a value may have been called by it, or registered in it. Its part in that is over: it
 * stood for whoever asked before.
 */
export function takeOut(generator: Activation, asking: Activation): void {
  for (let inner: Activation | null = asking; inner !== null; inner = inner.caller)
    if (inner.caller === generator) inner.caller = generator.caller;
  for (let inner: Activation | null = asking; inner !== null; inner = inner.outer)
    if (inner.outer === generator) inner.outer = generator.outer;
}

/** It has forked a task, and it is not known yet what became of the promise of that. */
export function noteRecent(activation: Activation, task: Task): void {
  // No spare room: mostly there is one.
  if (activation.recent === null) activation.recent = [task];
  else activation.recent.push(task);
}
