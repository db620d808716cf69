import type { ChildProcess } from 'node:child_process';
import { printable } from '../trace/printable.ts';

/** So much of what a program says is kept: the end of it, which tells how it failed. */
const MOST_BYTES = 1 << 20;
/** Longest line of it in a message. */
const LINE = 300;

/** What a program has written to its standard streams, in the order in which it came here. */
export class KeptOutput {
  readonly #chunks: Buffer[] = [];
  readonly #errors: Buffer[] = [];
  readonly #output: Buffer[] = [];
  #bytes = 0;
  #isCut = false;

  constructor(child: ChildProcess) {
    child.stdout?.on('data', (chunk: Buffer) => {
      this.#output.push(chunk);
      this.#keep(chunk);
    });
    child.stderr?.on('data', (chunk: Buffer) => {
      this.#errors.push(chunk);
      this.#keep(chunk);
    });
  }

  #keep(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    while (this.#bytes > MOST_BYTES && this.#chunks.length > 1) {
      const dropped = this.#chunks.shift() as Buffer;
      this.#bytes -= dropped.length;
      this.#isCut = true;
      if (this.#errors[0] === dropped) this.#errors.shift();
      if (this.#output[0] === dropped) this.#output.shift();
    }
  }

  /** All of it, for the terminal of whoever has to see what happened; null if there is nothing. */
  bytes(): Buffer | null {
    if (this.#chunks.length === 0) return null;
    const cut = this.#isCut ? [Buffer.from('…\n')] : [];
    return Buffer.concat([...cut, ...this.#chunks]);
  }

  /** Standard output alone, line by line. */
  outputLines(): string[] {
    const text = Buffer.concat(this.#output).toString('utf8');
    return text === '' ? [] : text.replace(/\n$/, '').split('\n');
  }

  /** What an uncaught error says of itself, else the last line; null if the program has said nothing of errors. */
  lastError(): string | null {
    const lines = Buffer.concat(this.#errors)
      .toString('utf8')
      .split('\n')
      .filter((line) => line.trim() !== '');
    // Node ends what it says of an uncaught error with its version.
    const said = lines.findLast((line) => /^(?:Uncaught )?\[?\w*(?:Error|Exception)\b.*/.test(line));
    const line = said ?? lines.at(-1);
    return line === undefined ? null : printable(line.trim(), LINE);
  }
}
