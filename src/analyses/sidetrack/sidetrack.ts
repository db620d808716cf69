import { grownFloat64, grownInt32 } from '../../trace/growable.ts';
import { Op } from '../../trace/operation.ts';
import type { Analysis, AnalysisContext, Outcome, RelatedEvent, ViolationSink } from '../analysis.ts';
import { ThreadClocks } from '../shared/thread-clocks.ts';
import { AFTER, BEFORE, BlockStacks, IN } from './block-stacks.ts';
import { LockHistory } from './lock-history.ts';
import {
  ACQUIRED,
  INTERFERED,
  INTERFERED_RELEASED,
  OwnAcquires,
  RELEASED,
  RIVAL_ACQUIRED,
  RIVAL_RELEASED,
} from './own-acquires.ts';
import { Sections } from './sections.ts';
import { VolatileOrder } from './volatile-order.ts';
import { Windows } from './windows.ts';
import { relatedEvents } from './witness.ts';

const KIND_NAMES = ['before', 'in', 'after'] as const;
const NO_LIMIT = 0x7fffffff;

/**
 * SideTrack (§3, figure 6). A block that acquires a lock twice has a vulnerable window between the release
 * and the second acquire. A section of another thread on that lock violates the block if it comes into the
 * window:
 *   in      it did;
 *   before  it came before the first acquire, and the two could have changed places;
 *   after   it came after the second acquire, and could have come before it.
 * Whether two acquires of a lock could have changed places is asked of clocks that know of fork, join, barriers,
 * messages, volatile accesses and all locks: the later one must not know of the earlier one except by the very edge that would be turned around.
 *
 * Unlike the figure, `before` and `after` wait for the section that is to come earlier to end where it is:
 * see `Sections`. And `in` asks only whether the lock was another thread's in between, not whether that is
 * known by other means as well: it happened.
 */
export class SideTrack implements Analysis {
  readonly #report: ViolationSink;
  readonly #clocks = new ThreadClocks();
  readonly #volatiles = new VolatileOrder(this.#clocks);
  readonly #blocks = new BlockStacks();
  readonly #locks = new LockHistory(this.#clocks);
  readonly #own = new OwnAcquires(this.#blocks);
  readonly #windows = new Windows(this.#blocks, this.#clocks.trees);
  readonly #sections = new Sections(this.#windows, this.#clocks.trees);

  /* Per lock, while it is held after a second acquire: the window that lies before that. */
  /** The innermost block that the window lies in, or 0. */
  #windowBlock = new Int32Array(16);
  #windowFirst = new Float64Array(16);
  #windowReleased = new Float64Array(16);

  readonly #blamed: number[] = [];
  readonly #predictions = new Int32Array(KIND_NAMES.length);
  #acquires = 0;
  #windowCount = 0;

  constructor({ report }: AnalysisContext) {
    this.#report = report;
  }

  /** Plain accesses do not matter: in a race-free program, all the rest orders those that conflict. */
  read(): void {}
  write(): void {}
  update(): void {}

  volatileRead(thread: number, variable: number, event: number): void {
    this.#volatileAccess(Op.read, thread, variable, event);
  }

  volatileWrite(thread: number, variable: number, event: number): void {
    this.#volatileAccess(Op.write, thread, variable, event);
  }

  volatileUpdate(thread: number, variable: number, event: number): void {
    this.#volatileAccess(Op.update, thread, variable, event);
  }

  begin(thread: number, label: number, event: number): void {
    this.#blocks.begin(thread, label, event);
  }

  end(thread: number): void {
    this.#blocks.end(thread);
  }

  fork(thread: number, child: number, event: number): void {
    this.#clocks.fork(thread, child, event);
  }

  join(thread: number, child: number, event: number): void {
    // Even if the child has no event, the join had to wait for its fork.
    const childSlot = this.#clocks.acting(child);
    if (this.#sections.isInside(thread))
      this.#sections.waitInside(thread, this.#clocks.treeOf(child), childSlot);
    this.#clocks.join(thread, child, event);
    this.#blocks.leave(child);
  }

  arrive(thread: number, barrier: number, event: number): void {
    this.#clocks.arrive(thread, barrier, event);
  }

  leave(thread: number, barrier: number): void {
    if (this.#sections.isInside(thread))
      this.#sections.waitInside(thread, this.#clocks.treeAt(thread, barrier), 0);
    this.#clocks.leave(thread, barrier);
  }

  send(thread: number, channel: number, event: number): void {
    this.#clocks.channels.send(thread, channel, event);
  }

  receive(thread: number, channel: number): void {
    if (this.#sections.isInside(thread))
      this.#sections.waitInside(thread, this.#clocks.channels.treeOf(channel), 0);
    this.#clocks.channels.receive(thread, channel);
  }

  acquire(thread: number, lock: number, event: number): void {
    this.#acquires++;
    this.#reserve(thread, lock);
    const locks = this.#locks;
    const sections = this.#sections;
    const slot = this.#clocks.acting(thread);
    if (sections.isInside(thread)) sections.acquireInside(thread, lock, locks.releasedByOther(lock, slot));

    const windowsAhead = this.#windows.unknownTo(this.#clocks.treeOf(thread), slot, lock, NO_LIMIT);
    let rivalSlot = 0;
    if (this.#blocks.transactionOf(thread) !== 0) {
      const entry = this.#own.entry(thread, lock);
      if (this.#own.at(entry, ACQUIRED) !== 0) this.#secondAcquire(thread, lock, entry, event);
      if (locks.wasOthers(lock, thread) && !locks.isKnown(lock, thread, slot))
        rivalSlot = locks.acquirerSlot(lock);
      this.#own.set(entry, ACQUIRED, event);
    }
    if (rivalSlot !== 0) sections.setRival(lock, locks.acquired(lock), locks.released(lock));
    sections.open(thread, lock, windowsAhead, rivalSlot);
    locks.acquire(thread, slot, lock, event);
  }

  release(thread: number, lock: number, event: number): void {
    const locks = this.#locks;
    const sections = this.#sections;
    const acquired = locks.acquired(lock);
    const transaction = this.#blocks.transactionOf(thread);
    if (transaction !== 0 && acquired > transaction) {
      const entry = this.#own.entry(thread, lock);
      this.#own.set(entry, RELEASED, event);
      if (sections.hasRival(thread, lock)) {
        this.#own.set(entry, INTERFERED, acquired);
        this.#own.set(entry, INTERFERED_RELEASED, event);
        this.#own.set(entry, RIVAL_ACQUIRED, sections.rivalAcquired(lock));
        this.#own.set(entry, RIVAL_RELEASED, sections.rivalReleased(lock));
      }
    }
    if (sections.windowsAhead(lock) !== 0) this.#culprit(lock, acquired, event);
    sections.close(thread, lock);
    if (this.#windowBlock[lock] !== 0) this.#addWindow(thread, lock, acquired);
    locks.release(thread, lock, event);
  }

  finish(): void {}

  outcome(): Outcome {
    return {
      serializable: null,
      firstEvent: null,
      statistics: {
        acquires: this.#acquires,
        windows: this.#windowCount,
        before: this.#predictions[BEFORE],
        in: this.#predictions[IN],
        after: this.#predictions[AFTER],
        slots: this.#clocks.slots,
        nodesAtMost: this.#clocks.trees.nodesAtMost,
      },
    };
  }

  #volatileAccess(kind: Op, thread: number, variable: number, event: number): void {
    this.#volatiles.access(kind, thread, variable, event, (tree) => {
      if (this.#sections.isInside(thread)) this.#sections.waitInside(thread, tree, 0);
    });
  }

  /** Figure 6, [Second Acquire]: the thread has acquired the lock before in its running transaction. */
  #secondAcquire(thread: number, lock: number, entry: number, event: number): void {
    const own = this.#own;
    const blocks = this.#blocks;
    const first = own.at(entry, ACQUIRED);
    const released = own.at(entry, RELEASED);
    const block = blocks.commonSince(thread, first);
    this.#windowCount++;
    if (this.#locks.wasOthers(lock, thread) && blocks.unblamed(block, IN) !== 0) {
      const related = relatedEvents(
        first,
        released,
        this.#locks.acquired(lock),
        this.#locks.released(lock),
        event,
      );
      this.#blame(IN, block, thread, event, related);
    }
    const interfered = own.at(entry, INTERFERED);
    if (interfered !== 0) {
      const common = blocks.commonSince(thread, interfered);
      if (blocks.unblamed(common, BEFORE) !== 0) {
        const related = relatedEvents(
          interfered,
          own.at(entry, INTERFERED_RELEASED),
          own.at(entry, RIVAL_ACQUIRED),
          own.at(entry, RIVAL_RELEASED),
          event,
        );
        this.#blame(BEFORE, common, thread, event, related);
      }
    }
    if (blocks.unblamed(block, AFTER) !== 0) {
      this.#windowBlock[lock] = blocks.keep(block);
      this.#windowFirst[lock] = first;
      this.#windowReleased[lock] = released;
    }
  }

  /** A section of the lock has come to its end that fits into the newest of its windows. */
  #culprit(lock: number, acquired: number, event: number): void {
    const windows = this.#windows;
    const count = this.#sections.windowsAhead(lock);
    let window = windows.newest(lock);
    for (let i = 0; i < count; i++) {
      if (this.#blocks.unblamed(windows.block(window), AFTER) !== 0) {
        const related = relatedEvents(
          windows.first(window),
          windows.released(window),
          acquired,
          event,
          windows.second(window),
        );
        this.#blame(AFTER, windows.block(window), windows.thread(window), acquired, related);
      }
      window = windows.older(window);
    }
    windows.removeNewest(lock, count);
  }

  /**
   * Others can fit into the window only from now on; while the lock was held, it had to keep out of the way.
   */
  #addWindow(thread: number, lock: number, second: number): void {
    const block = this.#windowBlock[lock];
    const first = this.#windowFirst[lock];
    const released = this.#windowReleased[lock];
    this.#windowBlock[lock] = 0;
    if (this.#blocks.unblamed(block, AFTER) === 0) this.#blocks.letGo(block);
    else this.#windows.add(lock, block, thread, this.#clocks.acting(thread), first, released, second);
  }

  #blame(kind: number, stack: number, thread: number, event: number, related: RelatedEvent[]): void {
    this.#blocks.blame(stack, kind, this.#blamed);
    for (const block of this.#blamed) {
      this.#predictions[kind]++;
      this.#report({
        kind: KIND_NAMES[kind],
        event,
        thread,
        block: this.#blocks.fact(block),
        related,
      });
    }
  }

  #reserve(thread: number, lock: number): void {
    this.#sections.reserveThread(thread);
    if (lock < this.#windowBlock.length) return;
    this.#windowBlock = grownInt32(this.#windowBlock, lock + 1);
    this.#windowFirst = grownFloat64(this.#windowFirst, lock + 1);
    this.#windowReleased = grownFloat64(this.#windowReleased, lock + 1);
    const last = this.#windowBlock.length - 1;
    this.#locks.reserveLock(last);
    this.#sections.reserveLock(last);
    this.#windows.reserveLock(last);
  }
}
