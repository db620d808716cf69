import { grownUint8 } from '../trace/growable.ts';
import { NameTable } from '../trace/name-table.ts';

/* Of wasm/names.h: what stands for a variable before it has an id. */
export const NAMED = 0x4000_0000;
/** Of so many names the ids are kept: whoever means an earlier one sends it again. */
export const IDS_KEPT = 1 << 16;

/**
 * Names of variables on their way to whoever gives them ids, in the order in which they are met, some of them more than once. Each has its length in
 * front, as LEB128.
 */
export class SentNames {
  bytes = new Uint8Array(1 << 12);
  /** How many bytes there are, and how many names have been sent in all. */
  length = 0;
  count = 0;

  /** Returns the operand that stands for the variable. */
  add(bytes: Uint8Array, start: number, end: number): number {
    const size = end - start;
    this.#makeRoom(5 + size);
    for (let rest = size; ; rest >>>= 7) {
      this.bytes[this.length++] = rest < 0x80 ? rest : (rest & 0x7f) | 0x80;
      if (rest < 0x80) break;
    }
    this.bytes.set(bytes.subarray(start, end), this.length);
    this.length += size;
    return NAMED | (this.count++ % IDS_KEPT);
  }

  /** Adds names that have their lengths in front. */
  addAll(names: Uint8Array, count: number): void {
    this.#makeRoom(names.length);
    this.bytes.set(names, this.length);
    this.length += names.length;
    this.count += count;
  }

  /** All of them have been taken. */
  clear(): void {
    this.length = 0;
  }

  #makeRoom(bytes: number): void {
    this.bytes = grownUint8(this.bytes, this.length + bytes);
  }
}

/** Somebody has asked for what only the thread knows that gives ids to names. */
export class NamedElsewhere extends Error {}

/** In place of the table of variables, as long as their names are sent. */
export class SentTable extends NameTable {
  readonly #sent: SentNames;

  constructor(sent: SentNames) {
    super();
    this.#sent = sent;
  }

  override intern(bytes: Uint8Array, start = 0, end = bytes.length): number {
    return this.#sent.add(bytes, start, end);
  }

  override text(): string {
    throw new NamedElsewhere();
  }
}
