import type { EventBatch } from '../trace/batch.ts';
import { internLocation, NO_LOCATION } from '../trace/location.ts';
import type { TraceNames } from '../trace/names.ts';
import { quoted } from '../trace/printable.ts';
import { InputProblem, type Position } from '../trace/problem.ts';
import { CELL, CellScanner, STRAY, UNFINISHED, Unescaped, withoutDoubledQuotes } from './csv-cells.ts';
import { CsvEvent, closingQuote, looksLikeEvent } from './csv-event.ts';
import type { DecodeOptions, Decoder, Format } from './format.ts';
import { NumberedNames } from './numbered-names.ts';
import { nextNul, skipByteOrderMark } from './text-guards.ts';
import { excerpt, LINE_PIECE, TextPosition } from './text-position.ts';

const NEWLINE = 0x0a;
const QUOTE = 0x22;
const COMMA = 0x2c;

/** In place of a thread: the header gives this column no name. */
const UNNAMED = -1;

/**
 * One column a thread, one event a row: `,r(x)|12,`. The first row may name the threads; without it they are
 * `T0`, `T1`, … by column, as in RAPID. Quoting is that of RFC 4180; rows without any text are passed over.
 */
export const csv: Format = {
  name: 'csv',
  title: 'CSV, one column a thread',
  extensions: ['csv'],
  detect: looksLikeCsv,
  decoder: (options) => new CsvDecoder(options),
};

class CsvDecoder implements Decoder {
  readonly piece = LINE_PIECE;
  repaired = 0;
  readonly #names: TraceNames;
  readonly #lenient: boolean;
  readonly #position = new TextPosition();
  /** Lines used up so far, in all windows. */
  #lines = 0;
  /** Whether a first row has been seen, which alone may be a header. */
  #started = false;
  /** The thread of each column, if there is a header. */
  #header: Int32Array | null = null;
  readonly #numbered: NumberedNames;
  readonly #cells = new CellScanner();
  readonly #event = new CsvEvent();
  readonly #unescaped = new Unescaped();
  #nul = 0;

  constructor(options: DecodeOptions) {
    this.#names = options.names;
    this.#lenient = options.lenient;
    this.#numbered = new NumberedNames(options.names.threads, 'T');
  }

  decode(bytes: Uint8Array, from: number, to: number, last: boolean, batch: EventBatch): number {
    let at = from;
    this.#nul = nextNul(bytes, from, to);
    while (at < to && batch.length < batch.capacity) {
      const next = this.#row(bytes, at, to, last, batch);
      if (next < 0) break;
      at = next;
    }
    return at;
  }

  windowMoved(): void {
    this.#position.windowStartsAfter(this.#lines);
  }

  locate(bytes: Uint8Array, offset: number): Position {
    return this.#position.locate(bytes, offset);
  }

  /** Reads the row at `rowStart`; returns where the next one starts, or -1 if this one goes on outside the window. */
  #row(bytes: Uint8Array, rowStart: number, to: number, last: boolean, batch: EventBatch): number {
    const cells = this.#cells;
    const start = this.#lines === 0 ? skipByteOrderMark(bytes, rowStart, to) : rowStart;
    let at = start;
    let column = 0;
    let anyQuotes = false;
    // The first cell with text in it, and the second, which should not be.
    let eventColumn = -1;
    let eventStart = 0;
    let eventEnd = 0;
    let eventEscaped = false;
    let otherColumn = -1;
    let otherStart = 0;
    let otherEnd = 0;
    for (;;) {
      for (; at < to && bytes[at] === COMMA; at++) column++;
      const status = cells.scan(bytes, at, to, last);
      if (status !== CELL) {
        return status === UNFINISHED ? -1 : this.#badQuotes(bytes, rowStart, at, to, last, status);
      }
      anyQuotes ||= cells.quoted;
      if (cells.end > cells.start) {
        if (eventColumn < 0) {
          eventColumn = column;
          eventStart = cells.start;
          eventEnd = cells.end;
          eventEscaped = cells.escaped;
        } else if (otherColumn < 0) {
          otherColumn = column;
          otherStart = cells.start;
          otherEnd = cells.end;
        }
      }
      at = cells.next;
      if (cells.rowEnds) break;
      column++;
    }

    if (this.#nul < at) this.#nulRow(bytes, at, to);
    else if (eventColumn >= 0 && !this.#isHeader(bytes, start, at)) {
      if (otherColumn >= 0) {
        this.#twoEvents(bytes, eventColumn, eventStart, eventEnd, otherColumn, otherStart, otherEnd);
      } else {
        this.#cell(bytes, eventStart, eventEnd, eventEscaped, eventColumn, batch);
      }
    }
    this.#lines += anyQuotes ? newlines(bytes, rowStart, at) : 1;
    return at;
  }

  /** Whether this row names the threads; then they are known afterwards. Only the first row may. */
  #isHeader(bytes: Uint8Array, start: number, end: number): boolean {
    if (this.#started) return false;
    this.#started = true;
    const cells = this.#cells;
    let columns = 0;
    let at = start;
    do {
      cells.scan(bytes, at, end, true);
      if (cells.end > cells.start && looksLikeEvent(cells.text(bytes))) return false;
      at = cells.next;
      columns++;
    } while (!cells.rowEnds);

    const header = new Int32Array(columns).fill(UNNAMED);
    const named = new Set<number>();
    at = start;
    for (let column = 0; column < columns; column++) {
      cells.scan(bytes, at, end, true);
      if (cells.end > cells.start) header[column] = this.#columnName(bytes, named);
      at = cells.next;
    }
    this.#header = header;
    return true;
  }

  /** The thread that the current cell of the header names. */
  #columnName(bytes: Uint8Array, named: Set<number>): number {
    const { start } = this.#cells;
    let name = this.#cells.text(bytes);
    if (name[0] === QUOTE) {
      const close = closingQuote(name, 1, name.length);
      if (close < 0 || close !== name.length - 1) {
        const problem = 'the quotes around a thread name do not end with it';
        this.#refuse(bytes, start, problem, name, 0, name.length, 'a name');
        return UNNAMED;
      }
      name = withoutDoubledQuotes(name, 1, close);
    }
    const id = this.#names.threads.intern(name);
    if (named.has(id)) {
      const problem = 'two columns for one thread';
      this.#refuse(bytes, start, problem, name, 0, name.length, 'one column a thread');
      return UNNAMED;
    }
    named.add(id);
    return id;
  }

  /** Reads the cell that holds the event of a row. */
  #cell(
    bytes: Uint8Array,
    start: number,
    end: number,
    escaped: boolean,
    column: number,
    batch: EventBatch,
  ): void {
    let cell = bytes;
    let cellStart = start;
    let cellEnd = end;
    if (escaped) {
      this.#unescaped.set(bytes, start, end);
      cell = this.#unescaped.bytes;
      cellStart = 0;
      cellEnd = this.#unescaped.length;
    }
    const event = this.#event;
    if (!event.read(cell, cellStart, cellEnd)) {
      const at = escaped ? start : event.problemAt;
      this.#refuse(bytes, at, event.problem, cell, cellStart, cellEnd, event.expected);
      return;
    }
    const thread = this.#thread(column);
    if (thread === UNNAMED) {
      const problem = `an event in column ${column + 1}, which has no thread`;
      this.#refuse(bytes, start, problem, bytes, start, end, 'an event in a column that the header names');
      return;
    }
    const table = this.#names.operandTable(event.op);
    const { operandSource, operandStart, operandEnd, locationStart } = event;
    const operand = table.intern(operandSource, operandStart, operandEnd);
    const location =
      locationStart < 0 ? NO_LOCATION : internLocation(this.#names.locations, cell, locationStart, cellEnd);
    batch.push(thread, event.op, operand, location, start);
  }

  #thread(column: number): number {
    if (this.#header === null) return this.#numbered.id(column);
    return column < this.#header.length ? this.#header[column] : UNNAMED;
  }

  #nulRow(bytes: Uint8Array, rowEnd: number, to: number): void {
    if (!this.#lenient) {
      throw new InputProblem('a text trace holds no NUL bytes', {
        position: this.locate(bytes, this.#nul),
        found: 'a NUL byte',
        expected: 'a row of text',
      });
    }
    this.repaired++;
    this.#nul = nextNul(bytes, rowEnd, to);
  }

  #twoEvents(
    bytes: Uint8Array,
    column: number,
    start: number,
    end: number,
    otherColumn: number,
    otherStart: number,
    otherEnd: number,
  ): void {
    if (!this.#lenient) {
      throw new InputProblem(`a row with two events, in columns ${column + 1} and ${otherColumn + 1}`, {
        position: this.locate(bytes, otherStart),
        found: `${show(bytes, start, end)} and ${show(bytes, otherStart, otherEnd)}`,
        expected: 'one event a row',
      });
    }
    this.repaired++;
  }

  /** Returns where to go on, or -1 if that is outside the window. */
  #badQuotes(
    bytes: Uint8Array,
    rowStart: number,
    cellStart: number,
    to: number,
    last: boolean,
    status: number,
  ): number {
    // Behind the line with the stray text; of quotes that never end, only the first line can be to blame.
    const { end } = this.#cells;
    const newline = bytes.indexOf(NEWLINE, status === STRAY ? end : rowStart);
    const known = newline >= 0 && newline < to;
    if (this.#lenient && !known && !last) return -1;
    if (status === STRAY) {
      const expected = "a comma or the row's end";
      this.#refuse(bytes, end, 'text behind the quotes of a cell', bytes, cellStart, end + 1, expected);
    } else {
      const problem = 'the quotes of this cell do not end';
      this.#refuse(bytes, cellStart, problem, bytes, cellStart, to, `a closing '"'`);
    }
    const next = known ? newline + 1 : to;
    if (this.#nul < next) this.#nul = nextNul(bytes, next, to);
    this.#lines += newlines(bytes, rowStart, next);
    return next;
  }

  /** Counts a problem, or throws it: at `at`, where `source[start … end)` was found. */
  #refuse(
    bytes: Uint8Array,
    at: number,
    problem: string,
    source: Uint8Array,
    start: number,
    end: number,
    expected: string,
  ): void {
    if (!this.#lenient) {
      const found = show(source, start, end);
      throw new InputProblem(problem, { position: this.locate(bytes, at), found, expected });
    }
    this.repaired++;
  }
}

function show(bytes: Uint8Array, start: number, end: number): string {
  return quoted(excerpt(bytes, start, end), 60);
}

function newlines(bytes: Uint8Array, start: number, end: number): number {
  let count = 0;
  for (let i = bytes.indexOf(NEWLINE, start); i >= 0 && i < end; i = bytes.indexOf(NEWLINE, i + 1)) count++;
  return count;
}

/** The first row with text in it, or else the one after it, has an event in it and nothing else. */
function looksLikeCsv(head: Uint8Array): boolean {
  const cells = new CellScanner();
  const event = new CsvEvent();
  let at = skipByteOrderMark(head, 0, head.length);
  for (let rows = 0; rows < 2 && at < head.length; ) {
    let filled = 0;
    let isEvent = false;
    do {
      if (cells.scan(head, at, head.length, true) !== CELL) return false;
      at = cells.next;
      if (cells.end === cells.start) continue;
      filled++;
      const text = cells.text(head);
      // `begin|…` may as well be a thread of an STD trace.
      isEvent = event.read(text, 0, text.length) && event.hasOperand && !text.includes(0);
    } while (!cells.rowEnds);
    if (filled === 1 && isEvent) return true;
    if (filled > 0) rows++;
  }
  return false;
}
