import type { Op } from '../../trace/operation.ts';

export type AccessLetter = 'r' | 'w' | 'u';

/** A call that was going on, within a watched block. */
export interface Activation {
  begin: number;
  /** Where its function begins. */
  location: string | null;
  /** The one that it was called in, or that has started its task. */
  outer: Activation | null;
}

/** One access to a variable, as the judgement sees it. */
export interface Access {
  event: number;
  thread: number;
  op: Op;
  letter: AccessLetter;
  location: string | null;
  /** `EventFlag`. */
  flags: number;
  /** Accesses with the same number were made by one thread while no other did anything. */
  run: number;
  /** The begin of the innermost block around it; 0 if there is none. */
  activation: number;
  /** The begin of the block in which its task was started; 0 if there is none. */
  startedIn: number;
  /** The innermost call around it, for what is part of a watched block. */
  within: Activation | null;
  /** Whether nobody else had done anything since that began. */
  isFirst: boolean;
  /** Whether another task has read it for the block that it is told of. */
  isServed?: true;
  /** The request to another process that it was made for, by its fork. */
  call?: number;
  /** For an access that another process has made for the block, as if the block had made it where it asked: that access. */
  original?: Access;
  /** The begin of the innermost block around it that is not meant to be atomic; 0 if there is none. */
  excludedIn: number;
  /** The locks that its task held, or the one that has started it there. */
  locks: readonly number[];
  /** The begins of the violated blocks that it is part of. */
  families: readonly number[];
  /** For a change: the threads whose writes its thread had read in this run, each with the last of those writes. */
  seen: ReadonlyMap<number, number>;
  /** For a change of what is in the variable, such as an element of the list that it holds: the variable that was changed. */
  inside: number | null;
  /** Whether it makes a list longer or shorter. */
  ofLength?: true;
  /** Whether it looks through all that is in a list: its size was read right there. */
  isOfAll?: true;
  /** Where its task has read elements of arrays in the same run before it, for what moves elements. */
  scannedAt?: ReadonlySet<string | null>;
}

export function isChange({ letter }: Access): boolean {
  return letter !== 'r';
}
