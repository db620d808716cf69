import { LatestFirst } from './latest-first.ts';

/** An event of a task. */
interface Moment {
  event: number;
  thread: number;
}

/** A task, from its fork on: the number of its thread may be used again by another one. */
interface TaskNode {
  thread: number;
  /** Those that it has started. */
  children: TaskNode[];
  /** The event at which it is over, if nobody has waited for it; 0 before. */
  ended: number;
}

/**
 * Which events of a block's family can know of which: along one task, from the start of another, through the end of one
 * that was waited for, and by messages. Accesses to variables order nothing here.
 */
export class TaskOrder {
  /** Per thread: where it was forked. */
  readonly #forks: (Moment | undefined)[] = [];
  /** What stands for the callbacks of activations. */
  readonly #backgrounds = new Set<number>();
  /** Forks of what stands for callbacks, of activations whose first step is not over, with the threads that act in it. */
  #background: { fork: Moment; threads: Set<number> }[] = [];
  /** Per thread: those that it has joined, and when. */
  readonly #joins: (Moment[] | undefined)[] = [];
  /** Per thread: the task that it is now. */
  readonly #tasks: (TaskNode | undefined)[] = [];

  /** What came before the event that was asked about last. */
  #asked: (Moment & { isAnywhere: boolean; reached: ReadonlyMap<number, number> }) | null = null;

  /** Per message: where it was sent. */
  readonly #sent = new Map<number, Moment[]>();
  /** Per thread: what it has received, and when. */
  readonly #received: ({ event: number; from: Moment }[] | undefined)[] = [];

  fork(event: number, thread: number, child: number): void {
    this.#forks[child] = { event, thread };
    this.#addTask(thread, child);
    this.#backgrounds.delete(child);
    for (const { threads } of this.#background) threads.add(child);
  }

  /**
   * The fork of what stands for all callbacks of an activation (docs/explanation/javascript-internals.md). It lies at the begin of that, but
   * no callback was registered before the activation's first step is over, in which nothing can come between: what was seen in
   * that step, callbacks may go by.
   */
  forkBackground(event: number, thread: number, child: number): void {
    const fork = { event, thread };
    this.#forks[child] = fork;
    this.#addTask(thread, child);
    this.#backgrounds.add(child);
    this.#background.push({ fork, threads: new Set([thread]) });
  }

  /** A thread has come to act. */
  step(event: number, thread: number): void {
    if (this.#background.length === 0) return;
    this.#background = this.#background.filter(({ fork, threads }) => {
      // Right behind it.
      if (threads.has(thread)) fork.event = event + 1;
      return threads.has(thread);
    });
  }

  join(event: number, thread: number, child: number): void {
    this.#joins[thread] ??= [];
    this.#joins[thread].push({ event, thread: child });
  }

  /** It is over, and nobody has waited for it: those who led to it may have been told by it, through a promise. */
  end(event: number, task: number): void {
    // Who that is, is looked for when somebody asks: tasks may have started each other thousands deep.
    const node = this.#tasks[task];
    if (node !== undefined) node.ended = event;
  }

  #addTask(thread: number, child: number): void {
    const node = { thread: child, children: [], ended: 0 };
    this.#tasks[child] = node;
    this.#taskOf(thread).children.push(node);
  }

  #taskOf(thread: number): TaskNode {
    this.#tasks[thread] ??= { thread, children: [], ended: 0 };
    return this.#tasks[thread];
  }

  send(event: number, thread: number, message: number): void {
    let sent = this.#sent.get(message);
    if (sent === undefined) {
      sent = [];
      this.#sent.set(message, sent);
    }
    sent.push({ event, thread });
  }

  receive(event: number, thread: number, message: number): void {
    for (const from of this.#sent.get(message) ?? []) {
      this.#received[thread] ??= [];
      this.#received[thread].push({ event, from });
    }
  }

  /**
   * Whether what the first event has seen can have reached the last one. `isAnywhere`: callbacks may have been registered
   * just before they ran.
   */
  isOrdered(first: Moment, last: Moment, isAnywhere: boolean): boolean {
    return (
      first.thread === last.thread || (this.#before(last, isAnywhere).get(first.thread) ?? 0) > first.event
    );
  }

  /** Per thread: up to which event it can be known to what does the last one. */
  #before(last: Moment, isAnywhere: boolean): ReadonlyMap<number, number> {
    // Mostly it is asked about many events and the same last one.
    const known = this.#asked;
    if (known?.event === last.event && known.thread === last.thread && known.isAnywhere === isAnywhere)
      return known.reached;
    const reached = new Map([[last.thread, last.event]]);
    const waiting = new LatestFirst<Moment>();
    waiting.push(last);
    const told = new Set<TaskNode>();
    for (let moment = waiting.pop(); moment !== undefined; moment = waiting.pop()) {
      const { event, thread } = moment;
      // It was reached by a later event since.
      if ((reached.get(thread) ?? 0) > event) continue;
      for (const before of this.#rightBefore(thread, event, isAnywhere, told)) {
        if (before.event > event || (reached.get(before.thread) ?? -1) >= before.event) continue;
        reached.set(before.thread, before.event);
        waiting.push(before);
      }
    }
    this.#asked = { event: last.event, thread: last.thread, isAnywhere, reached };
    return reached;
  }

  *#rightBefore(thread: number, event: number, isAnywhere: boolean, told: Set<TaskNode>): Iterable<Moment> {
    const fork = this.#forks[thread];
    if (fork !== undefined)
      yield isAnywhere && this.#backgrounds.has(thread) ? { event, thread: fork.thread } : fork;
    yield* this.#joins[thread] ?? [];
    yield* this.#endedBelow(thread, event, told);
    for (const received of this.#received[thread] ?? []) if (received.event <= event) yield received.from;
  }

  /** The tasks that a thread has led to and that are over by this event; none is told for an earlier event again. */
  *#endedBelow(thread: number, event: number, told: Set<TaskNode>): Iterable<Moment> {
    const start = this.#tasks[thread];
    if (start === undefined) return;
    const waiting = [start];
    for (let node = waiting.pop(); node !== undefined; node = waiting.pop())
      for (const child of node.children) {
        if (told.has(child)) continue;
        told.add(child);
        waiting.push(child);
        if (child.ended > 0 && child.ended <= event) yield { event: child.ended, thread: child.thread };
      }
  }
}
