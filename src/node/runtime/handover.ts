import { types } from 'node:util';
import { Op } from '../../trace/operation.ts';
import type { Activation } from '../core/activation.ts';
import { isCalledBy, outermost } from '../core/ancestry.ts';
import { Decoration } from '../core/decoration.ts';
import type { ObjectRecord } from '../core/object-record.ts';
import { Stretch } from '../core/stretch.ts';
import type { Task } from '../core/task.ts';
import { VariableRecord } from '../core/variable.ts';
import { asItIs, isAs, isFoundFor, isReadBy, type Seen, settle } from './staleness.ts';
import { recordOf } from './stamp.ts';
import type { Tasks } from './tasks.ts';

/*
 * Locks, semaphores and queues made by hand: `await new Promise((resolve) => waiting.push(resolve))`, and whoever leaves
 * calls `waiting.shift()()`. That orders nothing, as promises do not (SEMANTICS). But whoever is woken so goes on
 * with what was left to it: a place that stays counted, a flag that was set in its name. What it had looked at to find
 * that it has to wait is no reason any more for what it does later, as far as that still holds.
 */

/** A promise whose `resolve` the program keeps. */
export class Handover {
  /** What was running when the promise was made, and the segment. */
  readonly maker: Activation | null;
  readonly madeIn: number;
  isSettled = false;
  /** The segment in which another task has called `resolve`; -1 if it was something else. */
  wokenIn = -1;
  /** The task that has called `resolve` if its maker has started that, such as a timer: whoever waits joins it. */
  started: Task | null = null;
  /** What that task had looked at in that segment, and not changed. */
  found: readonly Seen[] = [];
  /** What it had changed in that segment, such as a count of places. */
  changed: readonly Seen[] = [];
  /** The activation that has settled it with a value: whoever waits for that has had it read by this one, unless it has started it. */
  server: Activation | null = null;
  /** It is known that the server reads for others: it loads what they have asked for. */
  isBatch = false;

  constructor(maker: Activation | null, madeIn: number) {
    this.maker = maker;
    this.madeIn = madeIn;
  }
}

/** An activation waits for a promise that somebody has to settle. */
export interface Wait {
  handover: Handover;
  /** Where. */
  site: number;
  /** What led to it. */
  seen: readonly Seen[];
}

/** A block was woken by another task. */
export interface Wake {
  /** What made the promise. */
  maker: Activation | null;
  /** The segment of who woke it. */
  segment: number;
  /** Where it had waited. */
  site: number;
}

/** So far back is looked for what led to a wait. */
const LOOKED_BACK = 256;

/** So often a block may have been woken and still be known to have been. */
const MOST_WAKES = 16;

/** What an activation has to do with promises that somebody has to settle. */
interface HandoverState {
  /** What it is waiting for. */
  wait: Wait | null;
  /** For a block that has waited so: how it was woken; the latest last. */
  wakes: Wake[];
  /** It has returned such a promise, and lasts until that is settled. */
  returns: Handover | null;
  /** It waits for several of them at once. */
  partWaits: PartWaits | null;
}

interface PartWaits {
  parts: readonly Handover[];
  site: number;
}

const handovers = new Decoration<Activation, HandoverState>('activation', () => ({
  wait: null,
  wakes: [],
  returns: null,
  partWaits: null,
}));

/** Of a promise: who settles it. */
const settlers = new Decoration<ObjectRecord, Settlers>('object', () => ({ handover: null, parts: null }));

interface Settlers {
  handover: Handover | null;
  /** Of what `Promise.all` and its like have made: who settles the parts. */
  parts: readonly Handover[] | null;
}

type Resolve = (value: unknown) => void;

/** The `resolve` of a promise, which also notes who calls it. */
export function noting(tasks: Tasks, handover: Handover, resolve: Resolve): Resolve {
  return (value) => {
    if (!handover.isSettled) {
      handover.isSettled = true;
      const waker = tasks.current;
      const isKnown = waker !== null && !types.isPromise(value);
      // What a task has started itself, such as a timer, leaves nothing to it.
      if (isKnown && value !== undefined) handover.server = waker;
      if (isKnown && isCalledBy(waker, handover.maker)) handover.started = waker.task;
      else if (isKnown) noteWaker(tasks, handover, waker);
    }
    resolve(value);
  };
}

function noteWaker(tasks: Tasks, handover: Handover, waker: Activation): void {
  handover.wokenIn = tasks.segment;
  handover.found = seenBy(tasks, waker).filter(({ variable }) => !isChangedIn(variable, tasks.segment));
  handover.changed = accessedBy(tasks, waker, (op) => op !== Op.read).map(asItIs);
}

/** A callback is given to somebody who may keep it: what led to that. */
export function waitInCallback(tasks: Tasks, block: Activation, by: Activation, site: number): Wait {
  return { handover: new Handover(block, tasks.segment), site, seen: seenBy(tasks, by) };
}

/** It is called by another task, which has kept it. */
export function wakeInCallback(tasks: Tasks, block: Activation, wait: Wait, waker: Activation): void {
  noteWaker(tasks, wait.handover, waker);
  noteWake(block, wait);
}

export function setHandover(promise: object, handover: Handover): void {
  settlers.in(recordOf(promise)).handover = handover;
}

/** The promise is made of others, each for somebody to settle. */
export function setParts(promise: object, parts: readonly Handover[]): void {
  if (parts.length > 0) settlers.in(recordOf(promise)).parts = parts;
}

/** Who settles some promises, or what they are made of. */
export function handoversOf(promises: readonly ObjectRecord[]): Handover[] {
  const parts: Handover[] = [];
  for (const promise of promises) {
    const known = settlers.of(promise);
    if (known?.handover) parts.push(known.handover);
    else if (known?.parts) parts.push(...known.parts);
  }
  return parts;
}

export function handoverOf(promise: ObjectRecord): Handover | null {
  return settlers.of(promise)?.handover ?? null;
}

/** The activation has returned a promise that is for somebody to settle. */
export function setReturned(activation: Activation, handover: Handover): void {
  handovers.in(activation).returns = handover;
  activation.lastsUntilAwaited = true;
}

export function hasReturnedHandover(activation: Activation): boolean {
  return returnedBy(activation) !== null;
}

function returnedBy(activation: Activation): Handover | null {
  return handovers.of(activation)?.returns ?? null;
}

/** The activation is going to wait for a promise, if it is one; that may be for somebody to settle. */
export function noteWait(
  tasks: Tasks,
  activation: Activation,
  promise: ObjectRecord | undefined,
  site: number,
): void {
  const { child } = activation;
  const handover = (promise && handoverOf(promise)) ?? (child && returnedBy(child));
  if (handover === null || handover.isSettled) {
    const parts = promise === undefined ? null : unsettledParts(promise);
    if (parts !== null) handovers.in(activation).partWaits = { parts, site };
    const state = handovers.of(activation);
    if (state !== null) state.wait = null;
    return;
  }
  const { maker, madeIn } = handover;
  const seen = maker !== null && madeIn === tasks.segment ? seenBy(tasks, maker) : [];
  handovers.in(activation).wait = { handover, site, seen };
}

function unsettledParts(promise: ObjectRecord): readonly Handover[] | null {
  const unsettled = settlers.of(promise)?.parts?.filter(({ isSettled }) => !isSettled) ?? null;
  return unsettled === null || unsettled.length === 0 ? null : unsettled;
}

export function waitOf(activation: Activation): Wait | null {
  return handovers.of(activation)?.wait ?? null;
}

/** What the activation has waited for, which it does no longer. */
export function takeWait(activation: Activation): Wait | null {
  const state = handovers.of(activation);
  if (state === null) return null;
  const { wait } = state;
  state.wait = null;
  return wait;
}

/** Who has answered the parts of what the activation has waited for. */
export function takePartWaits(activation: Activation): PartWaits | null {
  const state = handovers.of(activation);
  if (state === null) return null;
  const { partWaits } = state;
  state.partWaits = null;
  return partWaits;
}

/** What an activation has read in this segment. */
function seenBy(tasks: Tasks, activation: Activation): Seen[] {
  return accessedBy(tasks, activation, (op) => op === Op.read).map(asItIs);
}

function accessedBy(
  tasks: Tasks,
  activation: Activation,
  isMeant: (op: number) => boolean,
): VariableRecord[] {
  tasks.logPutOff();
  const { log, segmentStart } = tasks;
  const accessed: VariableRecord[] = [];
  const from = Math.max(segmentStart, activation.slot, log.next - LOOKED_BACK);
  tasks.makeReads(from, activation);
  log.forEachFrom(from, (chunk, i) => {
    const variable = chunk.subject[i];
    if (variable instanceof Stretch && variable.by === activation)
      for (const access of variable.accesses) if (isMeant(access.op)) accessed.push(access.variable);
    if (chunk.by[i] === activation && variable instanceof VariableRecord && isMeant(chunk.op[i]))
      accessed.push(variable);
  });
  return accessed;
}

function isChangedIn(variable: VariableRecord, segment: number): boolean {
  return variable.changedIn === segment;
}

/** The activation goes on. */
export function noteWake(activation: Activation, { handover, site, seen }: Wait): void {
  const { maker, wokenIn, found, changed } = handover;
  const block = outermost(activation);
  if (wokenIn < 0 || !block.isBlock) return;
  for (const before of seen) {
    const { variable } = before;
    // It was given back for the block, and somebody else has taken it since.
    if (isAs(before) && changed.some((left) => left.variable === variable && !isAs(left))) continue;
    if (isAs(before) || found.some((later) => later.variable === variable && isAs(later)))
      settle(variable, block);
  }
  // What a callback of the maker found, such as that there was no place yet, is as it was then.
  for (const left of [...found, ...changed])
    if (isAs(left) && isFoundFor(left.variable, block, maker)) settle(left.variable, block);
  const { wakes } = handovers.in(block);
  if (wakes.length === MOST_WAKES) wakes.shift();
  wakes.push({ maker, segment: wokenIn, site });
}

/**
 * The wake-up by which a variable was left to the block as it is, if nobody has changed it since: a flag that was set
 * for the block, which it takes back; or something that the block has only looked at in a call that waited and told nothing.
 */
export function leftTo(block: Activation, variable: VariableRecord, isSet: () => boolean): Wake | null {
  for (const wake of handovers.of(block)?.wakes ?? []) {
    if (!isChangedIn(variable, wake.segment)) continue;
    const { maker } = wake;
    if ((maker?.isOver && maker.gaveNoAnswer && isReadBy(variable, block, maker)) || isSet()) return wake;
  }
  return null;
}
