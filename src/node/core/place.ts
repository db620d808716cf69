import type { StoreEvidence } from '../../trace/evidence.ts';
import type { Op } from '../../trace/operation.ts';
import type { Activation } from './activation.ts';
import type { Task } from './task.ts';
import type { VariableRecord } from './variable.ts';

/** An access that was put where it belongs after others had been logged. */
export interface PlacedAccess {
  readonly op: Op;
  task: Task;
  readonly by: Activation;
  readonly variable: VariableRecord;
  readonly site: number;
  readonly flags: number;
  readonly evidence: StoreEvidence | null;
  /** By which `Looks` knows it, if the program may never look at it. */
  look?: number;
}

/**
 * A place in the log that is kept for what turns out later to have happened there: a database tells what a statement has seen when
 * it answers, but what that was is what was true some time before.
 */
export class Place {
  readonly entry: number;
  readonly segment: number;
  accesses: PlacedAccess[] = [];
  /** Whether it has been handed over, and nothing can be put there any more. */
  isGone = false;

  constructor(entry: number, segment: number) {
    this.entry = entry;
    this.segment = segment;
  }

  /** It is handed over. */
  leave(): void {
    this.isGone = true;
  }
}
