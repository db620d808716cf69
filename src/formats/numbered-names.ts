import { grownInt32 } from '../trace/growable.ts';
import type { NameTable } from '../trace/name-table.ts';

/** Gives ids to things that a format only numbers: thread 3 is named `T3` the first time it is met. */
export class NumberedNames {
  readonly #table: NameTable;
  readonly #prefix: string;
  /** Id + 1 of each small number, 0 if it has not been met. */
  #near = new Int32Array(64);
  readonly #far = new Map<number, number>();

  constructor(table: NameTable, prefix: string) {
    this.#table = table;
    this.#prefix = prefix;
  }

  id(number: number): number {
    const entry = number < this.#near.length ? this.#near[number] : 0;
    return entry > 0 ? entry - 1 : this.#meet(number);
  }

  #meet(number: number): number {
    const id = this.#far.get(number) ?? this.#table.internText(`${this.#prefix}${number}`);
    // The array follows how many numbers there are, not how large one of them is.
    if (number < 4 * this.#table.size + 1024) {
      this.#near = grownInt32(this.#near, number + 1);
      this.#near[number] = id + 1;
    } else {
      this.#far.set(number, id);
    }
    return id;
  }
}
