import type { EventBatch } from '../trace/batch.ts';
import type { TraceNames } from '../trace/names.ts';
import { MNEMONICS, OPERATION_COUNT, type Op } from '../trace/operation.ts';
import { CompiledNames, IS_FULL, instanceOf, MOST_TEXT, NOTABLE, READ } from './compiled-names.ts';
import { STD_LINES } from './std-lines-wasm.ts';

const NEWLINE = 0x0a;

/* Of wasm/std-lines.c. */
const MOST_EVENTS = 8192;
const WORD_LETTERS = 8;
const MOST_OPERATIONS = 32;
const REGIONS = ['ops', 'threads', 'operands', 'locations', 'offsets', 'notable', 'operations'] as const;

/** So little is looked at after a line that is out of the ordinary: there may be more of them. */
const LEAST_PIECE = 1024;

interface Exports {
  decode(length: number, room: number, base: number): number;
}

/**
 * The fast way through STD, compiled from wasm/std-lines.c. It stops at the first line that is out of the ordinary, which
 * the plain decoder then reads; whatever it does read, it reads as that one would. Once it has given up, the plain decoder does
 * everything.
 */
export class StdLines extends CompiledNames<(typeof REGIONS)[number]> {
  readonly #decode: Exports['decode'];
  #piece = LEAST_PIECE;

  /** Null where there is no WebAssembly. */
  static for(names: TraceNames, mostBytes?: number): StdLines | null {
    const exports = instanceOf(STD_LINES);
    return exports === null ? null : new StdLines(exports as Exports, names, mostBytes);
  }

  private constructor(exports: Exports, names: TraceNames, mostBytes: number | undefined) {
    const { threads, locks, variables, labels, locations } = names;
    super(exports, REGIONS, [threads, locks, variables, labels, locations], mostBytes);
    this.#decode = exports.decode;
    this.#tellOperations(names);
  }

  /** Reads from `from`, at most to `limit`, which is behind a newline; returns where it stopped. */
  run(bytes: Uint8Array, from: number, limit: number, batch: EventBatch): number {
    let at = from;
    while (at < limit && batch.length < batch.capacity && !this.isOver) {
      const room = Math.min(batch.capacity - batch.length, MOST_EVENTS);
      let end = Math.min(limit, at + this.#piece);
      if (end < limit) end = bytes.lastIndexOf(NEWLINE, end - 1) + 1;
      // A longer line than fits is out of the ordinary, too.
      if (end <= at && !this.#enlarge()) return at;
      if (end <= at) continue;
      this.memory.set(bytes.subarray(at, end), this.addressOf('text'));
      const used = this.#decode(end - at, room, at);
      this.look();
      this.takeNames();
      this.#takeEvents(batch);
      at += used;
      if (at === end) {
        this.#enlarge();
      } else if (batch.length < batch.capacity) {
        this.#piece = LEAST_PIECE;
        if (this.state(IS_FULL) !== 0) this.giveUp();
        return at;
      } else if (used > 0) {
        // About as much as fits the next batch, if that is as empty as this one was.
        this.#piece = Math.max(LEAST_PIECE, used);
      }
    }
    return at;
  }

  #enlarge(): boolean {
    if (this.#piece === MOST_TEXT) return false;
    this.#piece = Math.min(2 * this.#piece, MOST_TEXT);
    return true;
  }

  #takeEvents(batch: EventBatch): void {
    const { length } = batch;
    const count = this.state(READ);
    const notable = this.state(NOTABLE);
    batch.op.set(this.bytesOf('ops', count), length);
    batch.thread.set(this.wordsOf('threads', count), length);
    batch.operand.set(this.wordsOf('operands', count), length);
    batch.location.set(this.wordsOf('locations', count), length);
    batch.offset.set(this.wordsOf('offsets', count), length);
    batch.note(this.wordsOf('notable', notable), notable, count);
    batch.length = length + count;
  }

  #tellOperations(names: TraceNames): void {
    const at = this.addressOf('operations');
    MNEMONICS.forEach((mnemonic, op) => {
      this.memory.set(Buffer.from(mnemonic), at + WORD_LETTERS * op);
      const tableAt = at + WORD_LETTERS * MOST_OPERATIONS + 4 * op;
      this.words[tableAt / 4] = this.tables.indexOf(names.operandTable(op as Op));
    });
    this.words[(at + (WORD_LETTERS + 4) * MOST_OPERATIONS) / 4] = OPERATION_COUNT;
  }
}
