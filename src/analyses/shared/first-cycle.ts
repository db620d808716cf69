import type { EventBatch } from '../../trace/batch.ts';
import type { Analysis, AnalysisContext, Outcome } from '../analysis.ts';
import { AccessGroups } from './access-groups.ts';
import { BarrierTable } from './barrier-table.ts';
import { Cells } from './cells.ts';
import { ChannelTable } from './channel-table.ts';
import { LateBlocks } from './late-blocks.ts';
import { LockTable } from './lock-table.ts';
import { type Cycle, type Precision, TransactionOrder } from './transaction-order.ts';

/** Looks for the first cycle of a trace, reports it, and looks at nothing after it. */
export class FirstCycle implements Analysis {
  readonly #cells = new Cells();
  readonly #blocks: LateBlocks;
  readonly #order: TransactionOrder;
  readonly #accesses: AccessGroups;
  readonly #locks: LockTable;
  readonly #barriers: BarrierTable;
  readonly #channels: ChannelTable;
  #firstEvent: number | null = null;

  constructor(precision: Precision, { report }: AnalysisContext) {
    const onCycle = ({ event, thread, block }: Cycle) => {
      this.#firstEvent = event;
      report({ kind: 'trace', event, thread, block });
    };
    const begin = (thread: number, label: number, time: number, event: number) =>
      this.#order.beginLate(thread, label, time, event);
    this.#blocks = new LateBlocks(this.#cells, begin);
    this.#blocks.setTicks(1, 0);
    this.#order = new TransactionOrder(precision, onCycle, this.#blocks, this.#cells);
    this.#accesses = new AccessGroups(this.#order, this.#cells);
    this.#locks = new LockTable(this.#order, this.#cells);
    this.#barriers = new BarrierTable(this.#order);
    this.#channels = new ChannelTable(this.#order);
  }

  foresee(batch: EventBatch, from: number, to: number): void {
    if (!this.#order.hasCycle) this.#accesses.foresee(batch, from, to);
  }

  takeIn(batch: EventBatch): boolean {
    return this.#order.hasCycle || this.#cells.takeIn(batch);
  }

  skim(from: number): number {
    return this.#order.hasCycle ? Number.POSITIVE_INFINITY : this.#cells.skim(from);
  }

  read(thread: number, variable: number, event: number): void {
    if (!this.#order.hasCycle) this.#accesses.read(thread, variable, event);
  }

  write(thread: number, variable: number, event: number): void {
    if (!this.#order.hasCycle) this.#accesses.write(thread, variable, event);
  }

  forgetVariable(variable: number): void {
    this.#accesses.forget(variable);
  }

  update(thread: number, variable: number, event: number): void {
    if (!this.#order.hasCycle) this.#accesses.update(thread, variable, event);
  }

  acquire(thread: number, lock: number, event: number): void {
    if (!this.#order.hasCycle) this.#locks.acquire(thread, lock, event);
  }

  release(thread: number, lock: number, event: number): void {
    if (!this.#order.hasCycle) this.#locks.release(thread, lock, event);
  }

  fork(thread: number, child: number, event: number): void {
    if (!this.#order.hasCycle) this.#order.fork(thread, child, event);
  }

  join(thread: number, child: number, event: number): void {
    if (this.#order.hasCycle) return;
    this.#blocks.catchUp(child);
    this.#order.join(thread, child, event);
    this.#blocks.leaveAll(child);
  }

  arrive(thread: number, barrier: number, event: number): void {
    if (!this.#order.hasCycle) this.#barriers.arrive(thread, barrier, event);
  }

  leave(thread: number, barrier: number, event: number): void {
    if (!this.#order.hasCycle) this.#barriers.leave(thread, barrier, event);
  }

  send(thread: number, channel: number, event: number): void {
    if (!this.#order.hasCycle) this.#channels.send(thread, channel, event);
  }

  receive(thread: number, channel: number, event: number): void {
    if (!this.#order.hasCycle) this.#channels.receive(thread, channel, event);
  }

  begin(thread: number, label: number, event: number): void {
    if (this.#order.hasCycle) return;
    this.#blocks.catchUp(thread);
    this.#blocks.enter(thread, this.#order.now(thread, event));
    this.#order.begin(thread, label, event);
  }

  end(thread: number, _label: number, event: number): void {
    if (this.#order.hasCycle) return;
    this.#blocks.catchUp(thread);
    this.#blocks.leave(thread);
    this.#order.end(thread, event);
  }

  finish(lastEvent: number): void {
    if (this.#order.hasCycle) return;
    this.#blocks.catchUpAll();
    this.#order.finish(lastEvent);
  }

  outcome(): Outcome {
    return {
      serializable: this.#firstEvent === null,
      firstEvent: this.#firstEvent,
      statistics: { ...this.#order.statistics(), membersAtMost: this.#accesses.membersAtMost },
    };
  }
}
