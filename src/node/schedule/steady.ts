import type { Policy } from './policy.ts';

/** Milliseconds that an operation on a file takes. */
const FILE_TIME = 1;

/** Nothing is held and nothing is late: the order that the program asks for, the same in each run. */
export class SteadyPolicy implements Policy {
  hold(): null {
    return null;
  }

  lateness(): number {
    return 0;
  }

  fileTime(): number {
    return FILE_TIME;
  }

  begin(): void {}

  noteWait(): void {}

  noteBlocked(): void {}

  catchUp(): void {}
}
