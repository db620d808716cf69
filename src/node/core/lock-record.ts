import type { Task } from './task.ts';

/** A lock of the program. */
export class LockRecord {
  readonly name: string;
  /** Its id in the trace; -1 until an event of it has left the log. */
  id = -1;
  holder: Task | null = null;
  /** How often the holder has acquired it again. */
  depth = 0;
  /** Counts how often it was acquired, so that whoever releases it late releases nobody else's. */
  acquisition = 0;

  /** Whether it is a lock of all isolates, and not one of this. */
  readonly isGlobal: boolean;

  constructor(name: string, isGlobal = false) {
    this.name = name;
    this.isGlobal = isGlobal;
  }
}

/** From now on the task holds the lock, and releases it at its end at the latest. */
export function holdLock(lock: LockRecord, task: Task): void {
  lock.holder = task;
  task.locks ??= [];
  if (!task.locks.includes(lock)) task.locks.push(lock);
}
