import { CALLBACK } from '../core/activation.ts';
import type { Task } from '../core/task.ts';
import { type IncomingRequest, requestOf } from './requests.ts';
import type { Sites } from './sites.ts';

/** So many names are counted one by one; a program may have any number of paths. */
const MOST_COUNTED = 10_000;

/**
 * Names of tasks, as a person would call them: `transfer#2` is the second call of `transfer`, `POST /orders #2` the second
 * request of that kind, `audit in POST /orders #2` what it started. No two tasks of an isolate have the same.
 */
export class TaskNames {
  readonly #sites: Sites;
  /** The name of its first task, with which the names of all that is its own begin; null for the main isolate. */
  readonly #isolate: string | null;
  #hasMain = false;
  readonly #counts = new Map<string, number>();
  #others = MOST_COUNTED;

  constructor(sites: Sites, isolate: string | null) {
    this.#sites = sites;
    this.#isolate = isolate;
  }

  /** The name of the thread that stands for the task in the trace. */
  threadOf(task: Task): string {
    if (task.kind === 'reaper') return this.inIsolate('reaper');
    if (task.kind === 'main' && !this.#hasMain) {
      this.#hasMain = true;
      return this.#isolate ?? 'main';
    }
    return this.inIsolate(this.#nameOf(task));
  }

  /** The name of something that only this isolate has. */
  inIsolate(name: string): string {
    return this.#isolate === null ? name : `${this.#isolate}: ${name}`;
  }

  #nameOf(task: Task): string {
    const { root } = task;
    const request = requestOf(root);
    const kind = task.kind !== '' || root === null ? task.kind : this.#sites.text(root.site) || 'anonymous';
    if (request === null) return this.#numbered(kind);
    // What does all by itself, without any call, handles the request, too.
    if (root !== null) request.handler ??= root;
    if (root === request.handler && !request.isTaken) {
      request.isTaken = true;
      return this.#requestName(request);
    }
    const name = this.#requestName(request);
    if (root?.kind === CALLBACK && kind === 'main') return within(request, 'callback', name);
    // A handler may be called after the same route.
    return within(request, name.startsWith(`${kind} #`) ? 'handler' : kind, name);
  }

  #requestName(request: IncomingRequest): string {
    request.name ??= this.#numbered(request.takeTitle());
    return request.name;
  }

  #numbered(name: string): string {
    const count = this.#counts.get(name) ?? 0;
    const isCounted = count > 0 || this.#counts.size < MOST_COUNTED;
    if (isCounted) this.#counts.set(name, count + 1);
    const number = isCounted ? count + 1 : ++this.#others;
    return name.includes(' ') ? `${name} #${number}` : `${name}#${number}`;
  }
}

function within(request: IncomingRequest, kind: string, name: string): string {
  request.counts ??= new Map();
  const count = (request.counts.get(kind) ?? 0) + 1;
  request.counts.set(kind, count);
  return count === 1 ? `${kind} in ${name}` : `${kind} (${count}) in ${name}`;
}
