import { Op } from '../../trace/operation.ts';
import type { Activation } from '../core/activation.ts';
import type { ChannelRecord } from '../core/channel-record.ts';
import { BACKGROUND_SLOT, type Subject } from '../core/log.ts';
import { RUNNING, Task } from '../core/task.ts';
import type { Arrival } from './arrivals.ts';
import type { Callbacks } from './callbacks.ts';
import type { Tasks } from './tasks.ts';

/** What tasks of one isolate tell those of others, and what arrives from there. */
export class IsolateMessages {
  readonly #tasks: Tasks;
  readonly #callbacks: Callbacks;

  constructor(tasks: Tasks, callbacks: Callbacks) {
    this.#tasks = tasks;
    this.#callbacks = callbacks;
  }

  /** This is a worker: its callbacks belong to whoever made it, as its modules do. */
  beWorker(): void {
    const { main } = this.#callbacks;
    this.#callbacks.home = main;
    main.backgroundSlot = this.#tasks.log.push(BACKGROUND_SLOT, main.task, main, main, 0);
  }

  /** What the event loop runs because of something from another isolate, for which some have been waiting. */
  deliver<T>(kind: string, arrival: Arrival, waiting: readonly Activation[], run: () => T): T {
    this.#callbacks.endStale();
    this.#tasks.arrivals.add(arrival);
    for (const activation of waiting)
      if (!activation.isOver && activation.task.state === RUNNING) this.#hearIn(activation);
    if (this.#tasks.current !== null) {
      this.hear();
      return run();
    }
    const activation = this.#callbacks.enter(kind, this.#callbacks.registeredIn() ?? this.#callbacks.main);
    try {
      return run();
    } finally {
      if (this.#tasks.current === activation) this.#callbacks.end(activation);
    }
  }

  /** The current task gets to know what has arrived. */
  hear(): void {
    this.#hearIn(this.#tasks.acting());
  }

  #hearIn(activation: Activation): void {
    for (const { op, subject, hears } of this.#tasks.arrivals.newsFor(activation.task))
      if (hears?.(activation) !== false) this.#log(op, activation, subject, activation.site);
  }

  /** A message goes out, through a channel that nothing else goes through. */
  send(channel: ChannelRecord, site: number): void {
    this.#log(Op.send, this.#tasks.acting(), channel, site);
  }

  /** It has come, and the current task has asked for it. */
  receive(channel: ChannelRecord, site: number): void {
    this.#log(Op.receive, this.#tasks.acting(), channel, site);
  }

  /** The first task of a worker that is about to be made; and its place in the log, in case that fails. */
  forkWorker(name: string, site: number): { task: Task; entry: number } {
    this.#tasks.endBlocks();
    const task = new Task('worker');
    task.name = name;
    task.state = RUNNING;
    task.forkedAt = this.#log(Op.fork, this.#tasks.acting(), task, site);
    return { task, entry: task.forkedAt };
  }

  /** Logs what other isolates can see, with its place in the order of all; adds to what the task knows. */
  #log(op: Op, activation: Activation, subject: Subject, site: number): number {
    this.#tasks.newEpoch();
    this.#tasks.overlap.keep(activation);
    const sequence = this.#tasks.isolate === null ? 0 : this.#tasks.isolate.clock.take();
    return this.#tasks.log.push(op, activation.task, activation, subject, site, sequence);
  }
}
