import type { Analysis, AnalysisContext, Outcome, ViolationFact, ViolationSink } from '../analysis.ts';
import { HeldLocks } from '../shared/held-locks.ts';
import { Locksets } from '../shared/locksets.ts';
import { OutermostBlocks } from '../shared/outermost-blocks.ts';
import { ThreadPeriods } from '../shared/thread-periods.ts';
import { LockCycles, type SearchLimits } from './lock-cycles.ts';
import { LockRequests } from './lock-requests.ts';

/** How much is kept and looked for; beyond that, `truncated` says so. */
export interface Limits extends SearchLimits {
  edges: number;
}

const USUAL_LIMITS: Limits = { edges: 2_000_000, steps: 20_000_000, cycles: 1000 };

/**
 * Records in which order threads acquire locks, and looks for cycles of that order when the trace is over. That
 * locks are passed on orders nothing here: another schedule need not pass them on in the same order.
 */
export class GoodLock implements Analysis {
  readonly #report: ViolationSink;
  readonly #limits: Limits;
  readonly #periods = new ThreadPeriods();
  readonly #locksets = new Locksets();
  readonly #held = new HeldLocks(this.#locksets);
  readonly #blocks = new OutermostBlocks();
  readonly #requests: LockRequests;
  #search: LockCycles | null = null;

  constructor({ report }: AnalysisContext, limits: Limits = USUAL_LIMITS) {
    this.#report = report;
    this.#limits = limits;
    this.#requests = new LockRequests(this.#periods, this.#locksets, limits.edges);
  }

  acquire(thread: number, lock: number, event: number): void {
    this.#periods.act(thread);
    if (this.#held.last(thread) !== 0) this.#requests.add(thread, lock, event, this.#held, this.#blocks);
    this.#held.acquire(thread, lock, event);
  }

  release(thread: number, lock: number): void {
    this.#held.release(thread, lock);
  }

  fork(thread: number, child: number, event: number): void {
    this.#periods.fork(thread, child, event);
  }

  join(thread: number, child: number, event: number): void {
    this.#periods.join(thread, child, event);
  }

  arrive(thread: number, barrier: number, event: number): void {
    this.#periods.arrive(thread, barrier, event);
  }

  leave(thread: number, barrier: number): void {
    this.#periods.leave(thread, barrier);
  }

  send(thread: number, channel: number, event: number): void {
    this.#periods.send(thread, channel, event);
  }

  receive(thread: number, channel: number): void {
    this.#periods.receive(thread, channel);
  }

  begin(thread: number, label: number, event: number): void {
    this.#periods.act(thread);
    this.#blocks.begin(thread, label, event);
  }

  end(thread: number): void {
    this.#blocks.end(thread);
  }

  /* That a thread acts matters for who joins it; what it accesses does not. */
  read(thread: number): void {
    this.#periods.act(thread);
  }

  write(thread: number): void {
    this.#periods.act(thread);
  }

  update(thread: number): void {
    this.#periods.act(thread);
  }

  finish(): void {
    const search = new LockCycles(this.#requests, this.#limits);
    search.run();
    this.#search = search;
    const found = search.cycles.map((edges) => this.#deadlock(edges));
    for (const violation of found.sort((a, b) => a.event - b.event)) this.#report(violation);
  }

  outcome(): Outcome {
    const isTruncated = this.#requests.isFull || this.#search?.isCut === true;
    return {
      serializable: null,
      firstEvent: null,
      statistics: {
        deadlocks: this.#search?.cycles.length ?? 0,
        edges: this.#requests.edges,
        periods: this.#periods.count,
        steps: this.#search?.steps ?? 0,
        truncated: isTruncated ? 1 : 0,
      },
      notes: isTruncated
        ? ['there were too many lock orders to look at all of them: there may be more potential deadlocks']
        : [],
    };
  }

  /** Told in the order in which each thread comes to want a lock, and seen when the last of them does. */
  #deadlock(edges: readonly number[]): ViolationFact {
    const requests = this.#requests;
    const byEvent = edges.toSorted((a, b) => requests.event(a) - requests.event(b));
    const start = edges.indexOf(byEvent[0]);
    const cycle = [...edges.slice(start), ...edges.slice(0, start)];
    const last = byEvent[byEvent.length - 1];
    return {
      kind: 'deadlock',
      event: requests.event(last),
      thread: requests.thread(last),
      block: requests.block(last),
      cycle: cycle.map((edge) => ({ from: requests.heldSince(edge), to: requests.event(edge) })),
      related: cycle
        .flatMap((edge) => [
          { event: requests.heldSince(edge), role: 'acquire of the lock held' },
          { event: requests.event(edge), role: 'acquire that may wait for ever' },
        ])
        .sort((a, b) => a.event - b.event),
    };
  }
}
