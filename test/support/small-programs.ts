import type { NamedEvent } from '../../src/trace/memory-trace.ts';
import { Op } from '../../src/trace/operation.ts';
import { Random } from './random-traces.ts';

export interface ProgramShape {
  threads: number;
  /** How many steps there are, all threads together, without begins and ends. */
  steps: number;
  /** One block a thread with all that it does; else there are several, and steps outside blocks. */
  oneBlockEach?: boolean;
}

/**
 * A small program whose threads read, write and update two or three variables and use one or two locks, one
 * section inside the other, so that all its schedules can be tried. It is given as the trace of a schedule in
 * which each thread takes a few steps at a time.
 */
export function smallProgram(seed: number, shape: ProgramShape): NamedEvent[] {
  return new Program(new Random(seed), shape).run();
}

interface Step {
  op: Op;
  operand: string;
}

class Program {
  readonly #random: Random;
  readonly #shape: ProgramShape;
  readonly #variables: number;
  readonly #locks: number;
  readonly #updates: boolean;
  #labels = 0;

  constructor(random: Random, shape: ProgramShape) {
    this.#random = random;
    this.#shape = shape;
    this.#variables = random.between(1, 3);
    this.#locks = random.below(3);
    this.#updates = random.oneIn(3);
  }

  run(): NamedEvent[] {
    const { threads, steps } = this.#shape;
    const each = Math.max(1, Math.floor(steps / threads));
    return this.#schedule(Array.from({ length: threads }, () => this.#thread(each)));
  }

  #thread(length: number): Step[] {
    const steps: Step[] = [];
    if (this.#shape.oneBlockEach === true) return this.#block(steps, length);
    for (let left = length; left > 0; ) {
      const part = this.#random.between(1, left);
      if (this.#random.oneIn(4)) this.#sequence(steps, part, []);
      else this.#block(steps, part);
      left -= part;
    }
    return steps;
  }

  #block(steps: Step[], length: number): Step[] {
    const label = `B${++this.#labels}`;
    steps.push({ op: Op.begin, operand: label });
    this.#sequence(steps, length, []);
    steps.push({ op: Op.end, operand: label });
    return steps;
  }

  /** An acquire and its release count as one step each. */
  #sequence(steps: Step[], length: number, held: readonly string[]): void {
    for (let left = length; left > 0; ) {
      const lock = `l${this.#random.below(this.#locks) + 1}`;
      if (left > 2 && this.#locks > 0 && this.#random.oneIn(2) && !held.includes(lock)) {
        const inside = this.#random.between(1, left - 2);
        steps.push({ op: Op.acquire, operand: lock });
        this.#sequence(steps, inside, [...held, lock]);
        steps.push({ op: Op.release, operand: lock });
        left -= inside + 2;
      } else {
        steps.push(this.#access());
        left--;
      }
    }
  }

  #access(): Step {
    const operand = `x${this.#random.below(this.#variables) + 1}`;
    if (this.#updates && this.#random.oneIn(3)) return { op: Op.update, operand };
    return { op: this.#random.oneIn(2) ? Op.read : Op.write, operand };
  }

  /** One schedule; it goes around deadlocks by finishing the blocks of one thread after the other if it must. */
  #schedule(threads: readonly Step[][]): NamedEvent[] {
    const events: NamedEvent[] = [];
    const holders = new Map<string, number>();
    const next = threads.map(() => 0);
    let current = 0;
    for (let tries = 0; tries < 200 && next.some((at, t) => at < threads[t].length); tries++) {
      if (this.#random.oneIn(2)) current = this.#random.below(threads.length);
      const step = threads[current][next[current]];
      if (step === undefined || (step.op === Op.acquire && holders.has(step.operand))) continue;
      if (step.op === Op.acquire) holders.set(step.operand, current);
      if (step.op === Op.release) holders.delete(step.operand);
      events.push({ thread: `t${current + 1}`, ...step });
      next[current]++;
    }
    if (next.every((at, t) => at === threads[t].length)) return events;
    return threads.flatMap((steps, t) => steps.map((step) => ({ thread: `t${t + 1}`, ...step })));
  }
}
