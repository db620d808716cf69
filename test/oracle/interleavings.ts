import type { NamedEvent } from '../../src/trace/memory-trace.ts';
import { accessKind, Op } from '../../src/trace/operation.ts';
import {
  History,
  isAccess,
  isBoundary,
  isForkOrJoin,
  isOfBarrier,
  isOfChannel,
  structureOf,
} from './history.ts';

/*
 * What other schedules of the same events could do, by trying them all (Wang and Stoller, §2).
 *
 * An interleaving of a trace has exactly its events, those of each thread in their order, so that no lock is
 * held by two threads at a time, no thread acts before it is forked, a thread is joined after its last event,
 * nobody leaves a barrier before all have arrived who did so in that round of the trace, and nobody receives before
 * all have sent who had done so in the trace. Schedules that get stuck are no interleavings. It is serial when the
 * events of every transaction are next to each other; events outside blocks may stand anywhere.
 *
 * Two interleavings are conflict-equivalent when every two conflicting accesses come in the same order in both.
 * They are view-equivalent when every read sees the same in both, and every variable is left the same: a
 * variable holds its last write and the updates since. A trace is conflict-atomic (view-atomic) when each of
 * its interleavings is conflict-equivalent (view-equivalent) to a serial one.
 */

export interface Interleavings {
  conflictAtomic: boolean;
  viewAtomic: boolean;
  /** Whether there is a schedule that gets stuck. */
  deadlocks: boolean;
}

export function tryInterleavings(
  events: readonly NamedEvent[],
  options: { forkJoin?: 'edge' | 'boundary'; barriers?: 'edge' | 'boundary' } = {},
): Interleavings {
  const isCut = (op: number) =>
    (options.forkJoin === 'boundary' && isBoundary(op)) ||
    (options.barriers === 'boundary' && (isOfBarrier(op) || isOfChannel(op)));
  const program = new Program(events, isCut);
  const byConflict = new Exploration(program, new ConflictEquivalence(program));
  const byView = new Exploration(program, new ViewEquivalence(program));
  return {
    conflictAtomic: byConflict.everyOutcomeIsSerial(),
    viewAtomic: byView.everyOutcomeIsSerial(),
    deadlocks: byConflict.getsStuck || byView.getsStuck,
  };
}

/** Accesses are bits of a number. */
const MOST_ACCESSES = 30;

interface Step {
  op: number;
  operand: number;
  transaction: number;
  /** Whether the transaction goes on after this step. */
  isFollowed: boolean;
  /** A number for each access, from 0; -1 for everything else. */
  access: number;
  round: number;
  /** What was sent before this receipt. */
  before: Place[];
}

interface Place {
  thread: number;
  position: number;
}

/** What each thread does, and when it may. */
class Program {
  readonly threads: Step[][] = [];
  readonly accesses: Step[] = [];
  /** For each access, the accesses of other threads that it conflicts with, as bits. */
  readonly conflicting: number[] = [];
  readonly #isForked: boolean[] = [];

  constructor(events: readonly NamedEvent[], isCut: (op: number) => boolean) {
    const history = new History(events);
    const { transactionOf } = structureOf(history, isCut);
    const numbers: number[] = [];
    const places: Place[] = [];
    for (let i = 0; i < history.length; i++) {
      if (history.counts[i] === 0) continue;
      const op = history.op[i];
      const step: Step = {
        op,
        operand: history.operand[i],
        transaction: transactionOf[i],
        isFollowed: false,
        access: isAccess(op) ? numbers.length : -1,
        round: history.round[i],
        before: [],
      };
      if (op === Op.receive || op === Op.wait)
        for (let j = 0; j < i; j++)
          if (history.thread[j] !== history.thread[i] && history.conflict(j, i)) step.before.push(places[j]);
      const steps = this.#stepsOf(history.thread[i]);
      const last = steps.at(-1);
      if (last !== undefined && last.transaction === step.transaction) last.isFollowed = true;
      steps.push(step);
      places[i] = { thread: history.thread[i], position: steps.length - 1 };
      if (isForkOrJoin(op)) this.#stepsOf(step.operand);
      if (op === Op.fork) this.#isForked[step.operand] = true;
      if (step.access < 0) continue;
      numbers.push(i);
      this.accesses.push(step);
    }
    if (numbers.length > MOST_ACCESSES) throw new Error(`more than ${MOST_ACCESSES} accesses`);
    for (const i of numbers) {
      let bits = 0;
      numbers.forEach((j, bit) => {
        if (history.thread[i] !== history.thread[j] && history.conflict(i, j)) bits |= 1 << bit;
      });
      this.conflicting.push(bits);
    }
  }

  #stepsOf(thread: number): Step[] {
    while (this.threads.length <= thread) this.threads.push([]);
    return this.threads[thread];
  }

  isComplete(positions: readonly number[]): boolean {
    return positions.every((position, thread) => position === this.threads[thread].length);
  }

  mayAct(thread: number, positions: readonly number[]): boolean {
    const position = positions[thread];
    if (position === this.threads[thread].length) return false;
    if (position === 0 && this.#isForked[thread] && !this.#wasForked(thread, positions)) return false;
    const { op, operand, round, before } = this.threads[thread][position];
    if (before.some((sent) => positions[sent.thread] <= sent.position)) return false;
    if (op === Op.acquire)
      return !positions.some((_, other) => this.#holds(other, operand, positions[other]));
    if (op === Op.join) return positions[operand] === this.threads[operand].length;
    if (op === Op.leave) return this.#haveArrived(round, positions);
    return true;
  }

  /** Whether the thread is inside a transaction, so that in a serial interleaving only it may act. */
  isInside(thread: number, positions: readonly number[]): boolean {
    return positions[thread] > 0 && this.threads[thread][positions[thread] - 1].isFollowed;
  }

  #wasForked(child: number, positions: readonly number[]): boolean {
    return this.threads.some((steps, thread) =>
      steps.slice(0, positions[thread]).some(({ op, operand }) => op === Op.fork && operand === child),
    );
  }

  #haveArrived(round: number, positions: readonly number[]): boolean {
    return this.threads.every((steps, thread) =>
      steps.every((step, i) => step.op !== Op.arrive || step.round !== round || i < positions[thread]),
    );
  }

  #holds(thread: number, lock: number, position: number): boolean {
    for (let i = position - 1; i >= 0; i--) {
      const { op, operand } = this.threads[thread][i];
      if (operand !== lock) continue;
      if (op === Op.acquire) return true;
      if (op === Op.release) return false;
    }
    return false;
  }
}

/** What equivalent interleavings have in common, as a list of numbers kept up to date at every access. */
interface Equivalence {
  start(): number[];
  /** The list after an access; `done` are the accesses before it, as bits. */
  after(list: readonly number[], access: number, done: number): number[];
}

class ConflictEquivalence implements Equivalence {
  readonly #program: Program;

  constructor(program: Program) {
    this.#program = program;
  }

  start(): number[] {
    return this.#program.accesses.map(() => 0);
  }

  /** For each access, the conflicting ones before it. */
  after(list: readonly number[], access: number, done: number): number[] {
    return list.with(access, this.#program.conflicting[access] & done);
  }
}

class ViewEquivalence implements Equivalence {
  readonly #program: Program;
  readonly #variables: number;

  constructor(program: Program) {
    this.#program = program;
    this.#variables = 1 + Math.max(-1, ...program.accesses.map(({ operand }) => operand));
  }

  start(): number[] {
    return new Array(this.#variables + this.#program.accesses.length).fill(0);
  }

  /** What each variable holds, then what each access saw: the last write and the updates since, as bits. */
  after(list: readonly number[], access: number): number[] {
    const { op, operand } = this.#program.accesses[access];
    if (accessKind(op) === Op.read) return list.with(this.#variables + access, list[operand]);
    return list.with(operand, accessKind(op) === Op.write ? 1 << access : list[operand] | (1 << access));
  }
}

interface State {
  positions: readonly number[];
  done: number;
  list: readonly number[];
}

class Exploration {
  getsStuck = false;
  readonly #program: Program;
  readonly #equivalence: Equivalence;

  constructor(program: Program, equivalence: Equivalence) {
    this.#program = program;
    this.#equivalence = equivalence;
  }

  everyOutcomeIsSerial(): boolean {
    const serial = this.#outcomes(true);
    const all = this.#outcomes(false);
    return [...all].every((outcome) => serial.has(outcome));
  }

  /** The classes of all interleavings, or of the serial ones. Schedules that lead to the same are merged. */
  #outcomes(serialOnly: boolean): Set<string> {
    const program = this.#program;
    const outcomes = new Set<string>();
    const start: State = {
      positions: program.threads.map(() => 0),
      done: 0,
      list: this.#equivalence.start(),
    };
    let states = new Map([['', start]]);
    while (states.size > 0) {
      const next = new Map<string, State>();
      for (const state of states.values()) {
        const { positions } = state;
        if (program.isComplete(positions)) {
          outcomes.add(state.list.join());
          continue;
        }
        const inside = serialOnly ? positions.findIndex((_, t) => program.isInside(t, positions)) : -1;
        let isStuck = true;
        for (let thread = 0; thread < positions.length; thread++) {
          if ((inside >= 0 && thread !== inside) || !program.mayAct(thread, positions)) continue;
          isStuck = false;
          const after = this.#step(state, thread);
          next.set(`${after.positions.join()};${after.list.join()}`, after);
        }
        if (isStuck && !serialOnly) this.getsStuck = true;
      }
      states = next;
    }
    return outcomes;
  }

  #step({ positions, done, list }: State, thread: number): State {
    const { access } = this.#program.threads[thread][positions[thread]];
    const moved = positions.with(thread, positions[thread] + 1);
    if (access < 0) return { positions: moved, done, list };
    return {
      positions: moved,
      done: done | (1 << access),
      list: this.#equivalence.after(list, access, done),
    };
  }
}
