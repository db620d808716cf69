import type { Activation } from '../core/activation.ts';

/** How many readers are remembered before those are looked for that need not be. */
const FEW_READERS = 4;

/** The last read by a block, itself or by somebody for it. */
export interface Read {
  /** The segment, or `ACTED` (`staleness.ts`). */
  readIn: number;
  /** The activation that did it, in this block or for it. */
  by: Activation;
  /** Its entry in the log. */
  entry: number;
  /** What the sum of all updates was. */
  sumThen: number;
  /** What it had read before was left to it by the task that has woken it since, and it has not changed it. */
  wasLeft: boolean;
}

/** That of a block which was not the first one. */
interface OtherRead extends Read {
  readonly block: Activation;
  next: OtherRead | null;
}

/**
 * What is known of a variable once it was read in a block. Mostly there are but one or two readers, itself and who has started
 * it: the first is kept here, and a few others in a list, as a Map for each variable would be felt.
 */
export class Readers implements Read {
  /** The block of the first reader, the outermost of its task; null if nothing is left of that. */
  block: Activation | null = null;
  readIn = 0;
  by!: Activation;
  entry = 0;
  sumThen = 0;
  wasLeft = false;
  /** The others, as a list or, once there are many, in a Map. */
  #few: OtherRead | null = null;
  #count = 0;
  #byBlock: Map<Activation, OtherRead> | null = null;
  #many = FEW_READERS;
  /** Is another one whenever something is written, but for updates, whose sum is the other half of what is in it. */
  version = 0;
  sum = 0;
  /** The entry in the log of the last change that was no update, even if it is logged as a read and a write. */
  replacedAt = -1;

  get isEmpty(): boolean {
    return this.block === null && this.#count === 0;
  }

  of(block: Activation): Read | undefined {
    if (this.block === block) return this;
    if (this.#byBlock !== null) return this.#byBlock.get(block);
    for (let read = this.#few; read !== null; read = read.next) if (read.block === block) return read;
    return undefined;
  }

  set(block: Activation, readIn: number, by: Activation, entry: number): void {
    let read = this.of(block);
    if (read === undefined && (this.block === null || this.block.isOver)) {
      this.block = block;
      this.wasLeft = false;
      read = this;
    }
    if (read === undefined) {
      this.#add({ block, readIn, by, entry, sumThen: this.sum, wasLeft: false, next: null });
      return;
    }
    read.readIn = readIn;
    read.by = by;
    read.entry = entry;
    read.sumThen = this.sum;
  }

  #add(read: OtherRead): void {
    this.#count++;
    if (this.#byBlock !== null) this.#byBlock.set(read.block, read);
    else {
      read.next = this.#few;
      this.#few = read;
    }
    if (this.#count <= this.#many) return;
    this.#forget((block) => !block.isOver);
    this.#many = Math.max(FEW_READERS, 2 * this.#count);
  }

  /** Keeps only the blocks that are meant. */
  keep(isMeant: (block: Activation) => boolean): void {
    if (this.block !== null && !isMeant(this.block)) {
      this.block = null;
      // The variable may live for long, and is not to keep who has read it.
      this.by = undefined as never;
    }
    if (this.#count > 0) this.#forget(isMeant);
  }

  #forget(isMeant: (block: Activation) => boolean): void {
    if (this.#byBlock !== null) {
      for (const block of this.#byBlock.keys()) if (!isMeant(block)) this.#byBlock.delete(block);
      this.#count = this.#byBlock.size;
      if (this.#count === 0) this.#byBlock = null;
      return;
    }
    let kept: OtherRead | null = null;
    this.#count = 0;
    for (let read = this.#few; read !== null; ) {
      const { next } = read;
      if (isMeant(read.block)) {
        read.next = kept;
        kept = read;
        this.#count++;
      }
      read = next;
    }
    this.#few = kept;
    if (this.#count > FEW_READERS) this.#index();
  }

  #index(): void {
    this.#byBlock = new Map();
    for (let read = this.#few; read !== null; read = read.next) this.#byBlock.set(read.block, read);
    this.#few = null;
  }
}
