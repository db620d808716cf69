import type { FileHandle } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { EventBatch } from '../trace/batch.ts';
import { TraceNames } from '../trace/names.ts';
import { InputProblem, type Position } from '../trace/problem.ts';
import { asInputProblem, type ByteSource, CopiedSource, openBytes, openStream } from './bytes.ts';
import type { Decoder, Format, TraceSection } from './format.ts';
import { detectFormat, formatNamed } from './registry.ts';
import type { SentNames } from './sent-names.ts';

const WINDOW = 1 << 20;

export interface ReadOptions {
  /** A format's name, or `auto` to look at the first bytes. */
  format?: string;
  lenient?: boolean;
  /** Where to keep a copy of the unpacked bytes as they are read; for input that cannot be read twice. */
  copyTo?: FileHandle;
  /**
   * What a running program writes, to be read instead of the file and decoded as it comes. Where it ends is the end, also
   * in the middle of a chunk: the program may have been killed.
   */
  stream?: Readable | undefined;
  /** Where to put names of variables that get their ids elsewhere. */
  sentNames?: SentNames | undefined;
  /** Is shown the sections of a `.trk` file, each before the batch with the events that follow it. */
  onSection?: ((section: TraceSection) => void) | undefined;
}

/**
 * One trace, read from a file or standard input as a stream of batches. The consumer pulls; whatever the
 * length of the trace, only one window of bytes and one batch are in memory.
 */
export class TraceReader {
  readonly path: string;
  readonly names = new TraceNames();
  readonly format: Format;
  readonly #source: ByteSource;
  readonly #decoder: Decoder;
  readonly #lenient: boolean;
  readonly #isLive: boolean;
  #window: Uint8Array;
  #filled: number;
  #ended: boolean;

  static async open(path: string, options: ReadOptions = {}): Promise<TraceReader> {
    const { stream } = options;
    const isLive = stream !== undefined;
    const lenient = isLive || (options.lenient ?? false);
    const plain = isLive ? await openStream(stream, { lenient }, null) : await openBytes(path, { lenient });
    const source = options.copyTo === undefined ? plain : new CopiedSource(plain, options.copyTo);
    try {
      const window = new Uint8Array(WINDOW);
      const filled = await fill(source, window, 0, isLive);
      const head = window.subarray(0, filled);
      const chosen = options.format ?? 'auto';
      const format = chosen === 'auto' ? detectFormat(head, source.size, path) : formatNamed(chosen);
      return new TraceReader(path, source, format, { ...options, lenient }, window, filled);
    } catch (error) {
      await source.close();
      throw inFile(asInputProblem(error, path), path);
    }
  }

  private constructor(
    path: string,
    source: ByteSource,
    format: Format,
    { lenient = false, onSection, stream, sentNames }: ReadOptions,
    window: Uint8Array,
    filled: number,
  ) {
    this.path = path;
    this.format = format;
    this.#source = source;
    this.#lenient = lenient;
    this.#isLive = stream !== undefined;
    this.#decoder = format.decoder({ names: this.names, lenient, onSection, sentNames });
    this.#window = window;
    this.#filled = filled;
    this.#ended = this.#isLive ? filled === 0 : filled < window.length;
  }

  /** How far the file has been read, for progress. */
  get progress(): { position: number; total: number | null } {
    return { position: this.#source.position, total: this.#source.total };
  }

  /** How many pieces were passed over because the reader is lenient. */
  get repaired(): number {
    return this.#decoder.repaired + (this.#ended && this.#lenient && this.#source.cut ? 1 : 0);
  }

  /** Line and column of an event of the batch last handed out. */
  locate(offset: number): Position {
    return this.#decoder.locate(this.#window, offset);
  }

  /** The batches, one at a time; each is reused for the next. Closes the source at the end. */
  async *batches(): AsyncGenerator<EventBatch> {
    const batch = new EventBatch();
    try {
      for (;;) {
        let at = 0;
        for (;;) {
          let next = at;
          let problem: unknown = null;
          try {
            next = this.#decoder.decode(this.#window, at, this.#filled, this.#ended, batch);
          } catch (error) {
            problem = error;
          }
          const progressed = next > at || batch.length > 0;
          at = next;
          if (batch.length > 0) {
            // What was read before a problem comes first: it may have a problem of its own.
            yield batch;
            batch.advance();
          }
          if (problem !== null) throw problem;
          if (!progressed) break;
        }
        if (this.#ended) return;
        await this.#nextWindow(at);
      }
    } catch (error) {
      throw inFile(asInputProblem(error, this.path), this.path);
    } finally {
      await this.#source.close();
    }
  }

  async #nextWindow(used: number): Promise<void> {
    this.#decoder.windowMoved(this.#window, used);
    this.#window.copyWithin(0, used, this.#filled);
    const kept = this.#filled - used;
    if (kept === this.#window.length) this.#grow();
    this.#filled = await fill(this.#source, this.#window, kept, this.#isLive);
    this.#ended = this.#isLive ? this.#filled === kept : this.#filled < this.#window.length;
  }

  /** Nothing whole fits into the window: double it, up to what the format allows. */
  #grow(): void {
    const { name, limit } = this.#decoder.piece;
    if (this.#window.length >= limit) {
      throw new InputProblem(`this ${name} is too long`, {
        position: this.locate(0),
        found: `more than ${this.#window.length} bytes without an end`,
        expected: `a ${name} of at most ${limit} bytes; is this file really ${this.format.title}?`,
      });
    }
    const bigger = new Uint8Array(Math.min(this.#window.length * 2, limit));
    bigger.set(this.#window);
    this.#window = bigger;
  }
}

/** Reads until the window is full or the source is at its end; of what is live, whatever is there. */
async function fill(source: ByteSource, window: Uint8Array, from: number, isLive: boolean): Promise<number> {
  let filled = from;
  while (filled < window.length) {
    const count = await source.read(window, filled);
    if (count === 0) break;
    filled += count;
    if (isLive) break;
  }
  return filled;
}

/** Puts the name of the file on a problem that has none yet. */
export function inFile(error: unknown, path: string): unknown {
  if (error instanceof InputProblem) error.file ??= path === '-' ? 'standard input' : path;
  return error;
}
