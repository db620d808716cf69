import { BarrierRounds } from '../../trace/barrier-rounds.ts';
import type { Analysis, AnalysisContext, Outcome, ViolationSink } from '../analysis.ts';
import { VectorClock } from './vector-clock.ts';

/* The names of clocks in AeroDrome §4.1.1 are given in brackets. */

class Thread {
  /** The time of the thread's last event [C]. */
  readonly clock = new VectorClock();
  /** The time of the begin of its running transaction [C▷]. */
  readonly begin = new VectorClock();
  hasEvents = false;
  /** How many blocks are open; a transaction is running while there is one. */
  depth = 0;
  /** The outermost open block. */
  beginEvent = 0;
  label = 0;

  constructor(id: number) {
    this.clock.set(id, 1);
  }
}

class Lock {
  /** The time of the last release [L]. */
  readonly released = new VectorClock();
  lastReleaser = -1;
}

class Variable {
  /** The time of the last write [W]. */
  readonly written = new VectorClock();
  lastWriter = -1;
  /** The time of each thread's last read [R]. */
  readonly read: (VectorClock | undefined)[] = [];
  /** The time of each thread's last update. Like reads they commute with each other, and with nothing else. */
  readonly updated: (VectorClock | undefined)[] = [];
}

/**
 * AeroDrome's Algorithm 1 (§4.1), as it is printed but for three corrections: a joined thread without events
 * orders nothing; transactions that are open at the end of the trace end there, so that the verdict of
 * Theorem 3 holds for every trace; and updates are a third kind of access.
 *
 * At every end it walks all variables, locks and threads. That is why it only serves as the reference for
 * checkers that do not.
 */
export class AeroDromeBasic implements Analysis {
  readonly #report: ViolationSink;
  readonly #threads: Thread[] = [];
  readonly #locks: Lock[] = [];
  readonly #variables: Variable[] = [];
  readonly #rounds = new BarrierRounds();
  /** Arrivals at a barrier are updates of its round, departures reads: they commute in the same way. */
  readonly #roundVariables = new Map<number, Variable>();
  /** What is sent through a channel updates it. Whoever receives is after all that, and leaves nothing behind. */
  readonly #channels = new Map<number, Variable>();
  /** Where a violation was declared. Nothing is looked at after it. */
  #violation: number | null = null;

  constructor(context: AnalysisContext) {
    this.#report = context.report;
  }

  acquire(t: number, l: number, event: number): void {
    if (this.#violation !== null) return;
    this.#acting(t);
    const lock = this.#lock(l);
    if (lock.lastReleaser !== t) this.#checkAndGet(lock.released, t, event);
  }

  release(t: number, l: number): void {
    if (this.#violation !== null) return;
    const lock = this.#lock(l);
    lock.released.assign(this.#acting(t).clock);
    lock.lastReleaser = t;
  }

  fork(t: number, child: number): void {
    if (this.#violation !== null) return;
    this.#thread(child).clock.join(this.#acting(t).clock);
  }

  join(t: number, child: number, event: number): void {
    if (this.#violation !== null) return;
    this.#acting(t);
    // The clock of a child without events holds the time of its fork, which is not an event of the child.
    const { hasEvents, clock } = this.#thread(child);
    if (hasEvents) this.#checkAndGet(clock, t, event);
  }

  read(t: number, x: number, event: number): void {
    if (this.#violation !== null) return;
    this.#read(t, this.#variable(x), event);
  }

  update(t: number, x: number, event: number): void {
    if (this.#violation !== null) return;
    this.#update(t, this.#variable(x), event);
  }

  write(t: number, x: number, event: number): void {
    if (this.#violation !== null) return;
    const { clock } = this.#acting(t);
    const variable = this.#variable(x);
    if (variable.lastWriter !== t) this.#checkAndGet(variable.written, t, event);
    this.#checkAndGetOthers(variable.read, t, event);
    this.#checkAndGetOthers(variable.updated, t, event);
    variable.written.assign(clock);
    variable.lastWriter = t;
  }

  arrive(t: number, barrier: number, event: number): void {
    if (this.#violation !== null) return;
    const round = this.#rounds.arrive(t, barrier);
    const variable = this.#roundVariables.get(round) ?? new Variable();
    this.#roundVariables.set(round, variable);
    this.#update(t, variable, event);
  }

  leave(t: number, barrier: number, event: number): void {
    if (this.#violation !== null) return;
    const round = this.#rounds.leave(t, barrier);
    this.#read(t, this.#roundVariables.get(round)!, event);
    if (!this.#rounds.isOver(round)) return;
    this.#roundVariables.delete(round);
    this.#rounds.giveBack(round);
  }

  send(t: number, channel: number, event: number): void {
    if (this.#violation !== null) return;
    const variable = this.#channels.get(channel) ?? new Variable();
    this.#channels.set(channel, variable);
    this.#update(t, variable, event);
  }

  receive(t: number, channel: number, event: number): void {
    if (this.#violation !== null) return;
    this.#acting(t);
    this.#checkAndGetOthers(this.#channels.get(channel)?.updated ?? [], t, event);
  }

  begin(t: number, label: number, event: number): void {
    if (this.#violation !== null) return;
    const thread = this.#acting(t);
    // Nested blocks are left out: whatever is wrong with one is wrong with the outermost (§4.1.4).
    if (thread.depth++ > 0) return;
    thread.label = label;
    thread.beginEvent = event;
    thread.clock.set(t, thread.clock.get(t) + 1);
    thread.begin.assign(thread.clock);
  }

  end(t: number, _label: number, event: number): void {
    if (this.#violation !== null) return;
    if (--this.#acting(t).depth === 0) this.#endTransaction(t, event);
  }

  finish(lastEvent: number): void {
    for (let t = 0; t < this.#threads.length; t++) {
      if (this.#violation !== null) return;
      const thread = this.#threads[t];
      if (thread.depth === 0) continue;
      thread.depth = 0;
      this.#endTransaction(t, lastEvent);
    }
  }

  outcome(): Outcome {
    return { serializable: this.#violation === null, firstEvent: this.#violation, statistics: {} };
  }

  /** Whatever is after the transaction's begin is from now on after all of it. */
  #endTransaction(t: number, event: number): void {
    const { begin, clock } = this.#threads[t];
    for (let u = 0; u < this.#threads.length; u++)
      if (u !== t && begin.isAtMost(this.#threads[u].clock)) this.#checkAndGet(clock, u, event);
    const raise = (other: VectorClock | undefined) => {
      if (other !== undefined && begin.isAtMost(other)) other.join(clock);
    };
    for (const lock of this.#locks) raise(lock.released);
    for (const variable of [
      ...this.#variables,
      ...this.#roundVariables.values(),
      ...this.#channels.values(),
    ]) {
      raise(variable.written);
      variable.read.forEach(raise);
      variable.updated.forEach(raise);
    }
  }

  #read(t: number, variable: Variable, event: number): void {
    const { clock } = this.#acting(t);
    if (variable.lastWriter !== t) this.#checkAndGet(variable.written, t, event);
    this.#checkAndGetOthers(variable.updated, t, event);
    clockOf(variable.read, t).assign(clock);
  }

  #update(t: number, variable: Variable, event: number): void {
    const { clock } = this.#acting(t);
    if (variable.lastWriter !== t) this.#checkAndGet(variable.written, t, event);
    this.#checkAndGetOthers(variable.read, t, event);
    clockOf(variable.updated, t).assign(clock);
  }

  #checkAndGetOthers(clocks: readonly (VectorClock | undefined)[], t: number, event: number): void {
    for (let u = 0; u < clocks.length; u++) {
      const clock = clocks[u];
      if (u !== t && clock !== undefined) this.#checkAndGet(clock, t, event);
    }
  }

  /** Orders `clock` before what `t` does next: a violation if it is after the begin of t's transaction. */
  #checkAndGet(clock: VectorClock, t: number, event: number): void {
    const thread = this.#threads[t];
    if (this.#violation === null && thread.depth > 0 && thread.begin.isAtMost(clock)) {
      this.#violation = event;
      const block = { label: thread.label, begin: thread.beginEvent, depth: 0 };
      this.#report({ kind: 'trace', event, thread: t, block });
    }
    thread.clock.join(clock);
  }

  #acting(t: number): Thread {
    const thread = this.#thread(t);
    thread.hasEvents = true;
    return thread;
  }

  #thread(t: number): Thread {
    while (this.#threads.length <= t) this.#threads.push(new Thread(this.#threads.length));
    return this.#threads[t];
  }

  #lock(l: number): Lock {
    while (this.#locks.length <= l) this.#locks.push(new Lock());
    return this.#locks[l];
  }

  #variable(x: number): Variable {
    while (this.#variables.length <= x) this.#variables.push(new Variable());
    return this.#variables[x];
  }
}

function clockOf(clocks: (VectorClock | undefined)[], t: number): VectorClock {
  let clock = clocks[t];
  if (clock === undefined) {
    clock = new VectorClock();
    clocks[t] = clock;
  }
  return clock;
}
