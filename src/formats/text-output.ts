import { grownUint8 } from '../trace/growable.ts';
import type { ByteSink } from './writer.ts';

const FLUSH_AT = 1 << 20;

/** Collects the bytes of a text format and hands them on a megabyte at a time. */
export class TextOutput {
  readonly #sink: ByteSink;
  #buffer = new Uint8Array(FLUSH_AT + 4096);
  #used = 0;

  constructor(sink: ByteSink) {
    this.#sink = sink;
  }

  get isFull(): boolean {
    return this.#used >= FLUSH_AT;
  }

  async flush(): Promise<void> {
    if (this.#used > 0) await this.#sink(this.#buffer.slice(0, this.#used));
    this.#used = 0;
  }

  /** Makes room for what is written next, which does not look whether there is any. */
  reserve(bytes: number): void {
    this.#buffer = grownUint8(this.#buffer, this.#used + bytes);
  }

  byte(byte: number): void {
    this.#buffer[this.#used++] = byte;
  }

  bytes(bytes: Uint8Array): void {
    // Names are a few bytes long: a loop beats the call that `set` makes.
    for (let i = 0; i < bytes.length; i++) this.#buffer[this.#used++] = bytes[i];
  }

  /** A whole number that is not negative, in decimal. */
  number(value: number): void {
    let digits = 1;
    for (let rest = value; rest >= 10; rest = Math.floor(rest / 10)) digits++;
    let rest = value;
    for (let i = this.#used + digits - 1; i >= this.#used; i--) {
      this.#buffer[i] = 0x30 + (rest % 10);
      rest = Math.floor(rest / 10);
    }
    this.#used += digits;
  }
}
