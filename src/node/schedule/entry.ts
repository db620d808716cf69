import type { Activation } from '../core/activation.ts';
import type { Point } from './point.ts';
import type { Hold } from './policy.ts';

/** Something that is going to happen in a turn of its own, when its time has come. */
export class Entry {
  /** In milliseconds of the virtual clock. */
  due: number;
  /** By when it was made. */
  readonly number: number;
  /** Where it is among the others; -1 if it is not waiting. */
  place = -1;
  run: () => void;
  /** Who has asked for it. */
  by: Activation | null = null;
  /** Whether what it stands for has really happened: the timer is up, the file has been read. */
  hasCome = false;
  /** When a hold has really been held for long enough, by the clock on the wall; -1 for what is no hold. */
  heldUntil = -1;
  /** The hold that it is under, and since when. */
  hold: Hold | null = null;
  heldSince = 0;
  /** How many entries had run when that began. */
  heldFrom = 0;
  /** Who goes on with it, if that may be held back; null when that has been decided. */
  point: Point | null = null;
  /** Whether nobody knows how long it takes, so that it is not waited for without end. */
  isFile = false;
  /** The timer behind it, which may be cleared without a word to us. */
  timer: { readonly _destroyed?: boolean } | null = null;

  constructor(due: number, number: number, run: () => void) {
    this.due = due;
    this.number = number;
    this.run = run;
  }

  get isHold(): boolean {
    return this.heldUntil >= 0;
  }

  /** Whether it will never come. */
  get isCleared(): boolean {
    return !this.hasCome && this.timer?._destroyed === true;
  }
}
