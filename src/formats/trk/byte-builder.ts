/** Bytes put one after another into memory of a size known to suffice. */
export class ByteBuilder {
  readonly bytes: Uint8Array;
  length: number;

  constructor(capacity: number, start = 0) {
    this.bytes = new Uint8Array(capacity);
    this.length = start;
  }

  u8(value: number): void {
    this.bytes[this.length++] = value;
  }

  /** Unsigned, in groups of seven bits, the lowest first. At most `VARINT_BYTES` long. */
  varint(value: number): void {
    let rest = value >>> 0;
    while (rest > 0x7f) {
      this.bytes[this.length++] = (rest & 0x7f) | 0x80;
      rest >>>= 7;
    }
    this.bytes[this.length++] = rest;
  }

  append(bytes: Uint8Array): void {
    this.bytes.set(bytes, this.length);
    this.length += bytes.length;
  }

  /** A text and its length before it; false, with nothing done, if it is not of plain characters. */
  plainText(text: string): boolean {
    const start = this.length;
    this.varint(text.length);
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i);
      if (code > 0x7f) {
        this.length = start;
        return false;
      }
      this.bytes[this.length++] = code;
    }
    return true;
  }

  u32At(position: number, value: number): void {
    for (let i = 0; i < 4; i++) this.bytes[position + i] = value >>> (8 * i);
  }

  /** Byte `plane` of each of the `count` values: of the numbers 0x0102 and 0x0304, plane 0 is 02 04. */
  plane(values: Uint16Array | Int32Array, count: number, plane: number): void {
    const { bytes, length } = this;
    const shift = 8 * plane;
    for (let i = 0; i < count; i++) bytes[length + i] = values[i] >>> shift;
    this.length += count;
  }
}

export const VARINT_BYTES = 5;

/** The number of bytes that hold every value up to `largest`, an unsigned 32-bit integer. */
export function widthOf(largest: number): number {
  if (largest === 0) return 0;
  return 4 - (Math.clz32(largest) >>> 3);
}

/** Small differences, up or down, as small unsigned numbers: 0, -1, 1, -2 become 0, 1, 2, 3. */
export function zigzag(difference: number): number {
  return ((difference << 1) ^ (difference >> 31)) >>> 0;
}

export function unzigzag(value: number): number {
  return (value >>> 1) ^ -(value & 1);
}
