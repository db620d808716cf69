import { InputProblem } from '../../trace/problem.ts';

/**
 * Reads the small parts of one chunk and never past its end. Every refusal says at which byte of the file it
 * happened, and how many events before it can be relied on.
 */
export class Cursor {
  readonly bytes: Uint8Array;
  at: number;
  end: number;
  /** Where position 0 of `bytes` stands in the file. */
  readonly base: number;
  /** How many events the chunks before this one hold. */
  readonly whole: number;

  constructor(bytes: Uint8Array, at: number, end: number, base: number, whole: number) {
    this.bytes = bytes;
    this.at = at;
    this.end = end;
    this.base = base;
    this.whole = whole;
  }

  u8(what: string): number {
    if (this.at >= this.end) this.#cut(what);
    return this.bytes[this.at++];
  }

  /** The fixed-width number at a position that the caller has checked. */
  u32At(position: number): number {
    const { bytes } = this;
    const high = bytes[position + 2] | (bytes[position + 3] << 8);
    return (bytes[position] | (bytes[position + 1] << 8) | (high << 16)) >>> 0;
  }

  varint(what: string): number {
    const { bytes, end } = this;
    const start = this.at;
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      if (this.at >= end) this.#cut(what);
      const byte = bytes[this.at++];
      if (shift === 28 && byte > 0x0f) {
        this.fail(start, `${what} does not fit in 32 bits`, 'a longer number', 'at most 5 bytes');
      }
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value >>> 0;
    }
  }

  /** A number that must not be larger than `limit`. */
  bounded(what: string, limit: number): number {
    const start = this.at;
    const value = this.varint(what);
    if (value > limit) this.fail(start, `${what} is too large`, String(value), `at most ${limit}`);
    return value;
  }

  /** An id that must have been defined, in this chunk or before. */
  definedId(what: string, count: number): number {
    const start = this.at;
    const id = this.varint(what);
    if (id >= count) this.undefinedId(start, what, id, count);
    return id;
  }

  undefinedId(at: number, what: string, id: number, count: number): never {
    const expected = count === 0 ? 'its name first' : `an id below ${count}`;
    this.fail(at, `${what} has no name`, `id ${id}`, expected);
  }

  fail(at: number, what: string, found: string, expected: string): never {
    throw new InputProblem(`${what}; ${this.#wholeEvents()}`, {
      position: { byte: this.base + at },
      found,
      expected,
    });
  }

  #cut(what: string): never {
    this.fail(this.at, `${what} is missing`, 'the end of the chunk', 'more bytes');
  }

  #wholeEvents(): string {
    if (this.whole === 0) return 'no events come before it';
    return this.whole === 1
      ? 'the 1 event before it is whole'
      : `the ${this.whole} events before it are whole`;
  }
}

export function byteCount(count: number): string {
  return count === 1 ? '1 byte' : `${count} bytes`;
}
