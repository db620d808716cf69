import type { NamedEvent } from '../../src/trace/memory-trace.ts';
import { Op } from '../../src/trace/operation.ts';
import { Random } from './random-traces.ts';

/**
 * The trace of a program whose threads take turns in acquiring two or three locks, one inside the other, and
 * releasing them; and fork and join each other. Most locks are free most of the time, so that there are cycles
 * of locks of all lengths, many of them under gate locks or ordered by forks and joins.
 */
export function lockProgram(seed: number): NamedEvent[] {
  return new Program(new Random(seed)).run();
}

class Program {
  readonly #random: Random;
  readonly #events: NamedEvent[] = [];
  readonly #acting: string[];
  readonly #unforked: string[];
  readonly #locks: string[];

  constructor(random: Random) {
    this.#random = random;
    const threads = Array.from({ length: random.between(2, 6) }, (_, i) => `t${i + 1}`);
    const roots = random.oneIn(2) ? threads.length : random.between(1, 2);
    this.#acting = threads.slice(0, roots);
    this.#unforked = threads.slice(roots);
    this.#locks = Array.from({ length: random.between(2, 5) }, (_, i) => `l${i + 1}`);
  }

  run(): NamedEvent[] {
    const turns = this.#random.between(3, 14);
    for (let i = 0; i < turns; i++) this.#turn();
    return this.#events;
  }

  #turn(): void {
    const thread = this.#acting[this.#random.below(this.#acting.length)];
    if (this.#random.oneIn(4)) this.#fork(thread);
    else if (this.#random.oneIn(8)) this.#join(thread);
    else this.#nest(thread);
  }

  #nest(thread: string): void {
    const free = [...this.#locks];
    const held: string[] = [];
    for (let depth = this.#random.between(2, 3); depth > 0 && free.length > 0; depth--) {
      const [lock] = free.splice(this.#random.below(free.length), 1);
      this.#add(thread, Op.acquire, lock);
      held.push(lock);
      if (this.#random.oneIn(10)) this.#fork(thread);
      if (this.#random.oneIn(10)) this.#join(thread);
    }
    while (held.length > 0) this.#add(thread, Op.release, held.splice(this.#random.below(held.length), 1)[0]);
  }

  #fork(thread: string): void {
    const child = this.#unforked.shift();
    if (child === undefined) return;
    this.#add(thread, Op.fork, child);
    this.#acting.push(child);
  }

  #join(thread: string): void {
    const child = this.#acting[this.#random.below(this.#acting.length)];
    if (child === thread) return;
    this.#add(thread, Op.join, child);
    this.#acting.splice(this.#acting.indexOf(child), 1);
  }

  #add(thread: string, op: Op, operand: string): void {
    this.#events.push({ thread, op, operand });
  }
}
