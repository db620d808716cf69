import type { Severity } from '../../check/result.ts';
import type { Frame } from './frames.ts';
import type { WorkerOptions } from './options.ts';
import type { TestPlace } from './runner-command.ts';

/** What the process that runs tests asks the one that explains (`check-process.ts`), as JSON. */
export interface CheckRequest {
  options: WorkerOptions;
  /** The trace so far; it is still being written. */
  spool: string;
  /** The begins of the blocks that are known to be violated and have not been told yet. */
  begins: readonly number[];
  /** Up to this event, what no cycle shows has been looked at, but for what belongs to other tests. */
  from: number;
  /** The begins of the blocks in which something of that kind was looked at after that event. */
  seen: readonly number[];
  /** The kind of thread that the test which is over had for itself; null to tell whatever is left. */
  test: string | null;
  /** Those of the other tests. */
  others: readonly string[];
  /** Where the runner finds that test, if that is known. */
  place: TestPlace | null;
}

export interface CheckAnswer {
  /** For people: what was found; empty if there is nothing to tell. */
  text: string;
  worst: Severity | null;
  /** Where the worst of it happened. */
  frames: readonly Frame[];
  /** The begins of blocks that belong to other tests, and are to be told there. */
  left: readonly number[];
  /** The begins of blocks that were looked at though no cycle shows anything. */
  seen: readonly number[];
}
