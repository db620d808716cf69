import { type Activation, CALLBACK } from '../core/activation.ts';
import { isCalledBy, MOST_ANCESTORS, outermost } from '../core/ancestry.ts';
import { Decoration } from '../core/decoration.ts';
import type { VariableRecord } from '../core/variable.ts';

/*
 * Places that are taken and given back: `active++`, and `active--` when it is done. Whoever gives back what it has
 * taken does not act upon anything that it may have read in between. So it is with what was taken for a task where it was
 * started: `active++; run(job)`, and `run` gives it back. But `stock++; buy(); buy()` has nothing for the second one.
 */

/** What an activation has added to a number in a segment. */
export interface Counted {
  activation: Activation;
  variable: VariableRecord;
  by: number;
  segment: number;
  /** How often it did, and how often that was not given back. */
  count: number;
  left: number;
  /** Whether it is no longer known to its block. */
  isGone: boolean;
  /** The one before it. */
  next: Counted | null;
}

/** How often a block has called a function in a segment that may become a task of its own. */
export interface Started {
  site: number;
  segment: number;
  count: number;
  /** The one before it. */
  next: Started | null;
}

/** So many of each are known of a block, the last ones. */
const MOST = 8;

/** What a block has added to numbers, and what it has called since: the latest first, as lists, of which each has mostly one. */
interface CountedState {
  counted: Counted | null;
  started: Started | null;
}

const counts = new Decoration<Activation, CountedState>('activation', () => ({
  counted: null,
  started: null,
}));

/** The activation adds so much. Whether it so gives back what was counted by its block or for it; that is then settled. */
export function isGivenBack(
  activation: Activation,
  variable: VariableRecord,
  by: number,
  segment: number,
): boolean {
  const known = countedBy(activation, variable, by, segment);
  if (known !== null) {
    known.count++;
    known.left++;
    return false;
  }
  const block = outermost(activation);
  // Mostly nobody has ever done the opposite, and nobody has to look for it.
  if ((variable.counted & directionOf(-by)) !== 0 && givesBack(block, variable, by)) return true;
  variable.counted |= directionOf(by);
  isAnythingCounted = true;
  const state = counts.in(block);
  state.counted = {
    activation,
    variable,
    by,
    segment,
    count: 1,
    left: 1,
    isGone: false,
    next: state.counted,
  };
  cut(state.counted);
  return false;
}

/** What is known of such additions. */
export function countedBy(
  activation: Activation,
  variable: VariableRecord,
  by: number,
  segment: number,
): Counted | null {
  let counted = counts.of(outermost(activation))?.counted ?? null;
  for (; counted !== null; counted = counted.next)
    if (
      counted.variable === variable &&
      counted.by === by &&
      counted.segment === segment &&
      counted.activation === activation
    )
      return counted;
  return null;
}

function directionOf(by: number): number {
  return by > 0 ? 1 : by < 0 ? 2 : 3;
}

/** Whether any block has counted anything so far. */
let isAnythingCounted = false;

/** A block, or a call in it, calls a function. */
export function noteStarted(caller: Activation, site: number, segment: number): void {
  // Where nothing was counted there is nothing to be given back.
  const state = isAnythingCounted ? counts.of(outermost(caller)) : null;
  if (state === null) return;
  const known = callsIn(state, site, segment);
  if (known !== null) {
    known.count++;
    return;
  }
  state.started = { site, segment, count: 1, next: state.started };
  cut(state.started);
}

function callsIn({ started }: CountedState, site: number, segment: number): Started | null {
  for (let call = started; call !== null; call = call.next)
    if (call.site === site && call.segment === segment) return call;
  return null;
}

/** Forgets all but the last ones. */
function cut<T extends { next: T | null; isGone?: boolean }>(latest: T): void {
  let last: T = latest;
  for (let i = 1; last.next !== null; i++, last = last.next) {
    if (i < MOST) continue;
    last.next.isGone = true;
    last.next = null;
    return;
  }
}

function givesBack(block: Activation, variable: VariableRecord, by: number): boolean {
  const isOpposite = (counted: Counted) => counted.variable === variable && counted.by === -by;
  let { caller } = block;
  for (let i = 0; caller !== null && i < MOST_ANCESTORS; i++, caller = caller.caller) {
    const starter = outermost(caller);
    const isForIt = (counted: Counted) =>
      // When a callback was registered is not known, and who did that may have become a task of its own since it counted.
      block.kind === CALLBACK ? i < 2 && starter.isBlock : isCountedFor(block, starter, counted);
    if (takeBack(starter, (counted) => isOpposite(counted) && isForIt(counted))) return true;
  }
  return takeBack(block, isOpposite);
}

/** A call was not part of the block, but is one of its own. */
export function moveCounted(block: Activation, child: Activation): void {
  const state = counts.of(block);
  if (state === null || state.counted === null) return;
  let own: Counted | null = null;
  let others: Counted | null = null;
  for (const counted of oldestFirst(state.counted)) {
    counted.isGone = true;
    if (isCalledBy(counted.activation, child)) own = { ...counted, isGone: false, next: own };
    else others = { ...counted, isGone: false, next: others };
  }
  if (own === null) return;
  counts.in(child).counted = own;
  state.counted = others;
}

function oldestFirst(latest: Counted | null): Counted[] {
  const all: Counted[] = [];
  for (let counted = latest; counted !== null; counted = counted.next) all.push(counted);
  return all.reverse();
}

/** Whether the starter has counted as often as it has called the function, where it called this block. */
function isCountedFor({ site, startedIn }: Activation, starter: Activation, counted: Counted): boolean {
  if (counted.segment !== startedIn) return false;
  const state = counts.of(starter);
  const calls = state === null ? null : callsIn(state, site, startedIn);
  return calls !== null && calls.count <= counted.count;
}

function takeBack(block: Activation, isMeant: (counted: Counted) => boolean): boolean {
  const state = counts.of(block);
  let later: Counted | null = null;
  for (let counted = state?.counted ?? null; counted !== null; later = counted, counted = counted.next) {
    if (!isMeant(counted)) continue;
    if (--counted.left > 0) return true;
    counted.isGone = true;
    if (later !== null) later.next = counted.next;
    else if (state !== null) state.counted = counted.next;
    return true;
  }
  return false;
}
