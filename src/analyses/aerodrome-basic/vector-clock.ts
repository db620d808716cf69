/** A time for each thread; threads that were never set are at 0 (AeroDrome §4). */
export class VectorClock {
  #times = new Int32Array(4);
  /** Times at or beyond this index are 0. */
  #length = 0;

  get(thread: number): number {
    return thread < this.#length ? this.#times[thread] : 0;
  }

  set(thread: number, time: number): void {
    this.#reserve(thread + 1);
    this.#times[thread] = time;
  }

  /** Whether no thread is later here than in `other`. */
  isAtMost(other: VectorClock): boolean {
    for (let thread = 0; thread < this.#length; thread++)
      if (this.#times[thread] > other.get(thread)) return false;
    return true;
  }

  /** Takes the later time of each thread. */
  join(other: VectorClock): void {
    this.#reserve(other.#length);
    for (let thread = 0; thread < other.#length; thread++)
      if (other.#times[thread] > this.#times[thread]) this.#times[thread] = other.#times[thread];
  }

  assign(other: VectorClock): void {
    this.#reserve(other.#length);
    this.#times.fill(0, other.#length, this.#length);
    for (let thread = 0; thread < other.#length; thread++) this.#times[thread] = other.#times[thread];
  }

  #reserve(length: number): void {
    if (length <= this.#length) return;
    if (length > this.#times.length) {
      const times = new Int32Array(Math.max(length, this.#times.length * 2));
      times.set(this.#times);
      this.#times = times;
    }
    this.#length = length;
  }
}
