import { BitBuilder } from './bit-builder.ts';
import { ByteBuilder, VARINT_BYTES, zigzag } from './byte-builder.ts';
import { MAX_PACKED_BYTES } from './layout.ts';
import { bitsFor } from './prefix-code.ts';

/* Names that differ in their numbers only, such as `V3.12345[2]` and `V3.12346[0]`, share a template: `V#.#[#]`. */

export const MOST_TEMPLATES = 256;
export const MOST_NUMBERS = 8;
/** Of nine digits. */
export const LARGEST_NUMBER = 999_999_999;
const MOST_DIGITS = 9;

/** How the names of a table are written in a packed chunk. */
export const NameCoding = { plain: 0, templates: 1 } as const;

/** Set in the byte that says how many bits a number takes, if it is the difference from the one before. */
export const DIFFERENCE = 0x80;

interface Template {
  /** In front of each number, and behind the last. */
  pieces: readonly Uint8Array[];
  /** By place in the template: the numbers of all its names. */
  numbers: number[][];
}

/** What is found in a name. */
interface Parsed {
  pieces: Uint8Array[];
  numbers: number[];
}

/** Gathers the names that a table gets in a chunk, and writes them by templates. */
export class NameTemplates {
  readonly #byText = new Map<string, number>();
  readonly #templates: Template[] = [];
  /** Of each name. */
  readonly #chosen: number[] = [];

  /** The names, each with its length in front, or null if that would not be less than their bytes. */
  static pack(list: Uint8Array, count: number): Uint8Array | null {
    // The reader has room for no more. Few names are not worth it.
    if (list.length > MAX_PACKED_BYTES || count < 2) return null;
    const templates = new NameTemplates();
    let at = 0;
    for (let i = 0; i < count; i++) {
      let length = 0;
      for (let shift = 0; ; shift += 7) {
        length |= (list[at] & 0x7f) << shift;
        if (list[at++] < 0x80) break;
      }
      if (!templates.#add(list, at, at + length)) return null;
      at += length;
    }
    const packed = templates.#write();
    return packed.length < list.length ? packed : null;
  }

  #add(bytes: Uint8Array, from: number, to: number): boolean {
    const { pieces, numbers } = parsed(bytes, from, to);
    if (numbers.length > MOST_NUMBERS) return false;
    const text = pieces.map((piece) => `${piece.length}:${Buffer.from(piece).toString('latin1')}`).join('');
    let index = this.#byText.get(text);
    if (index === undefined) {
      if (this.#templates.length === MOST_TEMPLATES) return false;
      index = this.#templates.push({ pieces, numbers: numbers.map(() => []) }) - 1;
      this.#byText.set(text, index);
    }
    this.#chosen.push(index);
    const template = this.#templates[index];
    for (let i = 0; i < numbers.length; i++) template.numbers[i].push(numbers[i]);
    return true;
  }

  #write(): Uint8Array {
    const templates = this.#templates;
    let size = 2 * VARINT_BYTES;
    for (const { pieces } of templates)
      for (const piece of pieces) size += 3 * VARINT_BYTES + 1 + piece.length;
    const columns = templates.map(({ numbers }) => numbers.map(columnOf));
    const bits = this.#bits(columns);
    const out = new ByteBuilder(size + bits.length);
    out.varint(templates.length);
    templates.forEach(({ pieces }, t) => {
      out.varint(pieces.length - 1);
      for (const piece of pieces) {
        out.varint(piece.length);
        out.append(piece);
      }
      for (const { bits, least, before } of columns[t]) {
        out.u8(bits | (before === null ? 0 : DIFFERENCE));
        out.varint(zigzag(least));
        if (before !== null) out.varint(zigzag(before));
      }
    });
    out.varint(bits.length);
    out.append(bits);
    return out.bytes.subarray(0, out.length);
  }

  #bits(columns: readonly (readonly Column[])[]): Uint8Array {
    const bits = new BitBuilder();
    const templateBits = bitsFor(this.#templates.length - 1);
    const used = new Int32Array(this.#templates.length);
    for (const t of this.#chosen) {
      bits.add(t, templateBits);
      const i = used[t]++;
      for (const { above, bits: count } of columns[t]) bits.add(above[i], count);
    }
    return bits.take();
  }
}

/** The numbers at one place of a template, each as what it is above the least; or its difference from the one before is. */
interface Column {
  above: readonly number[];
  least: number;
  bits: number;
  /** Of differences: what comes before the first number. */
  before: number | null;
}

function columnOf(numbers: readonly number[]): Column {
  const plain = aboveLeast(numbers);
  if (numbers.length === 1) return plain;
  const differences = aboveLeast(numbers.slice(1).map((number, i) => number - numbers[i]));
  if (differences.bits >= plain.bits) return plain;
  const { least, bits, above } = differences;
  // So that the first difference is the least one, whatever that is.
  return { above: [0, ...above], least, bits, before: numbers[0] - least };
}

function aboveLeast(values: readonly number[]): Column {
  let [least, most] = [values[0], values[0]];
  for (const value of values) {
    if (value < least) least = value;
    if (value > most) most = value;
  }
  return { above: values.map((value) => value - least), least, bits: bitsFor(most - least), before: null };
}

/** Takes a name apart. Digits that do not follow from a number alone, with a zero in front or too many, are text. */
function parsed(bytes: Uint8Array, from: number, to: number): Parsed {
  const pieces: Uint8Array[] = [];
  const numbers: number[] = [];
  let start = from;
  for (let at = from; at < to; ) {
    if (!isDigit(bytes[at])) {
      at++;
      continue;
    }
    const first = at;
    let number = 0;
    while (at < to && isDigit(bytes[at])) number = number * 10 + bytes[at++] - ZERO;
    const digits = at - first;
    if (digits > MOST_DIGITS || (digits > 1 && bytes[first] === ZERO)) continue;
    pieces.push(bytes.subarray(start, first));
    numbers.push(number);
    start = at;
  }
  pieces.push(bytes.subarray(start, to));
  return { pieces, numbers };
}

const ZERO = 0x30;

function isDigit(byte: number): boolean {
  return byte >= ZERO && byte <= 0x39;
}
