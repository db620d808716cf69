import { IntList } from './int-list.ts';
import { TupleTable } from './tuple-table.ts';

/** A map from pairs of integers to integers from 0 on. */
export class PairTable {
  readonly #pairs = new TupleTable(2);
  readonly #values = new IntList(64);

  /** The value of a pair, or -1. */
  get(first: number, second: number): number {
    const pair = this.#pairs.find(first, second);
    return pair < 0 ? -1 : this.#values.items[pair];
  }

  set(first: number, second: number, value: number): void {
    const pair = this.#pairs.number(first, second);
    if (this.#pairs.wasNew) this.#values.push(value);
    else this.#values.items[pair] = value;
  }
}
