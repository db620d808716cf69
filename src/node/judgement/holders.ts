/** So many reads of one task are remembered while it runs. */
const MOST_READS = 4;

/**
 * Which variable an object was found in whose contents are changed: in `rows.push(row)`, `rows` is read right before, and both
 * accesses are at one place, as an expression begins where its object does.
 */
export class Holders {
  #thread = -1;
  #reads: { variable: number; location: number }[] = [];

  read(thread: number, variable: number, location: number): void {
    if (thread !== this.#thread) {
      this.#thread = thread;
      this.#reads = [];
    }
    if (this.#reads.length === MOST_READS) this.#reads.shift();
    this.#reads.push({ variable, location });
  }

  /** The variable that the changed one was found in; null if that is not known. */
  of(thread: number, variable: number, location: number): number | null {
    if (thread !== this.#thread) return null;
    return (
      this.#reads.findLast((read) => read.location === location && read.variable !== variable)?.variable ??
      null
    );
  }
}
