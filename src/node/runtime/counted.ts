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
}

/** How often a block has called a function in a segment that may become a task of its own. */
export interface Started {
  site: number;
  segment: number;
  count: number;
}

/** So many of each are known of a block, the last ones. */
const MOST = 8;

/** What a block has added to numbers, and what it has called since. */
interface CountedState {
  counted: Counted[];
  started: readonly Started[];
}

const NONE: readonly Started[] = [];

const counts = new Decoration<Activation, CountedState>('activation', () => ({ counted: [], started: NONE }));

/** The activation adds so much. Whether it so gives back what was counted by its block or for it; that is then settled. */
export function isGivenBack(
  activation: Activation,
  variable: VariableRecord,
  by: number,
  segment: number,
): boolean {
  const block = outermost(activation);
  const last = counts.of(block)?.counted.at(-1);
  if (
    last?.variable === variable &&
    last.by === by &&
    last.segment === segment &&
    last.activation === activation
  ) {
    last.count++;
    last.left++;
    return false;
  }
  // Mostly nobody has ever done the opposite, and nobody has to look for it.
  if ((variable.counted & directionOf(-by)) !== 0 && givesBack(block, variable, by)) return true;
  variable.counted |= directionOf(by);
  isAnythingCounted = true;
  const state = counts.in(block);
  const added: Counted = { activation, variable, by, segment, count: 1, left: 1 };
  state.counted = withLast(state.counted, added);
  return false;
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
  const { started } = state;
  const known = started.find((call) => call.site === site && call.segment === segment);
  if (known !== undefined) {
    known.count++;
    return;
  }
  state.started = withLast(started, { site, segment, count: 1 });
}

/** One more, and the last ones before it; without spare room, as there are mostly one or two, for every block. */
function withLast<T>(known: readonly T[], added: T): T[] {
  return [...(known.length < MOST ? known : known.slice(1 - MOST)), added];
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
  const own = state?.counted.filter(({ activation }) => isCalledBy(activation, child)) ?? [];
  if (state === null || own.length === 0) return;
  counts.in(child).counted = own;
  state.counted = state.counted.filter((counted) => !own.includes(counted));
}

/** Whether the starter has counted as often as it has called the function, where it called this block. */
function isCountedFor({ site, startedIn }: Activation, starter: Activation, counted: Counted): boolean {
  if (counted.segment !== startedIn) return false;
  const calls = counts
    .of(starter)
    ?.started.find((other) => other.site === site && other.segment === startedIn);
  return calls !== undefined && calls.count <= counted.count;
}

function takeBack(block: Activation, isMeant: (counted: Counted) => boolean): boolean {
  const counted = counts.of(block)?.counted ?? [];
  const at = counted.findLastIndex(isMeant);
  if (at < 0) return false;
  if (--counted[at].left === 0) counted.splice(at, 1);
  return true;
}
