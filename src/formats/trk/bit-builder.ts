/** Bits one behind the other, the lowest of each byte first. */
export class BitBuilder {
  #bytes = new Uint8Array(1 << 14);
  #at = 0;
  /** Those that do not fill a byte yet. */
  #rest = 0;
  #restBits = 0;

  /** The lowest `count` bits of the value, 31 at most. */
  add(value: number, count: number): void {
    if (count > 16) {
      this.add(value & 0xffff, 16);
      this.add(value >>> 16, count - 16);
      return;
    }
    let rest = this.#rest | (value << this.#restBits);
    let bits = this.#restBits + count;
    if (this.#at + 4 > this.#bytes.length) this.#grow();
    while (bits >= 8) {
      this.#bytes[this.#at++] = rest;
      rest >>>= 8;
      bits -= 8;
    }
    this.#rest = rest;
    this.#restBits = bits;
  }

  /** All bytes, the last one filled up with zeros, until bits are added again; empties it. */
  take(): Uint8Array {
    if (this.#restBits > 0) this.#bytes[this.#at++] = this.#rest;
    const taken = this.#bytes.subarray(0, this.#at);
    this.#at = 0;
    this.#rest = 0;
    this.#restBits = 0;
    return taken;
  }

  #grow(): void {
    const bigger = new Uint8Array(this.#bytes.length * 2);
    bigger.set(this.#bytes);
    this.#bytes = bigger;
  }
}
