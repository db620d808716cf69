import { dispatch } from '../../../analyses/dispatch.ts';
import { RegionTrack } from '../../../analyses/regiontrack/regiontrack.ts';
import type { EventBatch } from '../../../trace/batch.ts';
import type { NameTables } from '../../../trace/names.ts';
import { channelOf, isReceipt, Op } from '../../../trace/operation.ts';
import type { TraceSink } from '../../core/trace-sink.ts';

/** A block that was violated just now. */
export interface LiveViolation {
  event: number;
  label: string;
  /** The number of the begin of the block, which identifies it. */
  begin: number;
  task: string;
}

export type OnViolation = (violation: LiveViolation) => void;

/** Checks the trace while the program runs. */
export class OnlineCheck implements TraceSink {
  readonly #analysis: RegionTrack;
  /** What is being checked. */
  #batch: EventBatch | null = null;

  constructor(names: NameTables, onViolation: OnViolation) {
    this.#analysis = new RegionTrack({
      forkJoin: 'family',
      report: ({ event, thread, block }) => {
        // To wait for an answer is no violation: whether it is more than that is said at the end.
        if (block === null || this.#isReceipt(event)) return;
        const { label, begin } = block;
        onViolation({ event, label: names.labels.text(label), begin, task: names.threads.text(thread) });
      },
    });
  }

  take(batch: EventBatch): void {
    this.#batch = batch;
    dispatch(batch, this.#analysis);
  }

  #isReceipt(event: number): boolean {
    const batch = this.#batch;
    return batch !== null && isReceipt(batch.op[event - batch.firstEvent]);
  }

  needsThread(thread: number): boolean {
    return this.#analysis.needsThread(thread);
  }

  forgetThreads(threads: readonly number[]): void {
    this.#analysis.forgetThreads(threads);
  }

  needsVariable(variable: number): boolean {
    return this.#analysis.needsVariable(variable);
  }

  forgetVariable(variable: number): void {
    this.#analysis.forgetVariable(variable);
  }

  forgetMessages(messages: readonly number[]): void {
    for (const message of messages) this.#analysis.forgetChannel(channelOf(Op.send, message));
  }

  finish(lastEvent: number): void {
    this.#analysis.finish(lastEvent);
  }
}
