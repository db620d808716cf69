import { Op } from '../trace/operation.ts';
import { Unescaped } from './csv-cells.ts';

const QUOTE = 0x22;
const OPEN = 0x28;
const CLOSE = 0x29;
const PIPE = 0x7c;

/** The words of RAPID and those of STD; the most frequent first, for they are tried in this order. */
const WORDS: readonly (readonly [string, Op])[] = [
  ['r', Op.read],
  ['w', Op.write],
  ['u', Op.update],
  ['acq', Op.acquire],
  ['rel', Op.release],
  ['begin', Op.begin],
  ['enter', Op.begin],
  ['end', Op.end],
  ['exit', Op.end],
  ['fork', Op.fork],
  ['start', Op.fork],
  ['join', Op.join],
  ['arrive', Op.arrive],
  ['leave', Op.leave],
  ['vr', Op.volatileRead],
  ['vw', Op.volatileWrite],
  ['vu', Op.volatileUpdate],
  ['send', Op.send],
  ['receive', Op.receive],
  ['notify', Op.notify],
  ['wait', Op.wait],
];

const LONGEST_WORD = 7;
const KEYS = Float64Array.from(WORDS, ([word]) => [...Buffer.from(word)].reduce(wordKey, 0));
const OPS = Uint8Array.from(WORDS, ([, op]) => op);

export const CSV_OPERATIONS = `one of ${WORDS.map(([word]) => word).join(', ')}`;

/** So few lower-case letters fit into a number, so words are compared at once. */
function wordKey(key: number, letter: number): number {
  return key * 27 + letter - 0x60;
}

function isLowerCase(byte: number): boolean {
  return byte >= 0x61 && byte <= 0x7a;
}

/**
 * Takes the text of a cell apart: `op(operand)` or `op(operand)|location`. The operand ends at the first `)`
 * that a `|` or the end of the cell follows. An operand in quotes (doubled inside) may be anything.
 */
export class CsvEvent {
  op: Op = Op.read;
  /** Where the operand's bytes are: the cell itself unless it had quotes of its own. */
  operandSource = new Uint8Array(0);
  operandStart = 0;
  operandEnd = 0;
  /** False for a block that is written without parentheses. */
  hasOperand = false;
  /** Where the location starts, or -1; it ends with the cell. */
  locationStart = -1;
  /** When `read` has said false: what is wrong and where. */
  problem = '';
  expected = '';
  problemAt = 0;
  readonly #unescaped = new Unescaped();

  read(cell: Uint8Array, start: number, end: number): boolean {
    const at = this.#word(cell, start, end);
    if (at < 0) return this.#fail(start, 'unknown operation', CSV_OPERATIONS);
    this.hasOperand = at < end && cell[at] === OPEN;
    if (this.hasOperand) {
      return cell[at + 1] === QUOTE && at + 1 < end
        ? this.#quotedOperand(cell, at + 2, end)
        : this.#operand(cell, at + 1, end);
    }
    const block = this.op === Op.begin || this.op === Op.end;
    if (at < end && cell[at] !== PIPE) return this.#fail(start, 'unknown operation', CSV_OPERATIONS);
    if (!block) return this.#fail(at, 'the operand is missing', 'operation(operand)');
    this.#found(cell, at, at);
    return this.#rest(at, end);
  }

  /** Reads the operation; returns where its word ends, or -1. */
  #word(cell: Uint8Array, start: number, end: number): number {
    let at = start;
    let key = 0;
    for (; at < end && isLowerCase(cell[at]); at++) {
      if (at - start === LONGEST_WORD) return -1;
      key = wordKey(key, cell[at]);
    }
    for (let word = 0; word < KEYS.length; word++) {
      if (KEYS[word] !== key) continue;
      this.op = OPS[word] as Op;
      return at;
    }
    return -1;
  }

  #operand(cell: Uint8Array, start: number, end: number): boolean {
    for (let at = start; at < end; at++) {
      const c = cell[at];
      if (c === CLOSE && (at + 1 === end || cell[at + 1] === PIPE)) {
        if (at === start && this.op !== Op.begin && this.op !== Op.end) {
          return this.#fail(at, 'the operand is empty', 'operation(operand)');
        }
        this.#found(cell, start, at);
        return this.#rest(at + 1, end);
      }
    }
    return this.#fail(end, 'the operand does not end', "')' and then '|' or the end of the cell");
  }

  #quotedOperand(cell: Uint8Array, start: number, end: number): boolean {
    const close = closingQuote(cell, start, end);
    if (close < 0) return this.#fail(end, 'the quotes around the operand do not end', "'\"' and then ')'");
    const after = close + 2;
    if (close + 1 >= end || cell[close + 1] !== CLOSE || (after < end && cell[after] !== PIPE)) {
      return this.#fail(
        close + 1,
        'something follows the quoted operand',
        "')' and then '|' or the end of the cell",
      );
    }
    this.#unescaped.set(cell, start, close);
    const { bytes, length } = this.#unescaped;
    this.#found(bytes, 0, length);
    return this.#rest(after, end);
  }

  #found(source: Uint8Array, start: number, end: number): void {
    this.operandSource = source as Uint8Array<ArrayBuffer>;
    this.operandStart = start;
    this.operandEnd = end;
  }

  /** What follows the operand is nothing, or `|` and the location. */
  #rest(at: number, end: number): true {
    this.locationStart = at < end ? at + 1 : -1;
    return true;
  }

  #fail(at: number, problem: string, expected: string): false {
    this.problemAt = at;
    this.problem = problem;
    this.expected = expected;
    return false;
  }
}

/** Where the quotes that were opened before `start` close, or -1. */
export function closingQuote(bytes: Uint8Array, start: number, end: number): number {
  for (let at = start; at < end; at++) {
    if (bytes[at] !== QUOTE) continue;
    if (at + 1 >= end || bytes[at + 1] !== QUOTE) return at;
    at++;
  }
  return -1;
}

/**
 * Whether a cell of the first row is an event and no thread name: `word(…)`, perhaps with a location. A word
 * that is an operation is enough, and so is an operation that needs no operand, so that a cut or misspelt
 * event in the first row is refused and not taken for a name.
 */
export function looksLikeEvent(cell: Uint8Array): boolean {
  const text = Buffer.from(cell.buffer, cell.byteOffset, cell.length).toString('latin1');
  const word = /^[A-Za-z]+/.exec(text)?.[0] ?? '';
  if (word === '') return false;
  const rest = text.slice(word.length);
  const op = WORDS.find(([name]) => name === word)?.[1];
  if (rest.startsWith('(')) return op !== undefined || rest.endsWith(')') || rest.includes(')|');
  return (op === Op.begin || op === Op.end) && (rest === '' || rest.startsWith('|'));
}
