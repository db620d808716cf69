import { dispatch } from '../../../analyses/dispatch.ts';
import { RegionTrack } from '../../../analyses/regiontrack/regiontrack.ts';
import { accessesConflict } from '../../../explain/pattern.ts';
import type { EventBatch } from '../../../trace/batch.ts';
import { type NameTables, operandTable } from '../../../trace/names.ts';
import { channelOf, isAccess, isReceipt, MNEMONICS, Op } from '../../../trace/operation.ts';
import { LOOKED_BACK, type TraceSink } from '../../core/trace-sink.ts';
import type { StackFrame } from '../stacks.ts';

/** An access of a violation as it is shown while the program runs. */
export interface SeenAccess {
  event: number;
  task: string;
  /** As in STD: `w(balance)`. */
  op: string;
  stack: StackFrame[];
}

/** A block that was violated just now. */
export interface LiveViolation {
  event: number;
  label: string;
  /** The number of the begin of the block, which identifies it. */
  begin: number;
  task: string;
  /** The access at which it was noticed. */
  access: SeenAccess;
  /** The conflicting one of another task before it; null if that was too long ago. */
  other: SeenAccess | null;
}

export type OnViolation = (violation: LiveViolation) => void;

/** So many events are remembered, to find the other access of a violation. */
const REMEMBERED = LOOKED_BACK;

/** Checks the trace while the program runs. */
export class OnlineCheck<By> implements TraceSink<By> {
  readonly #analysis: RegionTrack;
  readonly #names: NameTables;
  readonly #stackOf: (by: By | null, site: number) => StackFrame[];
  /** The latest events; event `n` is at `n % REMEMBERED`. */
  readonly #op = new Uint8Array(REMEMBERED);
  readonly #thread = new Int32Array(REMEMBERED);
  readonly #operand = new Int32Array(REMEMBERED);
  readonly #site = new Int32Array(REMEMBERED);
  readonly #by: (By | null)[] = new Array(REMEMBERED).fill(null);

  /** `stackOf` tells where somebody was at a site. */
  constructor(
    names: NameTables,
    stackOf: (by: By | null, site: number) => StackFrame[],
    onViolation: OnViolation,
  ) {
    this.#names = names;
    this.#stackOf = stackOf;
    this.#analysis = new RegionTrack({
      forkJoin: 'family',
      report: ({ event, thread, block }) => {
        // To wait for an answer is no violation: whether it is more than that is said at the end.
        if (block === null || isReceipt(this.#op[event % REMEMBERED])) return;
        onViolation({
          event,
          label: names.labels.text(block.label),
          begin: block.begin,
          task: names.threads.text(thread),
          access: this.#seen(event),
          other: this.#otherThan(event),
        });
      },
    });
  }

  take(batch: EventBatch, by: readonly (By | null)[], sites: readonly number[]): void {
    for (let i = 0; i < batch.length; i++) {
      const at = (batch.firstEvent + i) % REMEMBERED;
      this.#op[at] = batch.op[i];
      this.#thread[at] = batch.thread[i];
      this.#operand[at] = batch.operand[i];
      this.#site[at] = sites[i];
      this.#by[at] = by[i];
    }
    dispatch(batch, this.#analysis);
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

  #seen(event: number): SeenAccess {
    const at = event % REMEMBERED;
    const op = this.#op[at] as Op;
    return {
      event,
      task: this.#names.threads.text(this.#thread[at]),
      op: `${MNEMONICS[op]}(${operandTable(this.#names, op).text(this.#operand[at])})`,
      stack: this.#stackOf(this.#by[at], this.#site[at]),
    };
  }

  /** The latest access of another task that conflicts with this one. */
  #otherThan(event: number): SeenAccess | null {
    const at = event % REMEMBERED;
    const op = this.#op[at] as Op;
    if (!isAccess(op)) return null;
    for (let other = event - 1; other > 0 && other > event - REMEMBERED; other--) {
      const i = other % REMEMBERED;
      if (this.#operand[i] !== this.#operand[at] || !isAccess(this.#op[i])) continue;
      if (this.#thread[i] !== this.#thread[at] && accessesConflict(this.#op[i] as Op, op))
        return this.#seen(other);
    }
    return null;
  }
}
