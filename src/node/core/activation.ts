import type { Decorated } from './decoration.ts';
import type { ObjectRecord } from './object-record.ts';
import type { Span } from './overlap.ts';
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

/*
 * What is true of an activation or not, as bits: there are several activations for each request of a server, and those that wait
 * in the log are copied by the garbage collector.
 */
const BLOCK = 1 << 0;
const AWAITS_ALL = 1 << 1;
const LASTS_UNTIL_AWAITED = 1 << 2;
const SUSPENDED = 1 << 3;
const UNNAMED = 1 << 4;
const RETURNED = 1 << 5;
const OVER = 1 << 6;
const NO_ANSWER = 1 << 7;
const LOGGED = 1 << 8;
const LATE = 1 << 9;
const MAY_BE_BLOCK = 1 << 10;
const ORIGIN = 1 << 11;
const GOING = 1 << 12;
/** Its kind is in three bits from this one on, and behind them how many callbacks have led to it. */
const KIND = 13;
const KINDS = 7;
const LINKS = KIND + 3;
/** Nobody counts further. */
const MOST_LINKS = 255;

/** What most activations never have to do with. */
class RareState {
  asked: Activation | null = null;
  thenable: Task | null = null;
  awaitsAt = 0;
  beginSlot = -1;
  givenAway: { task: Task; site: number }[] | null = null;
  background: Task | null = null;
  origin: Activation | null = null;
}

/** A call that is going on and may be suspended. See docs/explanation/javascript-internals.md. */
export class Activation implements Decorated {
  decorations: unknown[] | null = null;
  /** Its place and label. */
  readonly site: number;
  /** See above. */
  private bits: number;
  private rare: RareState | null = null;
  task: Task;
  /** Who called it or, for a callback, what was running where it was registered. */
  caller: Activation | null;
  /** The activation around it in the same task; null if it is the task's first. */
  outer: Activation | null;
  /** The one that it is waiting for in its own task. */
  child: Activation | null = null;
  /** Of an async function: its promise, until it is known whether that is awaited at once. */
  promise: object | null = null;
  /** A call that has returned to it and of which it is not known yet whether it is awaited at once. */
  undecided: Activation | null = null;
  /** A call that was over when it returned, unless it is known what became of its promise. */
  answered: Activation | null = null;
  /** Tasks forked since it was last known what their promises became. */
  recent: Task[] | null = null;
  /** The tasks behind the promise that it is waiting for. */
  awaiting: readonly Task[] | null = null;
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
  /** The entry in the log of the last change that it made; -1 if there is none. */
  changed = -1;
  /** The place in the log that becomes its fork if it is forked. */
  slot = -1;
  /** The place in the log that becomes the fork of `background`. */
  backgroundSlot = -1;
  /** What it is part of the work for, if that is known (`requests.ts`). */
  request: object | null;
  /** What it is a part of, by which it is known what goes on at the same time; null if that is not followed. */
  span: Span | null;

  /** `isMeant`: whether it is a block unless its kind is that of none. */
  constructor(kind: ActivationKind, task: Task, caller: Activation | null, site: number, isMeant = true) {
    const isCall = kind !== CALLBACK && kind !== GENERATOR;
    this.bits =
      LOGGED |
      (isMeant && isCall && kind !== CONTINUING ? BLOCK : 0) |
      (kind === PROMISING ? LASTS_UNTIL_AWAITED : 0) |
      (kind << KIND) |
      (caller === null ? 0 : caller.links << LINKS);
    this.task = task;
    this.caller = caller;
    this.outer = caller;
    this.site = site;
    this.request = caller === null ? null : caller.request;
    this.span = caller === null ? null : caller.span;
  }

  get kind(): ActivationKind {
    return ((this.bits >> KIND) & KINDS) as ActivationKind;
  }

  /** Whether it is a call, which may become a task of its own. */
  get isCall(): boolean {
    return this.kind !== CALLBACK && this.kind !== GENERATOR;
  }

  private set(bit: number, isSet: boolean): void {
    this.bits = isSet ? this.bits | bit : this.bits & ~bit;
  }

  /** Whether it is a block of the trace, and has not ended as one. */
  get isBlock(): boolean {
    return (this.bits & BLOCK) !== 0;
  }

  set isBlock(isSet: boolean) {
    this.set(BLOCK, isSet);
  }

  /** Whether all the tasks behind what it waits for are over when it goes on, as far as one can tell. */
  get awaitsAll(): boolean {
    return (this.bits & AWAITS_ALL) !== 0;
  }

  set awaitsAll(isSet: boolean) {
    this.set(AWAITS_ALL, isSet);
  }

  /** Whether it is over when somebody has waited for its promise. */
  get lastsUntilAwaited(): boolean {
    return (this.bits & LASTS_UNTIL_AWAITED) !== 0;
  }

  set lastsUntilAwaited(isSet: boolean) {
    this.set(LASTS_UNTIL_AWAITED, isSet);
  }

  /** Whether it has given up control since it was called, or asked for a value. */
  get isSuspended(): boolean {
    return (this.bits & SUSPENDED) !== 0;
  }

  set isSuspended(isSet: boolean) {
    this.set(SUSPENDED, isSet);
  }

  /** For a marked block: whether the async function that it marks has not begun yet, which is no block besides it. */
  get isUnnamed(): boolean {
    return (this.bits & UNNAMED) !== 0;
  }

  set isUnnamed(isSet: boolean) {
    this.set(UNNAMED, isSet);
  }

  /** Whether its code is over, and it lasts only until its child does, or its promise is settled. */
  get hasReturned(): boolean {
    return (this.bits & RETURNED) !== 0;
  }

  set hasReturned(isSet: boolean) {
    this.set(RETURNED, isSet);
  }

  get isOver(): boolean {
    return (this.bits & OVER) !== 0;
  }

  set isOver(isSet: boolean) {
    this.set(OVER, isSet);
  }

  /**
   * Whether what it gave back when it was awaited is no answer that its caller can go by: nothing, or a thing to work with, such
   * as a connection from a pool, which says little about how it was found.
   */
  get gaveNoAnswer(): boolean {
    return (this.bits & NO_ANSWER) !== 0;
  }

  set gaveNoAnswer(isSet: boolean) {
    this.set(NO_ANSWER, isSet);
  }

  /** Whether it is in the log, and so are those around it; calls in which nothing has happened so far are not. */
  get isLogged(): boolean {
    return (this.bits & LOGGED) !== 0;
  }

  set isLogged(isSet: boolean) {
    this.set(LOGGED, isSet);
  }

  /** Whether it had given up control when something happened in it for the first time, which is where the trace has its begin. */
  get isLate(): boolean {
    return (this.bits & LATE) !== 0;
  }

  set isLate(isSet: boolean) {
    this.set(LATE, isSet);
  }

  /** For a function with continuations: whether it may become a block. */
  get mayBeBlock(): boolean {
    return (this.bits & MAY_BE_BLOCK) !== 0;
  }

  set mayBeBlock(isSet: boolean) {
    this.set(MAY_BE_BLOCK, isSet);
  }

  /** Whether it is the `origin` of another one, which may act upon what this one read. */
  get isOrigin(): boolean {
    return (this.bits & ORIGIN) !== 0;
  }

  set isOrigin(isSet: boolean) {
    this.set(ORIGIN, isSet);
  }

  /** How many callbacks have led to it, each registered in the one before it. */
  get links(): number {
    return this.bits >> LINKS;
  }

  set links(count: number) {
    this.bits = (this.bits & ((1 << LINKS) - 1)) | (Math.min(count, MOST_LINKS) << LINKS);
  }

  /** Whether its span is not over before it is. */
  get isGoing(): boolean {
    return (this.bits & GOING) !== 0;
  }

  set isGoing(isSet: boolean) {
    this.set(GOING, isSet);
  }

  /** The async generator that it has asked for a value and that has not given one yet; runs in its task. */
  get asked(): Activation | null {
    return this.rare === null ? null : this.rare.asked;
  }

  set asked(value: Activation | null) {
    this.rare ??= new RareState();
    this.rare.asked = value;
  }

  /** It waits for an object that is no promise: the task in which the `then` of that is called. */
  get thenable(): Task | null {
    return this.rare === null ? null : this.rare.thenable;
  }

  set thenable(value: Task | null) {
    this.rare ??= new RareState();
    this.rare.thenable = value;
  }

  /** Where it waits for that, or has returned a promise of a library. */
  get awaitsAt(): number {
    return this.rare === null ? 0 : this.rare.awaitsAt;
  }

  set awaitsAt(value: number) {
    this.rare ??= new RareState();
    this.rare.awaitsAt = value;
  }

  /** For a function with continuations: the place in the log that becomes its begin. */
  get beginSlot(): number {
    return this.rare === null ? -1 : this.rare.beginSlot;
  }

  set beginSlot(value: number) {
    this.rare ??= new RareState();
    this.rare.beginSlot = value;
  }

  /** Tasks of callbacks that it has given away in this step, to be forked when that is over. */
  get givenAway(): { task: Task; site: number }[] | null {
    return this.rare === null ? null : this.rare.givenAway;
  }

  set givenAway(value: { task: Task; site: number }[] | null) {
    this.rare ??= new RareState();
    this.rare.givenAway = value;
  }

  /** Forks the callbacks that were registered in it, by whatever means. */
  get background(): Task | null {
    return this.rare === null ? null : this.rare.background;
  }

  set background(value: Task | null) {
    this.rare ??= new RareState();
    this.rare.background = value;
  }

  /** The outermost block of the task that it was in before it became a task of its own. */
  get origin(): Activation | null {
    return this.rare === null ? null : this.rare.origin;
  }

  set origin(value: Activation | null) {
    this.rare ??= new RareState();
    this.rare.origin = value;
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
