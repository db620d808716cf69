import type { EventBatch } from '../../trace/batch.ts';
import type { FactRecord } from '../../trace/facts.ts';
import type { NameTables } from '../../trace/names.ts';
import type { TraceSink } from '../core/trace-sink.ts';
import { isHandlerKind, OverlookedSearch } from '../judgement/overlooked-search.ts';

/**
 * Notices, while tests run, that there may be something which no cycle of conflicts shows (`overlooked.ts`). Most tests have
 * nothing of the kind, and nobody need look at their trace.
 */
export class OverlookedWatch implements TraceSink {
  readonly #names: NameTables;
  readonly #search: OverlookedSearch;
  readonly #handlers = new Set<string>();
  #hasServed = false;
  /** The number of the last event. */
  last = 0;

  /** `known` are the begins of blocks that are known to be violated. */
  constructor(names: NameTables, known: ReadonlySet<number>) {
    this.#names = names;
    const isHandlerTask = (thread: number) => this.#handlers.has(names.threads.text(thread));
    this.#search = new OverlookedSearch(known, names, [], { isHandlerTask });
  }

  /** Whether somebody should look; from here on only what is new counts. */
  takeNews(): boolean {
    const hasNews = this.#search.takeNews() || this.#hasServed;
    this.#hasServed = false;
    return hasNews;
  }

  take(batch: EventBatch): void {
    this.#search.look(batch);
    this.last = batch.firstEvent + batch.length - 1;
  }

  noteFact(fact: FactRecord): void {
    if (fact[0] === 'task' && isHandlerKind(fact[2].kind)) this.#handlers.add(fact[1]);
    // Which blocks that concerns is found out when the whole trace is read again.
    else if (fact[0] === 'served') this.#hasServed = true;
  }

  needsThread(): boolean {
    return false;
  }

  forgetThreads(threads: readonly number[]): void {
    for (const thread of threads) {
      this.#handlers.delete(this.#names.threads.text(thread));
      this.#search.forgetThread(thread);
    }
  }

  needsVariable(): boolean {
    return false;
  }

  forgetVariable(variable: number): void {
    this.#search.forgetVariable(variable);
  }

  finish(): void {}
}
