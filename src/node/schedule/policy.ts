import type { Activation } from '../runtime/activation.ts';
import type { Task } from '../runtime/task.ts';
import type { Point } from './point.ts';

/** What a hold waits for, besides the end of its time. */
export interface Hold {
  /** At most so many milliseconds of the virtual clock. */
  readonly after: number;
  /** Told how to end it sooner. */
  begun?(end: () => void): void;
  /** It lasted for so many milliseconds. */
  over?(lasted: number): void;
}

/** Decides in which order tasks go on. */
export interface Policy {
  /** Whether this point may be moved at all: asked when the activation begins to wait. */
  mayMove(point: Point): boolean;
  /** The activation waits for a promise that stands for these tasks. */
  noteWait(activation: Activation, tasks: readonly Task[]): void;
  /** Asked when it could go on and has waited over a turn of the event loop. */
  hold(point: Point): Hold | null;
  /**
   * Of those that can go on in the same turn, the one with the smallest rank does; of equals who came first. Null for
   * one that does not wait for others.
   */
  rank(point: Point): number | null;
  /** So many steps of the queue of microtasks it is waited for others that can go on as well. */
  readonly gathered: number;
  /** By how many milliseconds a timer is late. */
  lateness(choice: number, delay: number): number;
  /** How many milliseconds an operation on a file takes. */
  fileTime(choice: number): number;
  /** Called before it is decided what runs next, and before the log is handed over. */
  catchUp(): void;
}
