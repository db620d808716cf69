import type { EventBatch } from '../../trace/batch.ts';
import { channelOf, Op } from '../../trace/operation.ts';
import type { Analysis, AnalysisContext, Outcome, ViolationSink } from '../analysis.ts';
import { AccessGroups } from '../shared/access-groups.ts';
import { BarrierTable } from '../shared/barrier-table.ts';
import { BY_VERSIONS, Cells, LEARNT_BY } from '../shared/cells.ts';
import { ChannelTable } from '../shared/channel-table.ts';
import type { ConflictOrder, Together } from '../shared/conflict-order.ts';
import { JoinedConflicts } from '../shared/joined-conflicts.ts';
import { LateBlocks } from '../shared/late-blocks.ts';
import { LockTable } from '../shared/lock-table.ts';
import { type Cycle, TransactionOrder } from '../shared/transaction-order.ts';
import { Families } from './families.ts';
import { HappensBefore } from './happens-before.ts';
import { KnownTogether } from './known-together.ts';
import { LocalTimes } from './local-times.ts';
import { ThreadTimes } from './thread-times.ts';
import { WatchedBlocks } from './watched-blocks.ts';

/**
 * RegionTrack (§4): at every conflict between threads, the earlier event is asked which blocks of the later
 * one's thread it knows to have begun (Algorithm 2, `checkHB`). Those are not serializable by themselves. Beside
 * that runs the order of transactions (Algorithm 3), until it finds the first cycle of the trace.
 *
 * With families, a block is asked for by all events of its family, and nothing is said about the whole trace. Numbers of
 * threads and variables may then be used again (`forgetThreads`, `forgetVariable`, `forgetLock`, `forgetChannel`).
 *
 * Both relations share one local time per thread, and so one table of variables: time ticks at every begin and
 * whenever either relation has to tell what comes from what came.
 */
export class RegionTrack implements Analysis, ConflictOrder {
  readonly #report: ViolationSink;
  readonly #cells = new Cells();
  readonly #late = new LateBlocks(this.#cells, (...block) => this.#beginLate(...block));
  readonly #order: TransactionOrder;
  /** The order itself or, with families, where there is none. */
  readonly #clock: TransactionOrder | LocalTimes;
  readonly #blocks = new WatchedBlocks();
  readonly #regions: HappensBefore;
  readonly #families: Families | null;
  readonly #accesses: AccessGroups;
  readonly #locks: LockTable;
  readonly #barriers: BarrierTable;
  readonly #channels: ChannelTable;
  readonly #joined = new JoinedConflicts(this.#cells);
  readonly #refuted: number[] = [];
  readonly #sources = new ThreadTimes();

  /** Whether the order of transactions is still followed. */
  #isOrdering: boolean;
  #firstEvent: number | null = null;
  /** The event at which a block was refuted last. */
  #refutedAt = 0;
  /** The thread that closed a cycle by the present event, plus one. */
  #closedBy = 0;

  /** There is room for so many. */
  #threads = 16;
  #joins = 0;

  constructor({ report, forkJoin }: AnalysisContext) {
    this.#report = report;
    const onCycle = ({ event, thread }: Cycle) => {
      this.#firstEvent = event;
      this.#closedBy = thread + 1;
      this.#isOrdering = false;
      this.#late.setTicks(1, 1);
      this.#cells.all[LEARNT_BY] = BY_VERSIONS;
    };
    this.#late.setTicks(2, 1);
    this.#order = new TransactionOrder('transaction', onCycle, this.#late, this.#cells, new Cells());
    this.#isOrdering = forkJoin !== 'family';
    this.#clock = forkJoin === 'family' ? new LocalTimes() : this.#order;
    this.#regions = new HappensBefore(this.#clock, this.#blocks, this.#late, this.#cells);
    this.#families = forkJoin === 'family' ? new Families(this.#blocks, this.#regions) : null;
    this.#accesses = new AccessGroups(this, this.#cells);
    this.#locks = new LockTable(this, this.#cells);
    this.#barriers = new BarrierTable(this);
    this.#channels = new ChannelTable(this);
  }

  foresee(batch: EventBatch, from: number, to: number): void {
    this.#accesses.foresee(batch, from, to);
  }

  takeIn(batch: EventBatch): boolean {
    return this.#families === null && this.#cells.takeIn(batch);
  }

  skim(from: number): number {
    return this.#cells.skim(from);
  }

  read(thread: number, variable: number, event: number): void {
    this.#accesses.read(thread, variable, event);
    if (this.#closedBy !== 0) this.#blameNobody(event);
  }

  write(thread: number, variable: number, event: number): void {
    this.#accesses.write(thread, variable, event);
    if (this.#closedBy !== 0) this.#blameNobody(event);
  }

  update(thread: number, variable: number, event: number): void {
    this.#accesses.update(thread, variable, event);
    if (this.#closedBy !== 0) this.#blameNobody(event);
  }

  acquire(thread: number, lock: number, event: number): void {
    this.#locks.acquire(thread, lock, event);
    if (this.#closedBy !== 0) this.#blameNobody(event);
  }

  release(thread: number, lock: number, event: number): void {
    this.#locks.release(thread, lock, event);
  }

  fork(thread: number, child: number, event: number): void {
    this.#reserveThread(Math.max(thread, child));
    const time = this.now(thread, event);
    this.#late.catchUp(thread);
    this.#regions.fork(thread, child, time);
    if (this.#families === null) this.#order.fork(thread, child, event);
    else this.#families.fork(thread, child);
  }

  join(thread: number, child: number, event: number): void {
    this.#reserveThread(Math.max(thread, child));
    this.now(thread, event);
    this.#late.catchUp(child);
    if (this.#isOrdering) this.#order.join(thread, child, event);
    // A thread without events orders nothing.
    const time = this.#clock.lastTime(child);
    if (time > 0) {
      this.#leaveBlocks(child);
      this.#joins++;
      this.#learn(child, time, thread, event);
    }
    this.#families?.over(child);
    if (this.#closedBy !== 0) this.#blameNobody(event);
  }

  arrive(thread: number, barrier: number, event: number): void {
    this.#barriers.arrive(thread, barrier, event);
  }

  leave(thread: number, barrier: number, event: number): void {
    this.#barriers.leave(thread, barrier, event);
    if (this.#closedBy !== 0) this.#blameNobody(event);
  }

  send(thread: number, channel: number, event: number): void {
    this.#channels.send(thread, channel, event);
  }

  receive(thread: number, channel: number, event: number): void {
    this.#channels.receive(thread, channel, event);
    if (this.#closedBy !== 0) this.#blameNobody(event);
  }

  begin(thread: number, label: number, event: number): void {
    this.#reserveThread(thread);
    const now = this.now(thread, event);
    this.#late.catchUp(thread);
    const depth = this.#late.enter(thread, now);
    if (this.#isOrdering) this.#order.begin(thread, label, event);
    this.#clock.tick(thread);
    const time = this.#clock.now(thread, event);
    const block = this.#blocks.begin(thread, time, label, event, depth);
    this.#families?.begin(thread, block);
  }

  end(thread: number, _label: number, event: number): void {
    this.#late.catchUp(thread);
    this.#late.leave(thread);
    if (this.#isOrdering) this.#order.end(thread, event);
    if (this.#families === null) this.#blocks.close(thread);
    else this.#families.end(thread);
  }

  finish(lastEvent: number): void {
    if (this.#isOrdering) this.#order.finish(lastEvent);
  }

  outcome(): Outcome {
    return {
      serializable: this.#families === null ? this.#firstEvent === null : null,
      firstEvent: this.#firstEvent,
      statistics: {
        subregions: this.#regions.subregions,
        joins: this.#joins,
        transactionsAtMost: this.#late.runningAtMost,
      },
    };
  }

  now(thread: number, event: number): number {
    return this.#clock.now(thread, event);
  }

  conflict(from: number, time: number, to: number, event: number): void {
    // What one's own fork stands for belongs to one's own families.
    if (from === to || this.isPast(from, time)) return;
    if (this.#joined.has(from, time, to)) return;
    this.#joins++;
    if (this.#isOrdering) this.#order.conflict(from, time, to, event);
    this.#reserveThread(Math.max(from, to));
    this.#learn(from, time, to, event);
  }

  /** The order of transactions needs to know which event it is. */
  gather(): Together | null {
    return this.#isOrdering ? null : this.#regions.gather();
  }

  conflictWithAll(together: Together, to: number, event: number): boolean {
    if (!(together instanceof KnownTogether)) throw new Error('not gathered here');
    this.#joins++;
    this.#reserveThread(to);
    if (this.#families !== null) {
      this.#refuteByEach(together, this.#families, to, event);
      this.#regions.learnFromAll(together, to, event);
      return true;
    }
    this.#regions.lookAtAll(together);
    this.#findRefuted(to);
    this.#regions.learnFromAll(together, to, event);
    if (this.#refuted.length > 0) this.#blame(event);
    return true;
  }

  /** Of which families an event is depends on the thread. Only to learn from it takes the time that is to be saved. */
  #refuteByEach(together: KnownTogether, families: Families, to: number, event: number): void {
    for (const [from, time] of together.times) {
      if (!families.hasWatched(to)) return;
      if (from === to || !this.#regions.lookAt(from, time)) continue;
      families.refutedBy(from, to, this.#refuted);
      if (this.#refuted.length > 0) this.#blame(event);
    }
  }

  /** The order of transactions knows of everything that happens before, so it is enough to ask it. */
  matters(thread: number, time: number): boolean {
    if (this.#isOrdering) return this.#order.matters(thread, time);
    this.#reserveThread(thread);
    this.#late.catchUp(thread);
    return this.#regions.matters(thread, time);
  }

  isPast(thread: number, time: number): boolean {
    if (this.#isOrdering) return this.#order.isPast(thread, time);
    return this.#families === null && this.#regions.isPast(thread, time);
  }

  /**
   * Without families no event can be replaced by what it is after: the two relations do not agree on what that is. With
   * families the fork of a thread stands for what the thread does as long as it has no watched block and learns of none.
   */
  isRunning(thread: number, time: number): boolean {
    return (
      this.matters(thread, time) && (this.#families === null || !this.#regions.isAsItsFork(thread, time))
    );
  }

  clearSources(): void {
    this.#sources.clear();
  }

  gatherSources(thread: number, time: number): number {
    if (this.#families !== null) this.#regions.addSource(thread, time, this.#sources);
    return this.#sources.count;
  }

  sourceThread(index: number): number {
    return this.#sources.thread(index);
  }

  sourceTime(index: number): number {
    return this.#sources.of(this.#sources.thread(index));
  }

  get canForgetThreads(): boolean {
    return this.#families !== null;
  }

  /** Whether what a thread did, which does nothing more, may have a part in a violation. */
  needsThread(thread: number): boolean {
    this.#reserveThread(thread);
    return this.#regions.matters(thread, this.#clock.lastTime(thread));
  }

  /**
   * The threads do nothing more, and their numbers are going to be those of other threads. If one of them is still needed,
   * violations are missed in which it has a part, and none is made up.
   */
  forgetThreads(threads: readonly number[]): void {
    const clock = this.#clock;
    if (!(clock instanceof LocalTimes)) throw new Error('threads are forgotten with families only');
    for (const thread of threads) this.#reserveThread(thread);
    this.#regions.passOverAll(threads);
    for (const thread of threads) {
      this.#leaveBlocks(thread);
      this.#families?.forget(thread);
      this.#regions.forget(thread, clock.forget(thread));
      this.#joined.forget(thread);
    }
  }

  /** Whether an access to the variable may have a part in a violation. */
  needsVariable(variable: number): boolean {
    return this.#accesses.isNeeded(variable);
  }

  /** Nobody accesses the variable any more, and its number is going to be that of another one. */
  forgetVariable(variable: number): void {
    this.#accesses.forget(variable);
  }

  /** Nobody uses the lock any more, nor waits for it. */
  forgetLock(lock: number): void {
    this.#locks.forget(lock);
    this.#channels.forget(channelOf(Op.send, lock));
    this.#channels.forget(channelOf(Op.notify, lock));
  }

  /** Nothing is received from the channel any more, and its number is going to be that of another. */
  forgetChannel(channel: number): void {
    this.#channels.forget(channel);
  }

  /** The time ticked once for the transaction that it may be, and once for the block. */
  #beginLate(thread: number, label: number, time: number, event: number, depth: number): void {
    this.#reserveThread(thread);
    if (this.#isOrdering) this.#order.beginLate(thread, label, time - 1, event);
    this.#blocks.begin(thread, time, label, event, depth);
  }

  #learn(from: number, time: number, to: number, event: number): void {
    if (!this.#regions.lookAt(from, time)) return;
    if (this.#families === null) this.#findRefuted(to);
    else this.#families.refutedBy(from, to, this.#refuted);
    this.#regions.learn(to, event);
    if (this.#refuted.length > 0) this.#blame(event);
  }

  /** The open blocks of the thread that the earlier event knows to have begun, outermost first. */
  #findRefuted(thread: number): void {
    const blocks = this.#blocks;
    this.#late.catchUp(thread);
    this.#refuted.length = 0;
    let block = blocks.outermostWatched(thread);
    for (; block !== 0 && this.#regions.earlierKnows(block); block = blocks.outermostWatched(thread)) {
      this.#refuted.push(block);
      blocks.unwatch(block);
    }
  }

  #blame(event: number): void {
    this.#firstEvent ??= event;
    this.#refutedAt = event;
    for (const block of this.#refuted)
      this.#report({
        kind: 'transaction',
        event,
        thread: this.#blocks.thread[block],
        block: this.#blocks.fact(block),
      });
  }

  /** Reports a cycle that the present event has closed, unless it also refuted a block. */
  #blameNobody(event: number): void {
    const thread = this.#closedBy - 1;
    this.#closedBy = 0;
    if (this.#refutedAt !== event) this.#report({ kind: 'trace', event, thread, block: null });
  }

  /** No event can come in the blocks that a joined thread has left open. */
  #leaveBlocks(thread: number): void {
    const depth = this.#late.leaveAll(thread);
    if (this.#families === null) for (let i = depth; i > 0; i--) this.#blocks.close(thread);
  }

  #reserveThread(thread: number): void {
    if (thread < this.#threads) return;
    this.#threads = Math.max(thread + 1, 2 * this.#threads);
    const last = this.#threads - 1;
    this.#regions.reserveThread(last);
    if (this.#families === null) return;
    this.#families.reserveThread(last);
    this.#sources.reserveThread(last);
  }
}
