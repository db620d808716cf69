import type { EventBatch } from '../trace/batch.ts';
import type { TraceNames } from '../trace/names.ts';
import { MNEMONICS, OPERATION_COUNT, type Op } from '../trace/operation.ts';
import { CompiledNames, IS_FULL, instanceOf, MOST_TEXT, NOTABLE, READ } from './compiled-names.ts';
import { IDS_KEPT, type SentNames, SentTable } from './sent-names.ts';
import { STD_LINES } from './std-lines-wasm.ts';
import { VariableIds } from './variable-ids.ts';

const NEWLINE = 0x0a;

/* Of wasm/std-lines.c. */
const MOST_EVENTS = 8192;
const WORD_LETTERS = 8;
const MOST_OPERATIONS = 32;
const REGIONS = [
  'ops',
  'threads',
  'operands',
  'locations',
  'offsets',
  'notable',
  'operations',
  'sentNames',
  'sent',
] as const;

/** So little is looked at after a line that is out of the ordinary: there may be more of them. */
const LEAST_PIECE = 1024;

/**
 * When names are sent, if another thread can give ids: so many that are not found by their number do not fit the cache, more would take long to send after the
 * fact, and if a larger part of the events had to be looked up, the other thread would be the slower one.
 */
const SENDING = { from: 1 << 15, to: 1 << 17, part: 0.5 };

/** Other values for tests: how much memory it may take, and when names are sent. */
export interface LinesSettings {
  mostBytes?: number | undefined;
  sending?: typeof SENDING;
}

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
  readonly #names: TraceNames;
  /** Where variables get their ids: here, or in another thread, to which their names are sent. */
  #variables: VariableIds | SentNames;
  readonly #sent: SentNames | undefined;
  readonly #sending: typeof SENDING;
  #piece = LEAST_PIECE;

  /** Null where there is no WebAssembly. */
  static for(names: TraceNames, sent?: SentNames, settings: LinesSettings = {}): StdLines | null {
    const exports = instanceOf(STD_LINES);
    return exports === null ? null : new StdLines(exports as Exports, names, sent, settings);
  }

  private constructor(
    exports: Exports,
    names: TraceNames,
    sent: SentNames | undefined,
    { mostBytes, sending = SENDING }: LinesSettings,
  ) {
    const { threads, locks, labels, locations } = names;
    super(exports, REGIONS, [threads, locks, labels, locations], mostBytes);
    this.#decode = exports.decode;
    this.#tellOperations(names);
    this.#names = names;
    this.#sent = sent;
    this.#sending = sending;
    this.#variables = VariableIds.for(names.variables, mostBytes) as VariableIds;
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
      const before = this.#variables.count;
      this.words[this.addressOf('sent') / 4] = before;
      const used = this.#decode(end - at, room, at);
      this.look();
      this.takeNames();
      this.#giveIds(before);
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

  /** To the variables of the last call, before which so many names had been sent. */
  #giveIds(before: number): void {
    const [count, length] = this.wordsOf('sent', 2);
    const names = this.bytesOf('sentNames', length);
    if (this.#variables instanceof VariableIds) {
      this.#variables.take(names);
      this.#variables.place(this.wordsOf('operands', this.state(READ)));
      const { from, to, part } = this.#sending;
      const { hashed } = this.#variables;
      const isWorthIt = hashed >= from && hashed < to && count - before < part * this.state(READ);
      if (isWorthIt && this.#sent !== undefined) this.#sendAll(this.#sent);
    } else {
      this.#variables.addAll(names, (count - before) >>> 0);
    }
  }

  /** From now on, names are sent; first all that have ids, in the order of these. */
  #sendAll(sent: SentNames): void {
    const { variables } = this.#names;
    for (let id = 0; id < variables.size; id++) sent.add(variables.bytes(id), 0, variables.byteLength(id));
    // Beyond those that compiled code remembers, as these had other numbers.
    while (sent.count < this.#variables.count + IDS_KEPT) sent.count += IDS_KEPT;
    this.#variables = sent;
    this.#names.variables = new SentTable(sent);
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
    const tables = [...this.tables, names.variables];
    MNEMONICS.forEach((mnemonic, op) => {
      this.memory.set(Buffer.from(mnemonic), at + WORD_LETTERS * op);
      const tableAt = at + WORD_LETTERS * MOST_OPERATIONS + 4 * op;
      this.words[tableAt / 4] = tables.indexOf(names.operandTable(op as Op));
    });
    this.words[(at + (WORD_LETTERS + 4) * MOST_OPERATIONS) / 4] = OPERATION_COUNT;
  }
}
