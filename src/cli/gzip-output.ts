import { once } from 'node:events';
import { createGzip } from 'node:zlib';
import type { Output } from './output.ts';

/** Packs what is written and passes it on. */
export class GzipOutput implements Output {
  readonly #gzip = createGzip();
  readonly #inner: Output;
  readonly #passedOn: Promise<void>;

  constructor(inner: Output) {
    this.#inner = inner;
    this.#passedOn = this.#passOn();
    // A failure is reported where it is waited for; until then nobody must mind.
    this.#passedOn.catch(() => undefined);
  }

  async write(piece: string | Uint8Array): Promise<void> {
    if (!this.#gzip.write(piece)) await Promise.race([once(this.#gzip, 'drain'), this.#passedOn]);
  }

  async finish(): Promise<void> {
    this.#gzip.end();
    await this.#passedOn;
    await this.#inner.finish();
  }

  async #passOn(): Promise<void> {
    for await (const chunk of this.#gzip) await this.#inner.write(chunk as Uint8Array);
  }
}
