import { ANSWER } from '../../trace/evidence.ts';
import type { TaskFacts } from '../../trace/facts.ts';

/** What a process does for a call of another one that has waited for it: part of the block of the caller. */
export interface Adopted {
  readonly call: string;
  /** The caller, and the thread that stands for the request there. */
  readonly process: number;
  readonly thread: string;
}

/** The calls of one process by another, as the traces of both tell of them. */
export class ServiceCalls {
  /** By id: who has asked. */
  readonly #asked = new Map<string, { process: number; thread: string; isAwaited: boolean }>();
  /** Per process and thread: the call that it stands for, or works for. */
  readonly #requests: Map<string, string>[] = [];
  readonly #workers: Map<string, string>[] = [];
  readonly #reapers: Set<string>[] = [];
  readonly #served = new Set<string>();
  readonly #answered = new Set<string>();

  noteTask(process: number, thread: string, { kind, call, adoptedBy }: Partial<TaskFacts>): void {
    if (kind === 'reaper') {
      this.#reapers[process] ??= new Set();
      this.#reapers[process].add(thread);
    }
    if (typeof call === 'string') {
      this.#requests[process] ??= new Map();
      this.#requests[process].set(thread, call);
      this.#asked.set(call, { process, thread, isAwaited: false });
    }
    if (typeof adoptedBy === 'string') {
      this.#workers[process] ??= new Map();
      this.#workers[process].set(thread, adoptedBy);
      this.#served.add(adoptedBy);
    }
  }

  /** Somebody joins a thread: whoever has waited for an answer does so, and whoever clears up. */
  noteJoin(process: number, by: string, thread: string): void {
    const id = this.#requests[process]?.get(thread);
    const asked = id === undefined ? undefined : this.#asked.get(id);
    if (asked !== undefined && !this.#reapers[process]?.has(by)) asked.isAwaited = true;
  }

  noteSent(channel: string): void {
    if (channel.endsWith(ANSWER)) this.#answered.add(channel.slice(0, -ANSWER.length));
  }

  /** Whether the thread stands for a request at all. */
  isRequest(process: number, thread: string): boolean {
    return this.#requests[process]?.has(thread) === true;
  }

  /** The call that a thread stands for, if that was waited for and is known to both sides. */
  requestOf(process: number, thread: string): string | null {
    const id = this.#requests[process]?.get(thread);
    return id !== undefined && this.#isWhole(id) ? id : null;
  }

  adopted(process: number, thread: string): Adopted | null {
    const call = this.#workers[process]?.get(thread);
    const asked = call === undefined ? undefined : this.#asked.get(call);
    return call === undefined || asked === undefined || !this.#isWhole(call)
      ? null
      : { call, process: asked.process, thread: asked.thread };
  }

  /** The call that a message answers. */
  answeredBy(channel: string): string | null {
    return channel.endsWith(ANSWER) ? channel.slice(0, -ANSWER.length) : null;
  }

  /** Whether the trace of the other process has the answer. */
  isAnswered(call: string): boolean {
    return this.#answered.has(call);
  }

  #isWhole(id: string): boolean {
    return this.#served.has(id) && this.#asked.get(id)?.isAwaited === true;
  }
}
