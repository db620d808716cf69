import type { Task } from './task.ts';

/** A lock of the program. */
export class LockRecord {
  name: string;
  /** Its id in the trace; -1 until an event of it has left the log. */
  id = -1;
  holder: Task | null = null;
  /** How often the holder has acquired it again. */
  depth = 0;

  constructor(name: string) {
    this.name = name;
  }
}
