import type { EventBatch } from '../trace/batch.ts';
import { grownInt32, grownUint8 } from '../trace/growable.ts';
import { isNumericLocation, locationNameId, NO_LOCATION, numericLocationValue } from '../trace/location.ts';
import type { NameTable } from '../trace/name-table.ts';
import type { TraceNames } from '../trace/names.ts';
import { MNEMONICS, OPERAND_KINDS, Op } from '../trace/operation.ts';
import { quoted } from '../trace/printable.ts';
import { InputProblem } from '../trace/problem.ts';
import { looksLikeEvent } from './csv-event.ts';
import { TextOutput } from './text-output.ts';
import type { ByteSink, TraceWriter } from './writer.ts';

const NEWLINE = 0x0a;
const RETURN = 0x0d;
const QUOTE = 0x22;
const OPEN = 0x28;
const CLOSE = 0x29;
const COMMA = 0x2c;
const PIPE = 0x7c;
const BYTE_ORDER_MARK = 0xef;

/** Room for the fixed parts of a cell beside its names. */
const CELL_OVERHEAD = 64;

/* How a name is to be written: bits that are known once a name has been looked at. */
const KNOWN = 1;
/** It holds a comma, a quote or a line break, so its cell stands in quotes. */
const IN_QUOTED_CELL = 2;
/** As an operand it could be read otherwise, so it has quotes of its own inside the cell. */
const QUOTED_OPERAND = 4;

/**
 * Writes what `csv.ts` reads back to the same events, whatever the names, with a header that names the
 * threads. All of them must be known beforehand.
 */
export class CsvWriter implements TraceWriter {
  readonly #names: TraceNames;
  readonly #output: TextOutput;
  readonly #threads: readonly number[];
  /** The column of each thread, -1 for none. */
  readonly #columns: Int32Array;
  readonly #styles = new Map<NameTable, Uint8Array<ArrayBuffer>>();
  readonly #mnemonics = MNEMONICS.map((word) => Buffer.from(word));
  #headerWritten = false;

  /** `threads`: the ids of all threads that have events, in the order of their columns. */
  constructor(names: TraceNames, threads: readonly number[], sink: ByteSink) {
    this.#names = names;
    this.#output = new TextOutput(sink);
    this.#threads = threads;
    let columns = new Int32Array(0);
    for (const [column, thread] of threads.entries()) {
      columns = grownInt32(columns, thread + 1);
      columns[thread] = column + 1;
    }
    this.#columns = columns.map((column) => column - 1);
  }

  async write(batch: EventBatch): Promise<void> {
    if (!this.#headerWritten) await this.#header();
    for (let i = 0; i < batch.length; i++) {
      if (batch.op[i] !== Op.skip) this.#row(batch, i);
      if (this.#output.isFull) await this.#output.flush();
    }
  }

  async finish(): Promise<void> {
    if (!this.#headerWritten) await this.#header();
    await this.#output.flush();
  }

  async #header(): Promise<void> {
    this.#headerWritten = true;
    const { threads } = this.#names;
    for (const [column, thread] of this.#threads.entries()) {
      const name = threads.bytes(thread);
      const own =
        name.length === 0 || name[0] === QUOTE || name[0] === BYTE_ORDER_MARK || looksLikeEvent(name);
      const inQuotes = own || (this.#style(threads, thread, 'thread') & IN_QUOTED_CELL) !== 0;
      this.#output.reserve(4 * name.length + CELL_OVERHEAD);
      if (column > 0) this.#output.byte(COMMA);
      if (inQuotes) this.#output.byte(QUOTE);
      this.#name(name, own, inQuotes);
      if (inQuotes) this.#output.byte(QUOTE);
      if (this.#output.isFull) await this.#output.flush();
    }
    this.#output.reserve(1);
    if (this.#threads.length > 0) this.#output.byte(NEWLINE);
  }

  #row(batch: EventBatch, i: number): void {
    const op = batch.op[i] as Op;
    const column = this.#columns[batch.thread[i]] ?? -1;
    if (column < 0) throw new Error(`thread ${batch.thread[i]} was not announced to the CSV writer`);
    const table = this.#names.operandTable(op);
    const operand = batch.operand[i];
    const style = this.#style(table, operand, OPERAND_KINDS[op]);
    const location = batch.location[i];
    const locationName =
      location === NO_LOCATION || isNumericLocation(location) ? -1 : locationNameId(location);
    const locationStyle = locationName < 0 ? 0 : this.#style(this.#names.locations, locationName, 'location');
    const bytes =
      table.byteLength(operand) + (locationName < 0 ? 0 : this.#names.locations.byteLength(locationName));
    this.#output.reserve(this.#threads.length + 4 * bytes + CELL_OVERHEAD);

    const isBlock = op === Op.begin || op === Op.end;
    const ownQuotes = (style & QUOTED_OPERAND) !== 0 || (table.byteLength(operand) === 0 && !isBlock);
    const inQuotes = ownQuotes || ((style | locationStyle) & IN_QUOTED_CELL) !== 0;
    for (let c = 0; c < column; c++) this.#output.byte(COMMA);
    if (inQuotes) this.#output.byte(QUOTE);
    this.#copy(this.#mnemonics[op], 1);
    this.#output.byte(OPEN);
    this.#name(table.bytes(operand), ownQuotes, inQuotes);
    this.#output.byte(CLOSE);
    if (location !== NO_LOCATION) {
      this.#output.byte(PIPE);
      if (locationName >= 0) this.#copy(this.#names.locations.bytes(locationName), inQuotes ? 2 : 1);
      else this.#output.number(numericLocationValue(location));
    }
    if (inQuotes) this.#output.byte(QUOTE);
    for (let c = column + 1; c < this.#threads.length; c++) this.#output.byte(COMMA);
    this.#output.byte(NEWLINE);
  }

  /** A name, with quotes of its own or not, in a cell that stands in quotes or not. */
  #name(bytes: Uint8Array, ownQuotes: boolean, inQuotes: boolean): void {
    // In a quoted cell every quote is written twice; those inside own quotes are two before that.
    if (ownQuotes) this.#copy(TWO_QUOTES, 1);
    this.#copy(bytes, ownQuotes ? 4 : inQuotes ? 2 : 1);
    if (ownQuotes) this.#copy(TWO_QUOTES, 1);
  }

  /** Writes each quote `times` times. */
  #copy(bytes: Uint8Array, times: number): void {
    const output = this.#output;
    for (let i = 0; i < bytes.length; i++) {
      const repeats = bytes[i] === QUOTE ? times : 1;
      for (let n = 0; n < repeats; n++) output.byte(bytes[i]);
    }
  }

  #style(table: NameTable, id: number, kind: string): number {
    let styles = this.#styles.get(table);
    if (styles === undefined || id >= styles.length) {
      styles = grownUint8(styles ?? new Uint8Array(0), id + 1);
      this.#styles.set(table, styles);
    }
    if (styles[id] === 0) styles[id] = KNOWN | styleOf(table, id, kind);
    return styles[id];
  }
}

const TWO_QUOTES = Uint8Array.of(QUOTE, QUOTE);

function styleOf(table: NameTable, id: number, kind: string): number {
  const name = table.bytes(id);
  if (name.includes(0)) {
    throw new InputProblem(`CSV cannot hold the ${kind} name ${quoted(table.text(id))}`, {
      expected: 'a name without NUL bytes; .trk holds any name',
    });
  }
  const inQuotedCell =
    name.includes(COMMA) || name.includes(QUOTE) || name.includes(NEWLINE) || name.includes(RETURN);
  return (inQuotedCell ? IN_QUOTED_CELL : 0) | (endsEarly(name) ? QUOTED_OPERAND : 0);
}

/** Whether an operand would be read as something shorter, or as one in quotes. */
function endsEarly(name: Uint8Array): boolean {
  if (name[0] === QUOTE) return true;
  for (let i = name.indexOf(CLOSE); i >= 0; i = name.indexOf(CLOSE, i + 1)) {
    if (name[i + 1] === PIPE) return true;
  }
  return false;
}
