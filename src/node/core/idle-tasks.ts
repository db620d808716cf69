import { ENDED, type Task } from './task.ts';

/*
 * Streams and sockets of Node do much of their work in ticks that do no more than to register others. What such a task orders is nothing: it does
 * nothing itself, and neither do those that it leads to. So it is left out of the trace, with its fork, if that is known when this
 * leaves the log.
 */

/** What is known of a task as long as it has done nothing but to give callbacks away. */
export class Idle {
  /** The task that has given this one away, if nothing else happened in that so far. */
  by: Task | null;
  /** How many it has given away, and how many of those, or of what they have led to, are not over. */
  given = 0;
  pending = 0;

  constructor(by: Task | null) {
    this.by = by;
  }
}

/** A task for a callback that `by` gives away. */
export function beIdle(task: Task, by: Task): void {
  const giver = by.idle;
  task.idle = new Idle(giver === null ? null : by);
  if (giver === null) return;
  giver.given++;
  giver.pending++;
}

/** Something happens in the task, and so those that have led to it matter. */
export function beBusy(task: Task): void {
  let busy: Task | null = task;
  while (busy !== null && busy.idle !== null) {
    const { by }: Idle = busy.idle;
    busy.idle = null;
    busy = by;
  }
}

/** The task is over; and with it may be what has led to it. */
export function noteOver(task: Task): void {
  let over: Task | null = task;
  while (over !== null && over.state === ENDED && over.idle?.pending === 0) {
    const { by }: Idle = over.idle;
    over.idle.by = null;
    if (by !== null && by.idle !== null) by.idle.pending--;
    over = by;
  }
}

/** Whether nothing has happened in the task, nor ever will in what it has led to. */
export function isNothing(task: Task): boolean {
  return task.idle !== null && task.state === ENDED && task.idle.pending === 0 && !task.isJoined;
}
