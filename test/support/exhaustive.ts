import type { NamedEvent } from '../../src/trace/memory-trace.ts';
import { Op } from '../../src/trace/operation.ts';

/** What small traces are made of; see `allTraces`. */
export interface Scope {
  /** Traces have 1 to so many events. */
  events: number;
  threads: number;
  variables: number;
  locks?: number;
  /** How deep blocks nest; 1 unless told. */
  depth?: number;
  /** Whether threads fork and join each other. */
  forkJoin?: boolean;
  /** Which accesses there are; all three unless told. */
  accesses?: readonly Op[];
}

/**
 * Every well-formed trace within the scope, one for all that differ only in names: threads, variables and
 * locks are numbered in the order in which they first appear. Nothing is kept but the trace being built, which
 * is yielded itself and goes on changing: copy it to keep it.
 */
export function* allTraces(scope: Scope): Generator<readonly NamedEvent[]> {
  yield* new Search(scope).traces();
}

class ThreadState {
  hasEvents = false;
  wasForked = false;
  wasJoined = 0;
  readonly openBlocks: string[] = [];
}

class LockState {
  holder = -1;
  depth = 0;
}

class Search {
  readonly #scope: Scope;
  readonly #accesses: readonly Op[];
  readonly #events: NamedEvent[] = [];
  readonly #threads: ThreadState[];
  readonly #locks: LockState[];
  #threadsSeen = 0;
  #variablesSeen = 0;
  #locksSeen = 0;

  constructor(scope: Scope) {
    this.#scope = scope;
    this.#accesses = scope.accesses ?? [Op.read, Op.write, Op.update];
    this.#threads = Array.from({ length: scope.threads }, () => new ThreadState());
    this.#locks = Array.from({ length: scope.locks ?? 0 }, () => new LockState());
  }

  *traces(): Generator<readonly NamedEvent[]> {
    if (this.#events.length === this.#scope.events) return;
    const threadsSeen = this.#threadsSeen;
    for (let t = 0; t < this.#threads.length && t <= threadsSeen; t++) {
      const thread = this.#threads[t];
      if (thread.wasJoined > 0) continue;
      const hadEvents = thread.hasEvents;
      thread.hasEvents = true;
      this.#threadsSeen = Math.max(threadsSeen, t + 1);
      yield* this.#blockEvents(t);
      yield* this.#accessEvents(t);
      yield* this.#lockEvents(t);
      if (this.#scope.forkJoin === true) yield* this.#forkJoinEvents(t);
      this.#threadsSeen = threadsSeen;
      thread.hasEvents = hadEvents;
    }
  }

  /** The trace with one event more, and all that can follow it. */
  *#with(thread: number, op: Op, operand: string): Generator<readonly NamedEvent[]> {
    this.#events.push({ thread: `t${thread + 1}`, op, operand });
    yield this.#events;
    yield* this.traces();
    this.#events.pop();
  }

  *#blockEvents(t: number): Generator<readonly NamedEvent[]> {
    const { openBlocks } = this.#threads[t];
    if (openBlocks.length < (this.#scope.depth ?? 1)) {
      const label = `B${this.#events.length + 1}`;
      openBlocks.push(label);
      yield* this.#with(t, Op.begin, label);
      openBlocks.pop();
    }
    const innermost = openBlocks.pop();
    if (innermost !== undefined) {
      yield* this.#with(t, Op.end, innermost);
      openBlocks.push(innermost);
    }
  }

  *#accessEvents(t: number): Generator<readonly NamedEvent[]> {
    const seen = this.#variablesSeen;
    for (let x = 0; x < this.#scope.variables && x <= seen; x++) {
      this.#variablesSeen = Math.max(seen, x + 1);
      for (const op of this.#accesses) yield* this.#with(t, op, `x${x + 1}`);
      this.#variablesSeen = seen;
    }
  }

  *#lockEvents(t: number): Generator<readonly NamedEvent[]> {
    const seen = this.#locksSeen;
    for (let l = 0; l < this.#locks.length && l <= seen; l++) {
      const lock = this.#locks[l];
      if (lock.depth > 0 && lock.holder !== t) continue;
      const { holder, depth } = lock;
      this.#locksSeen = Math.max(seen, l + 1);
      lock.holder = t;
      lock.depth = depth + 1;
      yield* this.#with(t, Op.acquire, `l${l + 1}`);
      if (depth > 0) {
        lock.depth = depth - 1;
        yield* this.#with(t, Op.release, `l${l + 1}`);
      }
      lock.holder = holder;
      lock.depth = depth;
      this.#locksSeen = seen;
    }
  }

  *#forkJoinEvents(t: number): Generator<readonly NamedEvent[]> {
    const seen = this.#threadsSeen;
    for (let c = 0; c < this.#threads.length && c <= seen; c++) {
      if (c === t) continue;
      const child = this.#threads[c];
      this.#threadsSeen = Math.max(seen, c + 1);
      if (!child.hasEvents && !child.wasForked) {
        child.wasForked = true;
        yield* this.#with(t, Op.fork, `t${c + 1}`);
        child.wasForked = false;
      }
      child.wasJoined++;
      yield* this.#with(t, Op.join, `t${c + 1}`);
      child.wasJoined--;
      this.#threadsSeen = seen;
    }
  }
}
