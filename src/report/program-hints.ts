import type { EventResult } from '../check/result.ts';
import { printable, quoted } from '../trace/printable.ts';
import type { Hinted } from './hints.ts';

/*
 * What to change in a JavaScript program. There is no thread that could come between two statements, only an `await`: so
 * most is put right by not waiting in between.
 */

const NAME = 40;
const PLACE = 60;

/** Null where what is said of any trace is as good. */
export function programWhy({ consequence, interference }: Hinted): string | null {
  if (consequence === undefined || interference === null) return null;
  const variable = quoted(interference.first.operand, NAME);
  const other = quoted(interference.between.thread, NAME);
  switch (consequence) {
    case 'duplicate-work':
      return `Both tasks found ${variable} missing, and both made it: the work was done more than once, and the last one to write decides what stays.`;
    case 'built-upon':
      return `${other} had looked at what the block wrote before it changed it, so that nothing is lost; but the block goes on with a value that is not its own.`;
    case 'looked-again':
      return `The block looked at ${variable} again before it wrote, so that nothing is lost; but what it decided by the first look may no longer hold.`;
  }
}

/** Null where the advice for any trace is as good. */
export function programFix({ pattern, consequence, interference, block }: Hinted): string | null {
  const whole = `Or let ${block === null ? 'such blocks' : `calls of ${quoted(block.label, NAME)}`} run one after the other: behind a mutex, or chained to the promise of the one before.`;
  if (interference === null) {
    return `Look for the await in the middle: what has to happen together should stand before it, or after it. ${whole}`;
  }
  const { first, last } = interference;
  const variable = quoted(first.operand, NAME);
  if (consequence === 'duplicate-work')
    return `Keep the promise of what is being made instead of what it becomes: put there before the first await, it is found by everybody who comes later. Take it out again if it fails.`;
  if (IN_SHARED_MEMORY.test(first.operand)) return sharedMemoryFix(place(first), place(last), pattern);
  switch (pattern) {
    case 'lost-update':
      return `Something is awaited between ${place(first)} and ${place(last)}. Read ${variable} after that, right where it is written, so that no other task can come between. ${whole}`;
    case 'overwritten-before-read':
      return `Something is awaited between ${place(first)} and ${place(last)}. Keep the value in a constant instead of reading it back from ${variable}. ${whole}`;
    case 'unrepeatable-read':
      return `Something is awaited between ${place(first)} and ${place(last)}. Read ${variable} once, or decide anew by what it is after that. ${whole}`;
    case 'overwritten-twice':
    case 'intermediate-value-seen':
      return `Something is awaited between ${place(first)} and ${place(last)}. Write ${variable} once, after that, if nobody should see what it is in between. ${whole}`;
    default:
      return null;
  }
}

/** How variables in memory that threads share are called. */
const IN_SHARED_MEMORY = /^(?:shared |SharedArrayBuffer)/;

function sharedMemoryFix(first: string, last: string, pattern: Hinted['pattern']): string {
  const between = first === last ? `at ${first}` : `between ${first} and ${last}`;
  const steps =
    pattern === 'lost-update'
      ? 'Change it in one step, by Atomics.add or Atomics.compareExchange. Or hold'
      : 'Hold';
  return `Another thread can come in ${between}, though nothing is awaited there. ${steps} a lock for the whole of it that the others hold as well.`;
}

function place({ location, event }: EventResult): string {
  return location === null ? `event ${event}` : printable(location, PLACE);
}
