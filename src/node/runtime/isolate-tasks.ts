import { Op } from '../../trace/operation.ts';
import type { Activation } from '../core/activation.ts';
import type { ChannelRecord } from '../core/channel-record.ts';
import { BACKGROUND_SLOT, type Subject } from '../core/log.ts';
import { RUNNING, Task } from '../core/task.ts';
import type { Arrival } from './arrivals.ts';
import { CallbackTasks } from './callback-tasks.ts';

/** Tasks of one isolate among others: what they tell each other, and what arrives. */
export class IsolateTasks extends CallbackTasks {
  /** This is a worker: its callbacks belong to whoever made it, as its modules do. */
  beWorker(): void {
    const { main } = this;
    this.home = main;
    main.backgroundSlot = this.log.push(BACKGROUND_SLOT, main.task, main, main, 0);
  }

  /** What the event loop runs because of something from another isolate, for which some have been waiting. */
  deliver<T>(kind: string, arrival: Arrival, waiting: readonly Activation[], run: () => T): T {
    this.endStale();
    this.arrivals.add(arrival);
    for (const activation of waiting)
      if (!activation.isOver && activation.task.state === RUNNING) this.#hearIn(activation);
    if (this.current !== null) {
      this.hear();
      return run();
    }
    const activation = this.enterCallback(kind, this.registeredIn() ?? this.main);
    try {
      return run();
    } finally {
      if (this.current === activation) this.endCallback(activation);
    }
  }

  protected override hear(): void {
    this.#hearIn(this.acting());
  }

  #hearIn(activation: Activation): void {
    for (const { op, subject } of this.arrivals.newsFor(activation.task))
      this.#log(op, activation, subject, activation.site);
  }

  /** A message goes out, through a channel that nothing else goes through. */
  send(channel: ChannelRecord, site: number): void {
    this.#log(Op.send, this.acting(), channel, site);
  }

  /** It has come, and the current task has asked for it. */
  receive(channel: ChannelRecord, site: number): void {
    this.#log(Op.receive, this.acting(), channel, site);
  }

  /** The first task of a worker that is about to be made; and its place in the log, in case that fails. */
  forkWorker(name: string, site: number): { task: Task; entry: number } {
    this.endBlocks();
    const task = new Task('worker');
    task.name = name;
    task.state = RUNNING;
    task.forkedAt = this.#log(Op.fork, this.acting(), task, site);
    return { task, entry: task.forkedAt };
  }

  /** Logs what other isolates can see, with its place in the order of all; adds to what the task knows. */
  #log(op: Op, activation: Activation, subject: Subject, site: number): number {
    this.epoch++;
    const sequence = this.isolate === null ? 0 : this.isolate.clock.take();
    return this.log.push(op, activation.task, activation, subject, site, sequence);
  }
}
