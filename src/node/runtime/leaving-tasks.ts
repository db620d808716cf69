import type { Task, TaskThread } from '../core/task.ts';
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

/** The threads of tasks that are over, until their numbers can be given to others. The tasks themselves are not kept alive. */
export class LeavingTasks {
  readonly #names: LiveNames;
  readonly #sinks: readonly TraceSink[];
  #threads: TaskThread[] = [];
  /** How many there have to be before they are looked through again. */
  #many = FEW;
  /** Threads of tasks that were never started, or not gone on with, and never will be. */
  #abandoned: number[] = [];
  readonly #watched = new FinalizationRegistry<number>((thread) => this.#abandoned.push(thread));

  constructor(names: LiveNames, sinks: readonly TraceSink[]) {
    this.#names = names;
    this.#sinks = sinks;
  }

  /** The task has been joined. It may be joined once more. */
  add(thread: TaskThread): void {
    if (thread.isLeaving) return;
    thread.isLeaving = true;
    if (thread.isWatched) this.#watched.unregister(thread);
    thread.isWatched = false;
    this.#threads.push(thread);
  }

  /**
   * The task has been forked and may never end: a timer that is cleared, a callback nobody calls, an `await` of what never
   * comes.
   */
  watch(task: Task, thread: TaskThread): void {
    thread.isWatched = true;
    this.#watched.register(task, thread.id, thread);
  }

  /** To be called when all that they did has been taken by the sinks. */
  letGo(event: number): void {
    if (this.#threads.length + this.#abandoned.length < this.#many) return;
    const leaving = this.#abandoned;
    const needed: TaskThread[] = [];
    for (const thread of this.#threads) {
      if (this.#isNeeded(thread)) needed.push(thread);
      else leaving.push(leave(thread));
    }
    const tooMany = Math.max(0, needed.length - MOST);
    for (let i = 0; i < tooMany; i++) leaving.push(leave(needed[i]));
    for (const sink of this.#sinks) sink.forgetThreads(leaving);
    for (const thread of leaving) this.#names.giveBack(thread, event);
    this.#threads = needed.slice(tooMany);
    this.#abandoned = [];
    this.#many = Math.max(FEW, 2 * this.#threads.length);
  }

  #isNeeded({ id }: TaskThread): boolean {
    for (const sink of this.#sinks) if (sink.needsThread(id)) return true;
    return false;
  }
}

/** If its task is joined once more, that is by a thread of the same name that did nothing else. */
function leave(thread: TaskThread): number {
  const { id } = thread;
  thread.id = -1;
  return id;
}
