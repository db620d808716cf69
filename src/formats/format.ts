import type { EventBatch } from '../trace/batch.ts';
import type { TraceNames } from '../trace/names.ts';
import type { Position } from '../trace/problem.ts';
import type { SentNames } from './sent-names.ts';

/** What a decoder may do with input that can be repaired; see `Repairs`. */
export interface DecodeOptions {
  names: TraceNames;
  /** Count and pass over what cannot be read, instead of refusing the input. */
  lenient: boolean;
  /** Where to put names of variables that get their ids in another thread; a decoder may as well give them ids itself. */
  sentNames?: SentNames | undefined;
  /** Is shown the sections of a `.trk` file as they come; without it they are passed over. */
  onSection?: ((section: TraceSection) => void) | undefined;
}

/** Something about a trace that only those who know its name can read. */
export interface TraceSection {
  name: string;
  version: number;
  /** How many events come before it in the trace. */
  events: number;
  /** A view that is valid during the call. */
  bytes: Uint8Array;
}

/**
 * Turns the bytes of one trace into batches. The reader owns the bytes: it hands them over in windows that
 * overlap what the decoder left unread, so a decoder never keeps bytes of its own.
 */
export interface Decoder {
  /**
   * Reads `bytes[from … to)` and appends events to `batch` until it is full or nothing whole is left.
   * `last` says that no more bytes follow, so that what is left must be whole.
   * Returns the position up to which bytes were used. Throws `InputProblem`.
   */
  decode(bytes: Uint8Array, from: number, to: number, last: boolean, batch: EventBatch): number;
  /** Called when the reader moves on: `consumed` bytes of the window are gone for good. */
  windowMoved(bytes: Uint8Array, consumed: number): void;
  /** Where the event or byte at `offset` of the window stands, for a message. */
  locate(bytes: Uint8Array, offset: number): Position;
  /** Names what a single undividable piece is called and how long it may get: `line`, 16 MiB. */
  readonly piece: { name: string; limit: number };
  /** How many lines, chunks or events were passed over because of `lenient`. */
  readonly repaired: number;
}

export interface Format {
  /** As in `--format`. */
  name: string;
  title: string;
  /** File name endings, without `.gz`. */
  extensions: readonly string[];
  /** Whether the first bytes of a trace look like this format. `size` is null when it is not known. */
  detect(head: Uint8Array, size: number | null): boolean;
  decoder(options: DecodeOptions): Decoder;
}
