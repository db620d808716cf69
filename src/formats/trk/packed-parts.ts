import { unzigzag } from './byte-builder.ts';
import type { ChunkColumns, NameList, PackedSizes } from './columns.ts';
import { byteCount, type Cursor } from './cursor.ts';
import { MAX_NAME_GROWTH, MAX_PACKED_BYTES } from './layout.ts';
import { DIFFERENCE, MOST_NUMBERS, MOST_TEMPLATES, NameCoding } from './name-templates.ts';
import { OPERAND_CLASSES } from './operand-classes.ts';

const MOST_NUMBER_BITS = 30;

/** Reads those parts of a packed chunk that others do not have; the cursor is behind the kind of the chunk. */
export class PackedParts {
  readonly #cursor: Cursor;
  readonly #columns: ChunkColumns;
  /** Where what the columns have loaded starts. */
  readonly #start: number;
  readonly #nameLimit: number;

  constructor(cursor: Cursor, columns: ChunkColumns) {
    this.#cursor = cursor;
    this.#columns = columns;
    this.#start = cursor.at;
    const size = cursor.end - cursor.at;
    if (size >= MAX_PACKED_BYTES)
      cursor.fail(
        cursor.at,
        'a packed chunk is too long',
        byteCount(size + 1),
        `at most ${MAX_PACKED_BYTES}`,
      );
    this.#nameLimit = Math.min(MAX_PACKED_BYTES, MAX_NAME_GROWTH * size);
    columns.load(cursor.bytes, cursor.at, cursor.end);
  }

  /** The names that a table gets. */
  names(count: number): NameList {
    const cursor = this.#cursor;
    const start = cursor.at;
    const coding = cursor.u8('how names are written');
    if (coding === NameCoding.plain) return this.#plainNames(count);
    if (coding !== NameCoding.templates)
      cursor.fail(start, 'unknown way of writing names', String(coding), '0 (plain) or 1 (templates)');
    const templates = this.#positive('the number of templates', MOST_TEMPLATES);
    for (let i = 0; i < templates; i++) this.#template(i);
    const size = this.#bounded('the size of packed names', cursor.end - cursor.at);
    const at = cursor.at - this.#start;
    const end = at + size;
    cursor.at += size;
    return (
      this.#columns.unpackNames({ names: count, templates, at, end, limit: this.#nameLimit }) ??
      cursor.fail(start, 'packed names are damaged', byteCount(size), 'all of their templates and numbers')
    );
  }

  #plainNames(count: number): NameList {
    const cursor = this.#cursor;
    const source = cursor.bytes;
    const bytes = new Uint8Array(cursor.end - cursor.at);
    const ends = new Int32Array(count);
    let end = 0;
    for (let i = 0; i < count; i++) {
      const length = cursor.varint('the length of a name');
      const left = cursor.end - cursor.at;
      if (length > left) cursor.fail(cursor.at, 'a name is cut', byteCount(left), byteCount(length));
      const start = cursor.at;
      // Most names are short: to make two views of each takes longer.
      for (let j = 0; j < length; j++) bytes[end + j] = source[start + j];
      cursor.at += length;
      end += length;
      ends[i] = end;
    }
    return { bytes, ends };
  }

  #template(index: number): void {
    const cursor = this.#cursor;
    const tables = this.#columns.tables;
    const numbers = this.#bounded('how many numbers are in a template', MOST_NUMBERS);
    tables.templateNumbers[index] = numbers;
    for (let i = 0; i <= numbers; i++) {
      const piece = index * (MOST_NUMBERS + 1) + i;
      const length = cursor.varint('the length of a piece of a template');
      if (length > cursor.end - cursor.at)
        cursor.fail(cursor.at, 'a template is cut', byteCount(cursor.end - cursor.at), byteCount(length));
      tables.pieceStart[piece] = cursor.at - this.#start;
      tables.pieceLength[piece] = length;
      cursor.at += length;
    }
    for (let i = 0; i < numbers; i++) {
      const column = index * MOST_NUMBERS + i;
      const start = cursor.at;
      const bits = cursor.u8('how many bits a number takes');
      const isDifference = bits >= DIFFERENCE;
      tables.numberBits[column] = bits & ~DIFFERENCE;
      if (tables.numberBits[column] > MOST_NUMBER_BITS)
        cursor.fail(start, 'a number takes too many bits', String(bits), `at most ${MOST_NUMBER_BITS}`);
      tables.numberIsDifference[column] = isDifference ? 1 : 0;
      tables.leastNumber[column] = unzigzag(cursor.varint('the least number'));
      tables.numberBefore[column] = isDifference ? unzigzag(cursor.varint('the number before')) : 0;
    }
  }

  /** How many actions or locations there are. */
  count(what: string, limit: number): number {
    return this.#positive(what, limit);
  }

  operandClass(): number {
    const cursor = this.#cursor;
    const operandClass = cursor.u8('the class of an operand');
    if (operandClass >= OPERAND_CLASSES)
      cursor.fail(
        cursor.at - 1,
        'unknown class of operands',
        String(operandClass),
        `below ${OPERAND_CLASSES}`,
      );
    return operandClass;
  }

  /** The code of so many actions. */
  code(actions: number): void {
    const cursor = this.#cursor;
    const start = cursor.at;
    const { codeLengths } = this.#columns.tables;
    for (let i = 0; i < actions; i += 2) {
      const two = cursor.u8('the length of a code');
      codeLengths[i] = two & 15;
      if (i + 1 < actions) codeLengths[i + 1] = two >> 4;
    }
    if (!this.#columns.setCode(actions))
      cursor.fail(start, 'the code of the actions is damaged', 'its lengths', 'those of a prefix code');
  }

  /** Where the columns are; they fill the rest of the chunk. */
  sizes(events: number, actions: number, locations: number): PackedSizes {
    const cursor = this.#cursor;
    const columns = ['first action', 'second action', 'number'].map((column) =>
      this.#bounded(`the size of the ${column} column`, MAX_PACKED_BYTES),
    );
    const evenAt = cursor.at - this.#start;
    const oddAt = evenAt + columns[0];
    const numbersAt = oddAt + columns[1];
    const locationsAt = numbersAt + columns[2];
    const end = cursor.end - this.#start;
    if (locationsAt > end) {
      const [found, expected] = [end - evenAt, locationsAt - evenAt];
      cursor.fail(cursor.at, 'the columns do not fit', byteCount(found), byteCount(expected));
    }
    return { events, actions, locations, evenAt, oddAt, numbersAt, locationsAt, end };
  }

  #bounded(what: string, limit: number): number {
    return this.#cursor.bounded(what, limit);
  }

  #positive(what: string, limit: number): number {
    const start = this.#cursor.at;
    const value = this.#bounded(what, limit);
    if (value === 0) this.#cursor.fail(start, `${what} is too small`, '0', 'at least 1');
    return value;
  }
}
