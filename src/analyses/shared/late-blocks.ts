import {
  type Cells,
  FIRST_EVENT_BITS,
  FREE_BLOCK,
  OPEN,
  RUNNING,
  RUNNING_AT_MOST,
  type Table,
  TICKS,
} from './cells.ts';

/*
 * What is kept of a thread: the block that was begun last of those not shown yet, 0 for none; how many are open in all, and since
 * which local time.
 */
const TOP = 0;
const DEPTH = 1;
const SINCE = 2;
/** So that a table has room for whole threads only: it grows by powers of two. */
const WIDTH = 4;

/* A block that is not shown yet: the next one further out, or the next free one. */
const OUTER = 0;
const LABEL = 1;
const TIME = 2;
const EVENT_LOW = 3;
const EVENT_HIGH = 4;
const BLOCK_WIDTH = 5;

/** So many may be open at a time that are not shown yet. */
const MOST = 256;

/** What has to be known of a block that began a while ago; `time` is the local time of its thread at that begin. */
export type ShowBlock = (thread: number, label: number, time: number, event: number, depth: number) => void;

/**
 * The open blocks of each thread. Compiled code deals with begins and, as long as nobody had to know of a block, with its end:
 * most blocks are over before another thread comes in between. `catchUp` shows those of a thread that are open; it is to
 * be called before anything is asked or noted about what the thread runs.
 */
export class LateBlocks {
  readonly #cells: Cells;
  readonly #open: Table;
  readonly #show: ShowBlock;
  readonly #blocks: number[] = [];
  #hasPool = false;

  constructor(cells: Cells, show: ShowBlock) {
    this.#cells = cells;
    this.#open = cells.table(OPEN);
    this.#show = show;
  }

  /** How far a begin moves the local time of its thread on: that of a transaction, and that of a block in another. */
  setTicks(outer: number, inner: number): void {
    this.#cells.all[TICKS] = outer;
    this.#cells.all[TICKS + 1] = inner;
  }

  /** The largest number of threads that had a block open at a time. */
  get runningAtMost(): number {
    return this.#cells.all[RUNNING_AT_MOST];
  }

  depth(thread: number): number {
    const at = thread * WIDTH + DEPTH;
    return at < this.#open.view.length ? this.#open.view[at] : 0;
  }

  /** Whether what the thread did at the time is part of the transaction that it runs. */
  isRunning(thread: number, time: number): boolean {
    const at = thread * WIDTH;
    const { view } = this.#open;
    return at < view.length && view[at + DEPTH] > 0 && time >= view[at + SINCE];
  }

  /** A block begins, after local time `now`; returns how many the thread had open. */
  enter(thread: number, now: number): number {
    if (!this.#hasPool) this.#createPool();
    else if (this.#cells.all[FREE_BLOCK] === 0) this.catchUpAll();
    this.#open.reserve((thread + 1) * WIDTH);
    const { all } = this.#cells;
    const depth = this.#open.view[thread * WIDTH + DEPTH]++;
    if (depth > 0) return depth;
    this.#open.view[thread * WIDTH + SINCE] = now + 1;
    if (++all[RUNNING] > all[RUNNING_AT_MOST]) all[RUNNING_AT_MOST] = all[RUNNING];
    return 0;
  }

  leave(thread: number): void {
    if (--this.#open.view[thread * WIDTH + DEPTH] === 0) this.#cells.all[RUNNING]--;
  }

  /** The thread, whose blocks were shown, is over; returns how many it had open. */
  leaveAll(thread: number): number {
    const depth = this.depth(thread);
    if (depth === 0) return 0;
    this.#open.view[thread * WIDTH + DEPTH] = 0;
    this.#cells.all[RUNNING]--;
    return depth;
  }

  catchUp(thread: number): void {
    const { view } = this.#open;
    const at = thread * WIDTH;
    if (at < view.length && view[at + TOP] !== 0) this.#catchUp(thread);
  }

  catchUpAll(): void {
    for (let thread = 0; thread * WIDTH < this.#open.view.length; thread++) this.catchUp(thread);
  }

  #catchUp(thread: number): void {
    const { view } = this.#open;
    const { all } = this.#cells;
    const blocks = this.#blocks;
    blocks.length = 0;
    for (let block = view[thread * WIDTH + TOP]; block !== 0; block = all[block + OUTER]) blocks.push(block);
    view[thread * WIDTH + TOP] = 0;
    let depth = view[thread * WIDTH + DEPTH] - blocks.length;
    for (let i = blocks.length - 1; i >= 0; i--) {
      const cells = this.#cells.all;
      const block = blocks[i];
      const event = cells[block + EVENT_HIGH] * 2 ** FIRST_EVENT_BITS + cells[block + EVENT_LOW];
      cells[block + OUTER] = cells[FREE_BLOCK];
      cells[FREE_BLOCK] = block;
      this.#show(thread, cells[block + LABEL], cells[block + TIME], event, depth++);
    }
  }

  #createPool(): void {
    this.#hasPool = true;
    const first = this.#cells.allocate(MOST * BLOCK_WIDTH);
    const { all } = this.#cells;
    for (let i = 0; i < MOST; i++) {
      const block = first + i * BLOCK_WIDTH;
      all[block + OUTER] = all[FREE_BLOCK];
      all[FREE_BLOCK] = block;
    }
  }
}
