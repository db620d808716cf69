import { grownInt32 } from '../trace/growable.ts';

/** One word of bits for every id: which of up to 32 searches care about it. */
class Bits {
  #words = new Int32Array(64);

  at(id: number): number {
    return id < this.#words.length ? this.#words[id] : 0;
  }

  set(id: number, bit: number): void {
    this.#words = grownInt32(this.#words, id + 1);
    this.#words[id] |= bit;
  }

  clear(id: number, bit: number): void {
    this.#words[id] &= ~bit;
  }
}

/** Which threads, variables and locks the open searches care about, so that they are shown nothing else. */
export class InterestTable {
  readonly threads = new Bits();
  readonly variables = new Bits();
  readonly locks = new Bits();
  /** How many entries there are for all searches together: what bounds their memory. */
  size = 0;
}

/** The part of the table that belongs to one search. */
export class Interest {
  readonly #table: InterestTable;
  readonly #bit: number;
  #threads: number[] = [];
  #variables: number[] = [];
  #locks: number[] = [];

  constructor(table: InterestTable, bit: number) {
    this.#table = table;
    this.#bit = bit;
  }

  thread(id: number): void {
    this.#add(this.#table.threads, this.#threads, id);
  }

  variable(id: number): void {
    this.#add(this.#table.variables, this.#variables, id);
  }

  lock(id: number): void {
    this.#add(this.#table.locks, this.#locks, id);
  }

  /** From here on the search cares about nothing; what it was told is forgotten. */
  release(): void {
    this.#remove(this.#table.threads, this.#threads);
    this.#remove(this.#table.variables, this.#variables);
    this.#remove(this.#table.locks, this.#locks);
    this.#threads = [];
    this.#variables = [];
    this.#locks = [];
  }

  #add(bits: Bits, ids: number[], id: number): void {
    if ((bits.at(id) & this.#bit) !== 0) return;
    bits.set(id, this.#bit);
    ids.push(id);
    this.#table.size++;
  }

  #remove(bits: Bits, ids: readonly number[]): void {
    for (const id of ids) bits.clear(id, this.#bit);
    this.#table.size -= ids.length;
  }
}
