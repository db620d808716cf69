import type { Entry } from './entry.ts';

/** Entries by the time when they are due; those of the same time by when they were made. */
export class EntryHeap {
  readonly #entries: Entry[] = [];

  get size(): number {
    return this.#entries.length;
  }

  first(): Entry | undefined {
    return this.#entries[0];
  }

  push(entry: Entry): void {
    entry.place = this.#entries.length;
    this.#entries.push(entry);
    this.#up(entry);
  }

  remove(entry: Entry): void {
    const { place } = entry;
    if (place < 0) return;
    entry.place = -1;
    const last = this.#entries.pop() as Entry;
    if (last === entry) return;
    this.#put(last, place);
    this.#up(last);
    this.#down(last);
  }

  [Symbol.iterator](): IterableIterator<Entry> {
    return this.#entries.values();
  }

  #up(entry: Entry): void {
    while (entry.place > 0) {
      const above = this.#entries[(entry.place - 1) >> 1];
      if (!isBefore(entry, above)) return;
      this.#swap(entry, above);
    }
  }

  #down(entry: Entry): void {
    for (;;) {
      const left = 2 * entry.place + 1;
      if (left >= this.#entries.length) return;
      const right = this.#entries[left + 1];
      const below = right !== undefined && isBefore(right, this.#entries[left]) ? right : this.#entries[left];
      if (!isBefore(below, entry)) return;
      this.#swap(below, entry);
    }
  }

  #swap(a: Entry, b: Entry): void {
    const { place } = a;
    this.#put(a, b.place);
    this.#put(b, place);
  }

  #put(entry: Entry, place: number): void {
    this.#entries[place] = entry;
    entry.place = place;
  }
}

function isBefore(a: Entry, b: Entry): boolean {
  return a.due < b.due || (a.due === b.due && a.number < b.number);
}
