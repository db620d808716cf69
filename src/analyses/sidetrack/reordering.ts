import type { EventBatch } from '../../trace/batch.ts';
import { accessKind, isAccess, Op } from '../../trace/operation.ts';
import { RecordedWaits } from '../../trace/recorded-waits.ts';

/** Nobody. */
const NONE = -1;

/** Runs the threads of an observed trace in another order, as far as locks, forks, joins, barriers and messages allow. */
export class Reordering {
  /** The numbers of the events that were run, in their new order. */
  readonly events: number[] = [];

  /* Per event, by its number. */
  readonly #op: Uint8Array;
  readonly #thread: Int32Array;
  readonly #operand: Int32Array;
  /** The next event of the same thread, or 0. */
  readonly #next: Int32Array;
  readonly #isDone: Uint8Array;
  readonly #waits = new RecordedWaits();

  /** The next event of each thread that has one. */
  readonly #pending = new Map<number, number>();
  readonly #holders = new Map<number, number>();
  /** The event that forks a thread. */
  readonly #forks = new Map<number, number>();
  /** The threads that wait for others to move on, and the one that must not move. */
  readonly #waiting = new Set<number>();

  constructor(batches: Iterable<EventBatch>, last: number) {
    this.#op = new Uint8Array(last + 1).fill(Op.skip);
    this.#thread = new Int32Array(last + 1).fill(NONE);
    this.#operand = new Int32Array(last + 1);
    this.#next = new Int32Array(last + 1);
    this.#isDone = new Uint8Array(last + 1);
    const latest = new Map<number, number>();
    for (const batch of batches) {
      if (batch.firstEvent > last) break;
      const end = Math.min(batch.length, last - batch.firstEvent + 1);
      for (let i = 0; i < end; i++) {
        const event = batch.firstEvent + i;
        const thread = batch.thread[i];
        this.#op[event] = batch.op[i];
        this.#thread[event] = thread;
        this.#operand[event] = batch.operand[i];
        this.#waits.add(event, thread, batch.op[i], batch.operand[i]);
        if (batch.op[i] === Op.fork) this.#forks.set(batch.operand[i], event);
        const before = latest.get(thread);
        if (before === undefined) this.#pending.set(thread, event);
        else this.#next[before] = event;
        latest.set(thread, event);
      }
    }
  }

  /**
   * Runs everything before the event `ahead`, an acquire, and then, without it or anything that its thread
   * does afterwards, the section of the same lock from `acquire` to `release`. What is run before the section
   * is what the whole section, or only its acquire, comes after. False if that cannot be done.
   */
  moveSection(acquire: number, release: number, ahead: number, isWhole: boolean): boolean {
    const stopped = this.#thread[ahead];
    const needed = this.#needed(ahead, acquire, isWhole ? release : acquire);
    if (needed.some((event) => this.#thread[event] === stopped)) return false;
    if (!this.runInOrder(1, ahead - 1)) return false;
    this.#waiting.add(stopped);
    const isMoved = needed.every((event) => this.runTo(event)) && this.runTo(release);
    this.#waiting.delete(stopped);
    return isMoved;
  }

  /** Runs those events of a range that have not been run, in the order of the trace. */
  runInOrder(from: number, to: number): boolean {
    for (let event = from; event <= to; event++) if (!this.runTo(event)) return false;
    return true;
  }

  /**
   * Runs the thread of an event up to and including it, if it has not come so far, and others where it waits.
   */
  runTo(event: number): boolean {
    const thread = this.#thread[event];
    while (this.#isDone[event] === 0) if (thread === NONE || !this.#step(thread)) return false;
    return true;
  }

  #step(thread: number): boolean {
    const event = this.#pending.get(thread);
    if (event === undefined || this.#waiting.has(thread)) return false;
    this.#waiting.add(thread);
    const canAct = this.#makeWay(thread, event);
    this.#waiting.delete(thread);
    if (!canAct) return false;

    const operand = this.#operand[event];
    if (this.#op[event] === Op.acquire) this.#holders.set(operand, thread);
    if (this.#op[event] === Op.release) this.#holders.delete(operand);
    this.#isDone[event] = 1;
    this.events.push(event);
    if (this.#next[event] === 0) this.#pending.delete(thread);
    else this.#pending.set(thread, this.#next[event]);
    return true;
  }

  /** Runs other threads until the event can take place. */
  #makeWay(thread: number, event: number): boolean {
    const fork = this.#forks.get(thread);
    if (fork !== undefined && !this.runTo(fork)) return false;
    if (!this.#waits.before(event).every((other) => this.runTo(other))) return false;
    const operand = this.#operand[event];
    if (this.#op[event] === Op.acquire)
      for (let holder = this.#holders.get(operand); holder !== undefined; holder = this.#holders.get(operand))
        if (!this.#step(holder)) return false;
    if (this.#op[event] === Op.join) {
      const fork = this.#forks.get(operand);
      if (fork !== undefined && fork < event && !this.runTo(fork)) return false;
      // What a thread does after the join, if it was forked later, does not concern it.
      for (
        let next = this.#pending.get(operand);
        next !== undefined && next < event;
        next = this.#pending.get(operand)
      )
        if (!this.#step(operand)) return false;
    }
    return true;
  }

  /**
   * The events from `from` to `to` that `to`, which belongs to a section that begins at `acquire`, comes
   * after: along program order, forks, joins, barriers, messages, accesses and locks, but for the lock of that section, and but
   * for what the section accesses. The values that it finds may change: that is what makes the block go
   * wrong.
   */
  #needed(from: number, acquire: number, to: number): number[] {
    const mover = this.#thread[to];
    const threads = new Set([mover]);
    const locks = new Set<number>();
    const accesses = new Map<number, Set<number>>();
    const arrivals = new Set<number>();
    const needed: number[] = [];
    for (let event = to; event >= from; event--) {
      const op = this.#op[event];
      const thread = this.#thread[event];
      const operand = this.#operand[event];
      const isOfNeeded = threads.has(thread) || arrivals.has(event);
      if (!isOfNeeded && !isNeeded(op, operand, threads, locks, accesses)) continue;
      needed.push(event);
      for (const other of this.#waits.before(event)) arrivals.add(other);
      threads.add(thread);
      if (op === Op.join) threads.add(operand);
      const isOfSection = thread === mover && event >= acquire;
      if (isLockOperation(op) && !(isOfSection && operand === this.#operand[acquire])) locks.add(operand);
      if (isAccess(op) && !isOfSection)
        accesses.set(operand, (accesses.get(operand) ?? new Set()).add(accessKind(op)));
    }
    return needed.reverse();
  }
}

function isLockOperation(op: number): boolean {
  return op === Op.acquire || op === Op.release;
}

/** Whether something needed comes after an event of another thread because of what the event does. */
function isNeeded(
  op: number,
  operand: number,
  threads: ReadonlySet<number>,
  locks: ReadonlySet<number>,
  accesses: ReadonlyMap<number, ReadonlySet<number>>,
): boolean {
  if (isLockOperation(op)) return locks.has(operand);
  if (op === Op.fork) return threads.has(operand);
  const kind = accessKind(op);
  if (kind === Op.skip) return false;
  const later = accesses.get(operand);
  return later !== undefined && (kind === Op.write || later.size > 1 || !later.has(kind));
}
