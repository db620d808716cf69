import { Op } from '../trace/operation.ts';
import { literal } from './literal.ts';
import type { AccessStep } from './plan.ts';

/** Variables that are elements of an Int32Array on shared memory. */
export class SharedVariables {
  readonly #array: string;
  readonly #indexes: ReadonlyMap<string, number>;

  /** `array` is what the array is called in the program. */
  constructor(array: string, names: Iterable<string>) {
    this.#array = array;
    this.#indexes = new Map([...names].map((name, i) => [name, i]));
  }

  get count(): number {
    return this.#indexes.size;
  }

  /** Which element is which variable. */
  get legend(): string {
    return [...this.#indexes].map(([name, i]) => `${this.#array}[${i}] is ${literal(name)}`).join(', ');
  }

  has(name: string): boolean {
    return this.#indexes.has(name);
  }

  index(name: string): number {
    return this.#indexes.get(name) as number;
  }

  /** A plain `+=` would be a read and a write, as another thread can come between the two. */
  accessText({ op, event, variable }: AccessStep): string {
    const index = this.index(variable);
    switch (op) {
      case Op.read:
        return `${this.#array}[${index}];`;
      case Op.write:
        return `${this.#array}[${index}] = ${event};`;
      case Op.volatileRead:
        return `Atomics.load(${this.#array}, ${index});`;
      case Op.volatileWrite:
        return `Atomics.store(${this.#array}, ${index}, ${event});`;
      case Op.update:
      case Op.volatileUpdate:
        return `Atomics.add(${this.#array}, ${index}, 1);`;
    }
  }
}
