import { ANSWER } from '../../trace/evidence.ts';
import type { ProcessMeeting } from '../../trace/facts.ts';
import { Op } from '../../trace/operation.ts';
import { Activation, CALLBACK, CONTINUING } from '../core/activation.ts';
import { isCalledBy } from '../core/ancestry.ts';
import { ChannelRecord } from '../core/channel-record.ts';
import { RUNNING, Task } from '../core/task.ts';
import type { Runtime } from '../runtime/index.ts';

/* Calls of other processes that are watched, too: docs/explanation/processes.md says what becomes of them. */

/** More are not worth to be told. */
const MOST_CALLS = 10_000;

/** What an answer leads to by ticks of the event loop, as the ends of streams, is due to it for so many rounds of them. */
const ROUNDS = 6;

const ASK = ' asks';
const END = ' ends';

/** Something that another process is asked for. */
export interface ServiceCall {
  readonly id: string;
  readonly maker: Activation | null;
  readonly site: number;
  /** Stands for what the other process does for it; null if nobody is known to ask. */
  readonly task: Task | null;
  /** Whether whoever waits for its promise is known to wait for the task. */
  readonly isBound: boolean;
}

/** Notes in the log what other processes are asked for, and what they ask for. */
export class ServiceCalls {
  readonly #runtime: Runtime;
  readonly #name = `${process.pid.toString(36)}-${process.hrtime.bigint().toString(36)}`;
  readonly #heard = new Set<ServiceCall>();
  /** Of each that has asked, what was answered since it has gone on. */
  readonly #answered = new WeakMap<Activation, ServiceCall[]>();
  #count = 0;

  constructor(runtime: Runtime) {
    this.#runtime = runtime;
  }

  get #isOn(): boolean {
    const { evidence, tasks } = this.#runtime.recorder;
    return evidence.isOn && tasks.isolate === null;
  }

  /** The current activation asks another process for something; null if nobody wants to know. */
  ask(isBound: boolean): ServiceCall | null {
    if (!this.#isOn || this.#count >= MOST_CALLS) return null;
    const { tasks, callbacks } = this.#runtime.recorder;
    const registeredIn = tasks.current ?? callbacks.registeredIn();
    const isWaiting = registeredIn?.isCall === true && !registeredIn.isOver;
    const maker = tasks.current ?? (isWaiting ? registeredIn : null);
    const { site } = this.#runtime.programPlace('', registeredIn?.suspendedAt ?? 0, false);
    const id = `${this.#name}-${++this.#count}`;
    const task = maker === null ? null : this.#fork(maker, id, site);
    this.#meet(id + ASK, 'cause');
    return { id, maker, site, task, isBound };
  }

  #fork(maker: Activation, id: string, site: number): Task {
    const { tasks, callbacks } = this.#runtime.recorder;
    const task = new Task('request');
    task.call = id;
    callbacks.onBehalf(maker, null, () => {
      const acting = tasks.acting();
      const root = new Activation(CALLBACK, task, acting, 0);
      root.outer = null;
      root.isSuspended = true;
      task.root = root;
      task.state = RUNNING;
      task.forkedAt = tasks.log.push(Op.fork, acting.task, acting, task, site);
      tasks.newEpoch();
    });
    return task;
  }

  /** The answer begins to come. */
  answered(call: ServiceCall): void {
    if (!this.#isOn) return;
    this.#meet(call.id + ANSWER, 'effect');
    const { task } = call;
    if (task?.root && !task.root.isOver) this.#runtime.recorder.tasks.end(task.root);
    this.#arrive(call);
  }

  /** All of it is there. */
  ended(call: ServiceCall): void {
    if (!this.#isOn) return;
    this.#meet(call.id + END, 'effect');
    this.#arrive(call);
  }

  #arrive(call: ServiceCall): void {
    const { task, maker, isBound } = call;
    if (task === null || maker === null || isBound || this.#heard.has(call)) return;
    const { arrivals } = this.#runtime.recorder.tasks;
    const answered = this.#answered.get(maker) ?? [];
    if (!answered.includes(call)) this.#answered.set(maker, [...answered, call]);
    arrivals.add({ op: Op.join, subject: task, hears: (by) => this.#hears(call, by) }, ROUNDS);
  }

  /**
   * Whether the activation that goes on now, because of the answer, is the one that has asked. So it has waited for that,
   * and for what it asked for at the same place at once.
   */
  #hears(call: ServiceCall, by: Activation): boolean {
    const { maker, task, site } = call;
    if (maker === null || task === null || this.#heard.has(call)) return false;
    const isAsker = !by.isOver && isCalledBy(maker, by);
    const isGoingOn = maker.kind === CONTINUING && !maker.isOver && isCalledBy(by, maker);
    if (!isAsker && !isGoingOn) return false;
    const { tasks } = this.#runtime.recorder;
    const others = this.#answered.get(maker) ?? [];
    this.#answered.delete(maker);
    this.#heard.add(call);
    task.isJoined = true;
    for (const other of others)
      if (other !== call && other.site === site && other.task !== null && !this.#heard.has(other)) {
        this.#heard.add(other);
        tasks.join(by, [other.task], false);
      }
    return true;
  }

  /** Another process has asked for something, and what is run for that is its. */
  asked(id: string): void {
    if (this.#isOn) this.#meet(id + ASK, 'effect');
  }

  /** It is given an answer, of which this is the begin. */
  answer(id: string): void {
    if (!this.#isOn) return;
    this.#meet(id + ANSWER, 'cause');
    const { tasks, callbacks } = this.#runtime.recorder;
    const by = tasks.current ?? callbacks.registeredIn();
    if (by === null || by.isOver) return;
    callbacks.onBehalf(by, null, () => {
      const acting = tasks.acting();
      tasks.log.push(Op.send, acting.task, acting, new ChannelRecord(id + ANSWER, true), 0);
    });
  }

  /** All of it is on its way. */
  end(id: string): void {
    if (this.#isOn) this.#meet(id + END, 'cause');
  }

  #meet(id: string, kind: ProcessMeeting['kind']): void {
    const { evidence } = this.#runtime.recorder;
    this.#runtime.noteMeeting({ id, kind, step: ++evidence.steps });
  }
}
