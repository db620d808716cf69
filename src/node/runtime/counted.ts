import { type Activation, CALLBACK, isCalledBy, outermost } from './activation.ts';
import type { VariableRecord } from './variable.ts';

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

/** So far up is looked for who has counted for a block. */
const MOST_STARTERS = 8;

/** The activation adds so much. Whether it so gives back what was counted by its block or for it; that is then settled. */
export function isGivenBack(
  activation: Activation,
  variable: VariableRecord,
  by: number,
  segment: number,
): boolean {
  const block = outermost(activation);
  const last = block.counted?.at(-1);
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
  if (givesBack(block, variable, by)) return true;
  block.counted ??= [];
  if (block.counted.length === MOST) block.counted.shift();
  block.counted.push({ activation, variable, by, segment, count: 1, left: 1 });
  return false;
}

export function noteStarted(block: Activation, site: number, segment: number): void {
  // Where nothing was counted there is nothing to be given back.
  if (block.counted === null) return;
  block.started ??= [];
  const known = block.started.find((started) => started.site === site && started.segment === segment);
  if (known !== undefined) {
    known.count++;
    return;
  }
  if (block.started.length === MOST) block.started.shift();
  block.started.push({ site, segment, count: 1 });
}

function givesBack(block: Activation, variable: VariableRecord, by: number): boolean {
  const isOpposite = (counted: Counted) => counted.variable === variable && counted.by === -by;
  let { caller } = block;
  for (let i = 0; caller !== null && i < MOST_STARTERS; i++, caller = caller.caller) {
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
  const own = block.counted?.filter(({ activation }) => isCalledBy(activation, child)) ?? [];
  if (own.length === 0 || block.counted === null) return;
  child.counted = own;
  block.counted = block.counted.filter((counted) => !own.includes(counted));
}

/** Whether the starter has counted as often as it has called the function, where it called this block. */
function isCountedFor({ site, startedIn }: Activation, { started }: Activation, counted: Counted): boolean {
  if (counted.segment !== startedIn) return false;
  const calls = started?.find((other) => other.site === site && other.segment === startedIn);
  return calls !== undefined && calls.count <= counted.count;
}

function takeBack(block: Activation, isMeant: (counted: Counted) => boolean): boolean {
  const at = block.counted?.findLastIndex(isMeant) ?? -1;
  if (block.counted === null || at < 0) return false;
  if (--block.counted[at].left === 0) block.counted.splice(at, 1);
  return true;
}
