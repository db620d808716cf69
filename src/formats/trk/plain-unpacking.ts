import { Op } from '../../trace/operation.ts';
import type { ColumnArrays, NameList, PackedNameSizes, PackedSizes } from './columns.ts';
import { LARGEST_NUMBER, MOST_NUMBERS } from './name-templates.ts';
import { AGO, classBits, NEW } from './operand-classes.ts';
import { bitsFor, MOST_CODE_BITS, MOST_SYMBOLS, prefixCodes } from './prefix-code.ts';

/* Packed chunks in JavaScript: what wasm/trk-packed.h must agree with, and what is used where that cannot be. */

/** Bits from the lowest of each byte on; behind the end there are zeros. */
class Bits {
  readonly #bytes: Uint8Array;
  readonly #end: number;
  #position: number;

  constructor(bytes: Uint8Array, from: number, end: number) {
    this.#bytes = bytes;
    this.#position = from * 8;
    this.#end = end;
  }

  /** The next bits without passing over them. */
  peek(count: number): number {
    let value = 0;
    for (let i = 0; i < count; i++) {
      const at = this.#position + i;
      if (at >> 3 < this.#end) value += ((this.#bytes[at >> 3] >> (at & 7)) & 1) * 2 ** i;
    }
    return value;
  }

  take(count: number): number {
    const value = this.peek(count);
    this.#position += count;
    return value;
  }

  /** Whether all bytes have been read, and no more. */
  get isAtEnd(): boolean {
    return (this.#position + 7) >> 3 === this.#end;
  }
}

/** The code of actions. */
export class PlainCode {
  readonly #symbols = new Uint16Array(MOST_SYMBOLS);
  readonly #lengths: Uint8Array;

  static of(lengths: Uint8Array): PlainCode | null {
    const codes = prefixCodes(lengths);
    return codes && new PlainCode(lengths, codes);
  }

  private constructor(lengths: Uint8Array, codes: Uint16Array) {
    this.#lengths = lengths;
    codes.forEach((code, symbol) => {
      for (let rest = code; rest < MOST_SYMBOLS; rest += 1 << lengths[symbol]) this.#symbols[rest] = symbol;
    });
  }

  symbol(bits: Bits): number {
    const symbol = this.#symbols[bits.peek(MOST_CODE_BITS)];
    bits.take(this.#lengths[symbol]);
    return symbol;
  }
}

/** Returns how many events are notable, or -1. */
export function unpackedEvents(
  bytes: Uint8Array,
  tables: ColumnArrays,
  code: PlainCode,
  { events, locations, evenAt, oddAt, numbersAt, locationsAt, end }: PackedSizes,
): number {
  const { op, thread, operand, location, notable, idCount } = tables;
  const even = new Bits(bytes, evenAt, oddAt);
  const odd = new Bits(bytes, oddAt, numbersAt);
  const numbers = new Bits(bytes, numbersAt, locationsAt);
  const places = new Bits(bytes, locationsAt, end);
  const locationBits = bitsFor(locations - 1);
  const nextId = tables.nextId.slice();
  const isKnown = new Set<number>();
  let notables = 0;
  for (let i = 0; i < events; i++) {
    const action = code.symbol(i % 2 === 0 ? even : odd);
    const table = tables.actionTable[action];
    const operandClass = tables.actionClass[action];
    const number = numbers.take(classBits(operandClass));
    if (operandClass === NEW) operand[i] = nextId[table]++;
    else if (operandClass < AGO) operand[i] = idCount[table] - 1 - number;
    else if (number >= i) return -1;
    else operand[i] = operand[i - 1 - number];
    const place = places.take(locationBits);
    if (operand[i] < 0 || operand[i] >= idCount[table] || place >= locations) return -1;
    op[i] = tables.actionOp[action];
    thread[i] = tables.actionThread[action];
    location[i] = tables.chunkLocations[place];
    if (!isKnown.has(action) || op[i] > Op.update) notable[notables++] = i;
    isKnown.add(action);
  }
  const isWhole = [even, odd, numbers, places].every(({ isAtEnd }) => isAtEnd);
  return isWhole ? notables : -1;
}

export function unpackedNames(
  bytes: Uint8Array,
  tables: ColumnArrays,
  { names, templates, at, end, limit }: PackedNameSizes,
): NameList | null {
  const { templateNumbers, numberBits, numberIsDifference, leastNumber, pieceStart, pieceLength } = tables;
  const bits = new Bits(bytes, at, end);
  const templateBits = bitsFor(templates - 1);
  const last = tables.numberBefore.slice();
  const list = new Uint8Array(limit);
  const ends = new Int32Array(names);
  let length = 0;
  for (let n = 0; n < names; n++) {
    const template = bits.take(templateBits);
    if (template >= templates) return null;
    const pieces: Uint8Array[] = [];
    for (let i = 0; i <= templateNumbers[template]; i++) {
      const piece = template * (MOST_NUMBERS + 1) + i;
      pieces.push(bytes.subarray(pieceStart[piece], pieceStart[piece] + pieceLength[piece]));
      if (i === templateNumbers[template]) break;
      const column = template * MOST_NUMBERS + i;
      const before = numberIsDifference[column] ? last[column] : 0;
      const number = before + leastNumber[column] + bits.take(numberBits[column]);
      if (number < 0 || number > LARGEST_NUMBER) return null;
      last[column] = number;
      pieces.push(Buffer.from(String(number)));
    }
    const name = Buffer.concat(pieces);
    if (length + name.length > limit) return null;
    list.set(name, length);
    length += name.length;
    ends[n] = length;
  }
  return bits.isAtEnd ? { bytes: list.subarray(0, length), ends } : null;
}
