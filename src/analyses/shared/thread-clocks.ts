import { BarrierRounds } from '../../trace/barrier-rounds.ts';
import { grownFloat64, grownInt32 } from '../../trace/growable.ts';
import { ChannelClocks } from './channel-clocks.ts';
import { ClockTrees } from './clock-trees.ts';

/** How many lists of free slots a fork looks into. */
const MOST_LISTS = 4;
/** Of so many joined threads it is remembered what they knew; they may be joined again. */
const MOST_JOINED = 4096;
/** Instead of a tree: what the thread knew was forgotten. */
const FORGOTTEN = -1;

/**
 * What each thread knows of the others, through program order, fork, join, barriers, channels and whatever else the user
 * lets it learn: the vector clocks of FastTrack §2.
 *
 * Time is the number of an event. What a thread knows about another is the latest event at which that one let
 * others know: its accesses up to there happened before. So a clock need not tick, and a later time is a later
 * event, whoever's it is.
 *
 * Clocks have a place, a slot, for each thread. The slot of a joined thread is used again by a thread that was
 * forked by one who knows of that join: then all events of a slot are ordered, in the order of their numbers,
 * as if they were of one thread, and whoever knows a late one knows the earlier ones. So the size of clocks
 * follows the threads that are alive, not all that ever lived. Slots are numbered from 1.
 *
 * A thread may be joined more than once, which happens hardly ever. Whoever joins one that was joined long ago is
 * taken to learn what any of the forgotten ones knew: that may order too much, but never too little.
 */
export class ThreadClocks {
  readonly #idleOrder: boolean;
  readonly trees = new ClockTrees();
  readonly channels = new ChannelClocks(this);

  /* Per thread. */
  /** Its slot; negative if it was forked and has yet to act, 0 if nothing is known of it. */
  #slot = new Int32Array(16);
  /** What it knows. The time of its own slot is that at which it last let others know. */
  #tree = new Int32Array(16);
  /** The number of its first join; 0 before. */
  #ended = new Float64Array(16);

  /** The threads joined last, at places that are used in turn, and what all before them knew. */
  readonly #joined: number[] = [];
  #joins = 0;
  #forgotten = 0;

  /* Per slot. */
  #slots = 0;
  /** The join of the thread that had it last. */
  #final = new Float64Array(16);
  /**
   * The free slots of which the thread that has this slot knows the end, first freed first: those are known
   * to most of the threads that it forked as well.
   */
  #firstFree = new Int32Array(16);
  #lastFree = new Int32Array(16);
  #nextFree = new Int32Array(16);
  /** Where to look for a free slot when there is none of one's own: the nearest forker that had one. */
  #supplier = new Int32Array(16);

  readonly #rounds = new BarrierRounds();
  /** Per round of a barrier: what those who arrived knew, taken together. */
  readonly #roundTrees = new Map<number, number>();

  /**
   * `idleOrder`: whether who joins a thread without events comes after its fork. No schedule has it otherwise; but a thread
   * without events is on no cycle of conflicts.
   */
  constructor({ idleOrder = false }: { idleOrder?: boolean } = {}) {
    this.#idleOrder = idleOrder;
  }

  /** How many slots were needed. */
  get slots(): number {
    return this.#slots;
  }

  /** The slot of a thread that acts. To be asked for at every event, as a thread without events orders nothing. */
  acting(thread: number): number {
    const slot = thread < this.#slot.length ? this.#slot[thread] : 0;
    return slot > 0 ? slot : this.#start(thread);
  }

  /** What a thread knows. Valid until it learns more. */
  treeOf(thread: number): number {
    return this.#tree[thread] === FORGOTTEN ? this.#forgotten : this.#tree[thread];
  }

  /** Whether what another slot did at `event` happened before what the thread does now. */
  knows(thread: number, slot: number, event: number): boolean {
    return this.trees.at(this.#tree[thread], slot) >= event;
  }

  /** Lets others know what the thread did up to this event: what it knows, itself included. */
  publish(thread: number, event: number): number {
    const slot = this.acting(thread);
    const tree = this.trees.with(this.#tree[thread], slot, event);
    this.#tree[thread] = tree;
    return tree;
  }

  /** Lets an acting thread know what is in a tree. */
  learn(thread: number, tree: number): void {
    const before = this.#tree[thread];
    this.#tree[thread] = this.trees.joined(before, tree);
    this.trees.drop(before);
  }

  fork(thread: number, child: number, event: number): void {
    const slot = this.acting(thread);
    const tree = this.publish(thread, event);
    this.#reserveThread(child);
    this.#slot[child] = -this.#take(slot, tree);
    this.#tree[child] = this.trees.keep(tree);
  }

  /** Whether the thread learnt anything from it. */
  join(thread: number, child: number, event: number): boolean {
    const slot = this.acting(thread);
    const childSlot = child < this.#slot.length ? this.#slot[child] : 0;
    if (childSlot <= 0) return this.#joinIdle(thread, child, childSlot);
    const isFirst = this.#ended[child] === 0;
    if (isFirst) this.#ended[child] = event;
    const ended = this.#ended[child];
    if (this.knows(thread, childSlot, ended)) return false;
    this.learn(thread, this.treeOf(child));
    this.#tree[thread] = this.trees.with(this.#tree[thread], childSlot, ended);
    if (isFirst) {
      this.#noteJoined(child);
      this.#final[childSlot] = event;
      this.#inherit(slot, childSlot);
      this.#append(slot, childSlot);
    }
    return true;
  }

  arrive(thread: number, barrier: number, event: number): void {
    const tree = this.publish(thread, event);
    const round = this.#rounds.arrive(thread, barrier);
    const known = this.#roundTrees.get(round) ?? 0;
    this.#roundTrees.set(round, this.trees.joined(known, tree));
    this.trees.drop(known);
  }

  /** What a thread inside the barrier will know when it leaves. */
  treeAt(thread: number, barrier: number): number {
    return this.#roundTrees.get(this.#rounds.roundOf(thread, barrier))!;
  }

  leave(thread: number, barrier: number): void {
    this.acting(thread);
    this.learn(thread, this.treeAt(thread, barrier));
    const round = this.#rounds.leave(thread, barrier);
    if (!this.#rounds.isOver(round)) return;
    this.trees.drop(this.#roundTrees.get(round)!);
    this.#roundTrees.delete(round);
    this.#rounds.giveBack(round);
  }

  #start(thread: number): number {
    this.#reserveThread(thread);
    const slot = -this.#slot[thread];
    this.#slot[thread] = slot > 0 ? slot : this.#create();
    return this.#slot[thread];
  }

  /** A slot for a child that knows `tree`, forked by the thread that has the slot `forker`. */
  #take(forker: number, tree: number): number {
    let slot = 0;
    let supplier = forker;
    for (let i = 0; i < MOST_LISTS && supplier !== 0; i++) {
      const first = this.#firstFree[supplier];
      if (first !== 0 && this.trees.at(tree, first) >= this.#final[first]) {
        this.#firstFree[supplier] = this.#nextFree[first];
        slot = first;
        break;
      }
      supplier = this.#supplier[supplier];
    }
    if (slot === 0) slot = this.#create();
    this.#supplier[slot] = this.#firstFree[forker] === 0 ? this.#supplier[forker] : forker;
    return slot;
  }

  #joinIdle(thread: number, child: number, childSlot: number): boolean {
    const learns = this.#idleOrder && child < this.#tree.length && this.#tree[child] !== 0;
    if (learns) this.learn(thread, this.#tree[child]);
    if (childSlot < 0) this.#takeBack(thread, child);
    return learns;
  }

  /** The child was joined without an event: its slot is free if the joiner knows the end of who had it before. */
  #takeBack(thread: number, child: number): void {
    const slot = -this.#slot[child];
    this.#slot[child] = 0;
    // It may be joined once more.
    if (!this.#idleOrder) {
      this.trees.drop(this.#tree[child]);
      this.#tree[child] = 0;
    }
    if (this.knows(thread, slot, this.#final[slot])) this.#append(this.#slot[thread], slot);
  }

  #noteJoined(thread: number): void {
    const place = this.#joins++ % MOST_JOINED;
    const oldest = this.#joined[place];
    this.#joined[place] = thread;
    if (oldest === undefined) return;
    const forgotten = this.trees.joined(this.#forgotten, this.#tree[oldest]);
    this.trees.drop(this.#forgotten);
    this.trees.drop(this.#tree[oldest]);
    this.#forgotten = forgotten;
    this.#tree[oldest] = FORGOTTEN;
  }

  #append(list: number, slot: number): void {
    this.#nextFree[slot] = 0;
    if (this.#firstFree[list] === 0) this.#firstFree[list] = slot;
    else this.#nextFree[this.#lastFree[list]] = slot;
    this.#lastFree[list] = slot;
  }

  /** Whoever knows the end of a thread knows the ends that the thread knew. */
  #inherit(list: number, ended: number): void {
    const first = this.#firstFree[ended];
    if (first === 0) return;
    if (this.#firstFree[list] === 0) this.#firstFree[list] = first;
    else this.#nextFree[this.#lastFree[list]] = first;
    this.#lastFree[list] = this.#lastFree[ended];
    this.#firstFree[ended] = 0;
  }

  #create(): number {
    const slot = ++this.#slots;
    this.#final = grownFloat64(this.#final, slot + 1);
    this.#firstFree = grownInt32(this.#firstFree, slot + 1);
    this.#lastFree = grownInt32(this.#lastFree, slot + 1);
    this.#nextFree = grownInt32(this.#nextFree, slot + 1);
    this.#supplier = grownInt32(this.#supplier, slot + 1);
    return slot;
  }

  #reserveThread(thread: number): void {
    if (thread < this.#slot.length) return;
    this.#slot = grownInt32(this.#slot, thread + 1);
    this.#tree = grownInt32(this.#tree, thread + 1);
    this.#ended = grownFloat64(this.#ended, thread + 1);
  }
}
