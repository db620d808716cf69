import type { Activation } from '../core/activation.ts';
import type { Task } from '../core/task.ts';
import type { TraceSink } from '../core/trace-sink.ts';
import type { LiveNames } from './live-names.ts';

/** Below this it is not worth looking who is still needed. */
const FEW = 1024;

/**
 * No more tasks than this are kept that are over and still needed. Of a block that lasts as long as the program, every
 * task is needed that it has started; what is told while the program runs may then miss something about the oldest ones.
 * The trace itself lacks nothing.
 */
const MOST = 8192;

/** Tasks that are over, until their threads' numbers can be given to others. */
export class LeavingTasks {
  readonly #names: LiveNames;
  readonly #sinks: readonly TraceSink<Activation>[];
  #tasks: Task[] = [];
  /** How many there have to be before they are looked through again. */
  #many = FEW;
  /** Threads of tasks that were never started, or not gone on with, and never will be. */
  #abandoned: number[] = [];
  readonly #watched = new FinalizationRegistry<number>((thread) => this.#abandoned.push(thread));

  constructor(names: LiveNames, sinks: readonly TraceSink<Activation>[]) {
    this.#names = names;
    this.#sinks = sinks;
  }

  /** The task has been joined. It may be joined once more. */
  add(task: Task): void {
    if (task.isLeaving) return;
    task.isLeaving = true;
    this.#tasks.push(task);
  }

  /**
   * The task has been forked and may never end: a timer that is cleared, a callback nobody calls, an `await` of what never
   * comes.
   */
  watch(task: Task): void {
    task.isWatched = true;
    this.#watched.register(task, task.thread, task);
  }

  /** To be called when all that they did has been taken by the sinks. */
  letGo(event: number): void {
    if (this.#tasks.length + this.#abandoned.length < this.#many) return;
    const leaving = this.#abandoned;
    const needed: Task[] = [];
    for (const task of this.#tasks) {
      if (this.#isNeeded(task)) needed.push(task);
      else leaving.push(this.#leave(task));
    }
    const tooMany = Math.max(0, needed.length - MOST);
    for (let i = 0; i < tooMany; i++) leaving.push(this.#leave(needed[i]));
    for (const sink of this.#sinks) sink.forgetThreads(leaving);
    for (const thread of leaving) this.#names.giveBack(thread, event);
    this.#tasks = needed.slice(tooMany);
    this.#abandoned = [];
    this.#many = Math.max(FEW, 2 * this.#tasks.length);
  }

  #isNeeded({ thread }: Task): boolean {
    for (const sink of this.#sinks) if (sink.needsThread(thread)) return true;
    return false;
  }

  /** If it is joined once more, that is by a thread of the same name that did nothing else. */
  #leave(task: Task): number {
    const { thread } = task;
    if (task.isWatched) this.#watched.unregister(task);
    task.isWatched = false;
    task.thread = -1;
    task.isLeaving = false;
    return thread;
  }
}
