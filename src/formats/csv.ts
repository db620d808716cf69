import type { EventBatch } from '../trace/batch.ts';
import { internLocation, NO_LOCATION } from '../trace/location.ts';
import type { TraceNames } from '../trace/names.ts';
import { quoted } from '../trace/printable.ts';
import { InputProblem, type Position } from '../trace/problem.ts';
import { CELL, CellScanner, STRAY, UNFINISHED, Unescaped } from './csv-cells.ts';
import { CsvEvent, closingQuote, looksLikeEvent } from './csv-event.ts';
import type { DecodeOptions, Decoder, Format } from './format.ts';
import { NumberedNames } from './numbered-names.ts';
import { nextNul, skipByteOrderMark } from './text-guards.ts';
import { excerpt, LINE_PIECE, TextPosition } from './text-position.ts';

const NEWLINE = 0x0a;
const QUOTE = 0x22;
const COMMA = 0x2c;
const PIPE = 0x7c;

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
        this.#refuse(() => {
          const found = `${show(bytes, eventStart, eventEnd)} and ${show(bytes, otherStart, otherEnd)}`;
          const columns = `columns ${eventColumn + 1} and ${otherColumn + 1}`;
          return this.#problem(
            bytes,
            otherStart,
            `a row with two events, in ${columns}`,
            found,
            'one event a row',
          );
        });
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
    const names: { name: Uint8Array; at: number }[] = [];
    for (let at = start; ; at = cells.next) {
      cells.scan(bytes, at, end, true);
      const name = cells.escaped
        ? unescape(bytes, cells.start, cells.end)
        : bytes.subarray(cells.start, cells.end);
      if (looksLikeEvent(name)) return false;
      names.push({ name, at: cells.start });
      if (cells.rowEnds) break;
    }
    this.#header = Int32Array.from(names, () => UNNAMED);
    for (const [column, { name, at }] of names.entries()) {
      if (name.length > 0) this.#header[column] = this.#columnName(bytes, name, at);
    }
    return true;
  }

  #columnName(bytes: Uint8Array, cell: Uint8Array, at: number): number {
    let name = cell;
    if (cell[0] === QUOTE) {
      const close = closingQuote(cell, 1, cell.length);
      if (close !== cell.length - 1 || close < 1) {
        this.#refuse(() =>
          this.#problem(
            bytes,
            at,
            'the quotes around a thread name do not end with it',
            show(cell, 0, cell.length),
            'a name',
          ),
        );
        return UNNAMED;
      }
      name = unescape(cell, 1, close);
    }
    const id = this.#names.threads.intern(name);
    if (this.#header?.includes(id)) {
      this.#refuse(() =>
        this.#problem(
          bytes,
          at,
          'two columns for one thread',
          show(name, 0, name.length),
          'one column a thread',
        ),
      );
      return UNNAMED;
    }
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
      this.#refuse(() => {
        const at = escaped ? start : event.problemAt;
        return this.#problem(bytes, at, event.problem, show(cell, cellStart, cellEnd), event.expected);
      });
      return;
    }
    const thread = this.#thread(column);
    if (thread === UNNAMED) {
      this.#refuse(() => {
        const expected = `an event in one of the columns that the header names`;
        return this.#problem(
          bytes,
          start,
          `an event in column ${column + 1}, which has no thread`,
          show(bytes, start, end),
          expected,
        );
      });
      return;
    }
    const table = this.#names.operandTable(event.op);
    const { operandSource, operandStart, operandEnd, operandHash, locationStart } = event;
    const operand = table.internHashed(operandSource, operandStart, operandEnd, operandHash);
    const location =
      locationStart < 0 ? NO_LOCATION : internLocation(this.#names.locations, cell, locationStart, cellEnd);
    batch.push(thread, event.op, operand, location, start);
  }

  #thread(column: number): number {
    if (this.#header === null) return this.#numbered.id(column);
    return column < this.#header.length ? this.#header[column] : UNNAMED;
  }

  #nulRow(bytes: Uint8Array, rowEnd: number, to: number): void {
    this.#refuse(() =>
      this.#problem(bytes, this.#nul, 'a text trace holds no NUL bytes', 'a NUL byte', 'a row of text'),
    );
    this.#nul = nextNul(bytes, rowEnd, to);
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
    const { end } = this.#cells;
    this.#refuse(() =>
      status === STRAY
        ? this.#problem(bytes, end, 'text behind the quotes of a cell', show(bytes, end, end + 20), "','")
        : this.#problem(
            bytes,
            cellStart,
            'the quotes of this cell do not end',
            show(bytes, cellStart, to),
            `'"'`,
          ),
    );
    // Behind the line with the stray text; of quotes that never end, only the first line can be to blame.
    const newline = bytes.indexOf(NEWLINE, status === STRAY ? end : rowStart);
    const known = newline >= 0 && newline < to;
    if (!known && !last) {
      this.repaired--;
      return -1;
    }
    const next = known ? newline + 1 : to;
    if (this.#nul < next) this.#nul = nextNul(bytes, next, to);
    this.#lines += newlines(bytes, rowStart, next);
    return next;
  }

  #refuse(problem: () => InputProblem): void {
    if (!this.#lenient) throw problem();
    this.repaired++;
  }

  #problem(bytes: Uint8Array, at: number, summary: string, found: string, expected: string): InputProblem {
    return new InputProblem(summary, { position: this.locate(bytes, at), found, expected });
  }
}

function show(bytes: Uint8Array, start: number, end: number): string {
  return quoted(excerpt(bytes, start, end), 60);
}

function unescape(bytes: Uint8Array, start: number, end: number): Uint8Array {
  const unescaped = new Unescaped();
  unescaped.set(bytes, start, end);
  return unescaped.bytes.subarray(0, unescaped.length);
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
      const text = cells.escaped
        ? unescape(head, cells.start, cells.end)
        : head.subarray(cells.start, cells.end);
      // `begin|…` may as well be a thread of an STD trace.
      isEvent = event.read(text, 0, text.length) && text[event.operandEnd] !== PIPE && !text.includes(0);
    } while (!cells.rowEnds);
    if (filled === 1 && isEvent) return true;
    if (filled > 0) rows++;
  }
  return false;
}
