import type { NamedEvent } from '../../src/trace/memory-trace.ts';
import { Op } from '../../src/trace/operation.ts';
import { insertMeeting, Meetings } from './meetings.ts';
import { insertMessage, insertVolatile } from './messages.ts';
import { Random } from './random-traces.ts';

/*
 * Random programs of a few threads, for what has to hold in all their schedules: each is written thread by
 * thread, and then run once, in one random schedule that does not get stuck.
 */

export interface ProgramShape {
  threads: number;
  variables: number;
  locks: number;
  /** At most so many units of each thread, and steps of each unit. */
  units: number;
  steps: number;
  accesses: readonly Op[];
  /** Whether every unit is a block; or else some are accesses and regions outside blocks. */
  onlyBlocks: boolean;
  /** Whether locks are always acquired in one order, so that no deadlock is possible. */
  orderedLocks: boolean;
  /** Whether locks are released in the opposite order. */
  nestedLocks: boolean;
  /** Whether locks are released in the unit that acquired them. */
  locksWithinUnits: boolean;
  /** Whether the first thread forks the others and joins them at some point. */
  forkJoin: boolean;
  /** How often all threads meet at a barrier, inside blocks or outside; never unless told. */
  meetings?: number;
  /** How many messages are sent and received, and how many volatile variables there are; none unless told. */
  messages?: number;
  volatiles?: number;
  /** How often a unit may do its steps again, if it holds no lock after them; once unless told. */
  repeats?: number;
}

/** The trace of a random program with this seed. */
export function randomProgram(seed: number, shape: ProgramShape): NamedEvent[] {
  const random = new Random(seed);
  for (;;) {
    const threads = new Writer(random, shape).write();
    for (let tries = 0; tries < 5; tries++) {
      const events = schedule(random, threads);
      if (events !== null) return events;
    }
  }
}

class Writer {
  readonly #random: Random;
  readonly #shape: ProgramShape;
  readonly #threads: NamedEvent[][] = [];
  #labels = 0;

  constructor(random: Random, shape: ProgramShape) {
    this.#random = random;
    this.#shape = shape;
  }

  write(): NamedEvent[][] {
    for (let t = 0; t < this.#shape.threads; t++) this.#threads.push(this.#thread(`t${t + 1}`));
    if (this.#shape.forkJoin) this.#forkAndJoin();
    for (const [t, own] of this.#threads.entries())
      for (let i = 0; i < (this.#shape.meetings ?? 0); i++) insertMeeting(own, `t${t + 1}`, this.#random);
    for (let i = 1; i <= (this.#shape.messages ?? 0); i++)
      insertMessage(this.#threads, `m${i}`, this.#random);
    for (let i = 1; i <= (this.#shape.volatiles ?? 0); i++)
      insertVolatile(this.#threads, `v${i}`, this.#random);
    return this.#threads;
  }

  #thread(thread: string): NamedEvent[] {
    const events: NamedEvent[] = [];
    const held: string[] = [];
    const units = this.#random.between(1, this.#shape.units);
    for (let unit = 0; unit < units; unit++) {
      const isBlock = this.#shape.onlyBlocks || !this.#random.oneIn(3);
      const label = `B${++this.#labels}`;
      if (isBlock) events.push({ thread, op: Op.begin, operand: label });
      const start = events.length;
      this.#steps(thread, events, held);
      const steps = events.slice(start);
      const repeats = held.length > 0 ? 1 : this.#random.between(1, this.#shape.repeats ?? 1);
      for (let again = 1; again < repeats; again++) events.push(...steps);
      if (isBlock) events.push({ thread, op: Op.end, operand: label });
    }
    while (held.length > 0) this.#release(thread, events, held);
    return events;
  }

  #steps(thread: string, events: NamedEvent[], held: string[]): void {
    const { accesses, variables, locksWithinUnits } = this.#shape;
    const steps = this.#random.between(1, this.#shape.steps);
    for (let step = 0; step < steps; step++) {
      if (held.length > 0 && this.#random.oneIn(4)) this.#release(thread, events, held);
      else if (this.#random.oneIn(3)) this.#acquire(thread, events, held);
      else {
        const op = accesses[this.#random.below(accesses.length)];
        events.push({ thread, op, operand: `x${this.#random.between(1, variables)}` });
      }
    }
    while (held.length > 0 && (locksWithinUnits || this.#random.oneIn(2)))
      this.#release(thread, events, held);
  }

  #acquire(thread: string, events: NamedEvent[], held: string[]): void {
    const { locks, orderedLocks } = this.#shape;
    const free: string[] = [];
    for (let l = 1; l <= locks; l++) {
      const lock = `l${l}`;
      if (!held.includes(lock) && (!orderedLocks || held.every((other) => other < lock))) free.push(lock);
    }
    if (free.length === 0) return;
    const lock = free[this.#random.below(free.length)];
    held.push(lock);
    events.push({ thread, op: Op.acquire, operand: lock });
  }

  #release(thread: string, events: NamedEvent[], held: string[]): void {
    const at = this.#shape.nestedLocks ? held.length - 1 : this.#random.below(held.length);
    const [lock] = held.splice(at, 1);
    events.push({ thread, op: Op.release, operand: lock });
  }

  /** Anywhere in the first thread, inside blocks too; the children that are forked late may be joined never. */
  #forkAndJoin(): void {
    const [main, ...children] = this.#threads;
    for (const [c] of children.entries()) {
      const child = `t${c + 2}`;
      const forkAt = this.#random.below(main.length + 1);
      main.splice(forkAt, 0, { thread: 't1', op: Op.fork, operand: child });
      if (this.#random.oneIn(2)) continue;
      const joinAt = this.#random.between(forkAt + 1, main.length);
      main.splice(joinAt, 0, { thread: 't1', op: Op.join, operand: child });
    }
  }
}

/** The events in a random order that is possible; null if it got stuck. */
function schedule(random: Random, threads: readonly NamedEvent[][]): NamedEvent[] | null {
  const events: NamedEvent[] = [];
  const positions = threads.map(() => 0);
  const holders = new Map<string, string>();
  const meetings = new Meetings(threads.length);
  const sent = new Set<string>();
  const forks = new Set(threads.flat().flatMap(({ op, operand }) => (op === Op.fork ? [operand] : [])));
  const nameOf = (t: number) => `t${t + 1}`;
  const isOver = (t: number) => positions[t] === threads[t].length;
  const mayAct = (t: number) => {
    if (isOver(t) || forks.has(nameOf(t))) return false;
    const { op, operand } = threads[t][positions[t]];
    if (op === Op.acquire) return !holders.has(operand);
    if (op === Op.leave) return meetings.mayLeave(t);
    if (op === Op.receive || op === Op.wait) return sent.has(operand);
    return op !== Op.join || threads.every((_, other) => nameOf(other) !== operand || isOver(other));
  };
  for (;;) {
    const ready = [...threads.keys()].filter(mayAct);
    if (ready.length === 0) return threads.every((_, t) => isOver(t)) ? events : null;
    const t = ready[random.below(ready.length)];
    const event = threads[t][positions[t]++];
    if (event.op === Op.acquire) holders.set(event.operand, event.thread);
    if (event.op === Op.release) holders.delete(event.operand);
    if (event.op === Op.fork) forks.delete(event.operand);
    if (event.op === Op.arrive) meetings.arrive(t);
    if (event.op === Op.send || event.op === Op.notify) sent.add(event.operand);
    events.push(event);
  }
}
