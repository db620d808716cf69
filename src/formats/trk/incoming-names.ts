import { grownInt32 } from '../../trace/growable.ts';

/**
 * From the ids of one name table in the file to the ids in memory. They are the same, and take no memory,
 * unless the table in memory held names before the file was opened or the file defines a name twice.
 */
export class IncomingNames {
  /** How many names the file has defined so far. */
  count = 0;
  #ids: Int32Array<ArrayBuffer> | null = null;

  define(id: number): void {
    if (this.#ids === null) {
      if (id === this.count) {
        this.count++;
        return;
      }
      this.#ids = new Int32Array(Math.max(64, this.count * 2));
      for (let i = 0; i < this.count; i++) this.#ids[i] = i;
    }
    this.#ids = grownInt32(this.#ids, this.count + 1);
    this.#ids[this.count++] = id;
  }

  get sameIds(): boolean {
    return this.#ids === null;
  }

  id(fileId: number): number {
    return this.#ids === null ? fileId : this.#ids[fileId];
  }
}
