const LEAST = 1024;

/** Words that have come and not been used. */
export class WordQueue {
  words = new Int32Array(LEAST);
  /** What is in it lies from `start` to `end`. */
  start = 0;
  end = 0;

  get isEmpty(): boolean {
    return this.start === this.end;
  }

  append(words: Int32Array): void {
    if (this.end + words.length > this.words.length) this.#makeRoom(words.length);
    this.words.set(words, this.end);
    this.end += words.length;
  }

  #makeRoom(count: number): void {
    const used = this.end - this.start;
    // What there was much of once need not be kept for ever.
    let capacity = Math.max(LEAST, 2 * (used + count));
    if (capacity <= this.words.length && capacity > this.words.length >> 3) capacity = this.words.length;
    const words = capacity === this.words.length ? this.words : new Int32Array(capacity);
    if (words === this.words) words.copyWithin(0, this.start, this.end);
    else words.set(this.words.subarray(this.start, this.end));
    this.words = words;
    this.start = 0;
    this.end = used;
  }
}
