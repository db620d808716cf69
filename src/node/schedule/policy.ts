import type { Activation } from '../core/activation.ts';
import type { Task } from '../core/task.ts';
import type { VariableRecord } from '../core/variable.ts';
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
  /** The activation waits for a promise that stands for these tasks. */
  noteWait(activation: Activation, tasks: readonly Task[]): void;
  /** It waits for somebody to wake it, because of these variables. */
  noteBlocked(activation: Activation, variables: readonly VariableRecord[]): void;
  /** Asked when it could go on, at the begin of a turn of the event loop. At most for so many milliseconds. */
  hold(point: Point, most: number): Hold | null;
  /** By how many milliseconds a timer is late. */
  lateness(choice: number, delay: number): number;
  /** How many milliseconds an operation on a file takes. */
  fileTime(choice: number): number;
  /** A part of the program begins for which nothing counts that was held before. */
  begin(): void;
  /** Called before it is decided what runs next, and before the log is handed over. */
  catchUp(): void;
}
