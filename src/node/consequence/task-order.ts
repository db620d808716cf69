/** An event of a task. */
interface Moment {
  event: number;
  thread: number;
}

/**
 * Which events of a block's family can know of which: along one task, from the start of another, and through the end of one
 * that was waited for. The block itself also knows of its callbacks that are over: one of them has settled the promise that it
 * waited for. Accesses to variables order nothing here.
 */
export class TaskOrder {
  /** Per thread: where it was forked. */
  readonly #forks: (Moment | undefined)[] = [];
  /** Per thread: those that it has joined, and when. */
  readonly #joins: (Moment[] | undefined)[] = [];

  /** Per thread: when it was over. */
  readonly #ends: (number | undefined)[] = [];

  fork(event: number, thread: number, child: number): void {
    this.#forks[child] = { event, thread };
  }

  end(event: number, thread: number): void {
    this.#ends[thread] ??= event;
  }

  join(event: number, thread: number, child: number): void {
    this.#joins[thread] ??= [];
    this.#joins[thread].push({ event, thread: child });
  }

  /** Whether what the first event has seen can have reached the last one; `home` is the thread of the block itself. */
  isOrdered(first: Moment, last: Moment, home: number): boolean {
    const over = this.#ends[first.thread] ?? Number.POSITIVE_INFINITY;
    /** Per thread: up to which event it is known to come before the last one. */
    const reached = new Map([[last.thread, last.event]]);
    const waiting: Moment[] = [last];
    for (let moment = waiting.pop(); moment !== undefined; moment = waiting.pop()) {
      const { event, thread } = moment;
      if (thread === first.thread || (thread === home && event > over)) return true;
      for (const before of this.#before(thread)) {
        if (before.event <= first.event || before.event > event) continue;
        if ((reached.get(before.thread) ?? -1) >= before.event) continue;
        reached.set(before.thread, before.event);
        waiting.push(before);
      }
    }
    return false;
  }

  *#before(thread: number): Iterable<Moment> {
    const fork = this.#forks[thread];
    if (fork !== undefined) yield fork;
    yield* this.#joins[thread] ?? [];
  }
}
