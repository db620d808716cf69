import { EventBatch } from '../../trace/batch.ts';
import { grownFloat64, grownInt32, grownUint8 } from '../../trace/growable.ts';
import { channelOf, OPERAND_KINDS } from '../../trace/operation.ts';
import type { ViolationSink } from '../analysis.ts';
import { dispatch } from '../dispatch.ts';
import { ConflictTracker } from '../velodrome/tracker.ts';

/**
 * The precise graph of the second phase, built from the events of one component after the other. Edges that
 * close cycles are kept, so that every transaction which completes one is found, not only those that do so in an
 * otherwise serializable trace.
 */
export class PreciseOrder extends ConflictTracker {
  readonly #report: ViolationSink;
  /** The event at hand. */
  readonly #batch = new EventBatch(1);
  /** The running transaction of each thread: its label, the number of its begin, and whether it was reported. */
  #label = new Int32Array(0);
  #begin = new Float64Array(0);
  #isReported = new Uint8Array(0);
  protected override readonly keepsCycles = true;
  /** How often a conflict completed a cycle. */
  completions = 0;

  constructor(report: ViolationSink) {
    super({ merging: true });
    this.#report = report;
  }

  replay(thread: number, op: number, operand: number, event: number): void {
    const batch = this.#batch;
    batch.length = 0;
    batch.firstEvent = event;
    batch.push(thread, op, operand, 0, 0);
    dispatch(batch, this);
  }

  /** Forgets what the event left behind; all transactions of its component have ended. */
  forget(op: number, operand: number): void {
    switch (OPERAND_KINDS[op]) {
      case 'variable':
        this.forgetVariable(operand);
        break;
      case 'lock':
        this.forgetRelease(operand);
        break;
      case 'thread':
        this.forgetFork(operand);
        break;
      case 'barrier':
        this.forgetRound(operand);
        break;
      case 'message':
      case 'condition':
        this.forgetChannel(channelOf(op, operand));
        break;
    }
  }

  /** The log has rounds where the trace has barriers: which arrivals belong together shows only in the trace. */
  override arrive(thread: number, round: number, event: number): void {
    this.arriveIn(round, thread, event);
  }

  override leave(thread: number, round: number, event: number): void {
    this.leaveFrom(round, thread, event);
  }

  override begin(thread: number, label: number, event: number): void {
    super.begin(thread, label, event);
    this.#reserveThread(thread);
    this.#label[thread] = label;
    this.#begin[thread] = event;
    this.#isReported[thread] = 0;
  }

  /** Ends what the thread still has open. */
  endOpen(thread: number): void {
    if (this.isInside(thread)) this.finishThread(thread);
  }

  protected override closesCycle(_source: number, _from: number, node: number, event: number): boolean {
    const thread = this.graph.thread[node];
    this.completions++;
    if (this.#isReported[thread] === 0) {
      this.#isReported[thread] = 1;
      const block = { label: this.#label[thread], begin: this.#begin[thread], depth: 0 };
      this.#report({ kind: 'transaction', event, thread, block });
    }
    return true;
  }

  protected override rest(): void {}

  #reserveThread(thread: number): void {
    if (thread < this.#label.length) return;
    this.#label = grownInt32(this.#label, thread + 1);
    this.#isReported = grownUint8(this.#isReported, thread + 1);
    this.#begin = grownFloat64(this.#begin, thread + 1);
  }
}
