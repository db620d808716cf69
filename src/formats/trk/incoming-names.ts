import { grownInt32 } from '../../trace/growable.ts';

/** In place of an id in memory: what it named is gone. */
export const RETIRED = -1;

/**
 * From the ids of one name table in the file to the ids in memory. They are the same, and take no memory,
 * unless the table in memory held names before the file was opened, the file defines a name twice, or it retires names.
 */
export class IncomingNames {
  /** How many ids the file has defined so far. */
  count = 0;
  #ids: Int32Array<ArrayBuffer> | null = null;
  /** By id in memory: how many ids in the file stand for it; null until the first one is retired. */
  #uses: Int32Array<ArrayBuffer> | null = null;

  define(id: number): void {
    if (this.#ids === null && id === this.count) this.count++;
    else this.set(this.count, id);
  }

  /** Whether all ids of the file are those in memory, of which there are so many. */
  isSame(count: number): boolean {
    return this.#ids === null && this.count === count;
  }

  /** Gives a name to an id that is the next one or was retired. */
  set(fileId: number, id: number): void {
    const ids = grownInt32(this.#mapped(), fileId + 1);
    this.#ids = ids;
    ids[fileId] = id;
    if (fileId === this.count) this.count++;
    if (this.#uses !== null) this.#use(id);
  }

  isRetired(fileId: number): boolean {
    return this.#ids !== null && this.#ids[fileId] === RETIRED;
  }

  /** Returns the id in memory that nothing stands for any more, or -1 if there is another id for it. */
  retire(fileId: number): number {
    const ids = this.#mapped();
    if (this.#uses === null) {
      this.#uses = new Int32Array(16);
      for (let i = 0; i < this.count; i++) this.#use(ids[i]);
    }
    const id = ids[fileId];
    ids[fileId] = RETIRED;
    return --this.#uses[id] === 0 ? id : -1;
  }

  /** From id to id, or null if they are the same. */
  get map(): Int32Array | null {
    return this.#ids;
  }

  id(fileId: number): number {
    return this.#ids === null ? fileId : this.#ids[fileId];
  }

  #mapped(): Int32Array<ArrayBuffer> {
    if (this.#ids !== null) return this.#ids;
    this.#ids = new Int32Array(Math.max(64, this.count * 2));
    for (let i = 0; i < this.count; i++) this.#ids[i] = i;
    return this.#ids;
  }

  #use(id: number): void {
    this.#uses = grownInt32(this.#uses as Int32Array<ArrayBuffer>, id + 1);
    this.#uses[id]++;
  }
}
