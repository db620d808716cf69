import type { NameTable } from '../trace/name-table.ts';
import { CompiledNames, HASHED, IS_FULL, instanceOf, MOST_TEXT, READ } from './compiled-names.ts';
import { IDS_KEPT, NAMED } from './sent-names.ts';
import { CHUNK_NAMES } from './trk/chunk-names-wasm.ts';

const REGIONS = ['ids', 'operands'] as const;

/* Of wasm/names.h and wasm/chunk-names.c. */
const NUMBER_BITS = 23;
const MOST_EVENTS = 8192;

interface Exports {
  intern_all(table: number, length: number, most: number, first: number): number;
  place(table: number, count: number): number;
}

/**
 * Gives ids to variables whose names are sent (see `SentNames`), and puts them where operands stand for these: by compiled code (wasm/chunk-names.c), so that
 * the processor waits for many places of a large table at a time.
 */
export class VariableIds extends CompiledNames<(typeof REGIONS)[number]> {
  readonly #exports: Exports;
  readonly #variables: NameTable;
  /** How many names have come. */
  count = 0;

  /** Null where there is no WebAssembly. */
  static for(variables: NameTable, mostBytes?: number): VariableIds | null {
    const exports = instanceOf(CHUNK_NAMES);
    return exports === null ? null : new VariableIds(exports as Exports, variables, mostBytes);
  }

  private constructor(exports: Exports, variables: NameTable, mostBytes: number | undefined) {
    super(exports, REGIONS, [variables], mostBytes);
    this.#exports = exports;
    this.#variables = variables;
  }

  /** How many of the names, of late, were not found by their number. */
  get hashed(): number {
    return this.state(HASHED);
  }

  /** Takes names, all of them whole. */
  take(names: Uint8Array): void {
    for (let at = 0; at < names.length; ) {
      const read = this.isOver ? 0 : this.#takeCompiled(names, at);
      at = read > 0 ? at + read : this.#takeOne(names, at);
    }
  }

  /** Puts ids in the place of operands that stand for variables; at most `MOST_EVENTS`. */
  place(operands: Int32Array): void {
    const count = operands.length;
    this.wordsOf('operands', MOST_EVENTS).set(operands);
    const placed = this.#exports.place(0, count);
    operands.set(this.wordsOf('operands', count));
    for (let i = placed; i < count; i++) operands[i] = this.#id(operands[i]);
  }

  /** Returns how many bytes it has used. */
  #takeCompiled(names: Uint8Array, from: number): number {
    const length = Math.min(names.length - from, MOST_TEXT);
    this.memory.set(names.subarray(from, from + length), this.addressOf('text'));
    this.count += this.#exports.intern_all(0, length, IDS_KEPT, this.count);
    this.look();
    this.takeNames();
    if (this.state(IS_FULL) !== 0) this.giveUp();
    return this.state(READ);
  }

  /** Returns where the next name starts. */
  #takeOne(names: Uint8Array, from: number): number {
    let at = from;
    let length = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = names[at++];
      length |= (byte & 0x7f) << shift;
      if (byte < 0x80) break;
    }
    const id = this.#variables.intern(names, at, at + length);
    this.wordsOf('ids', IDS_KEPT)[this.count++ % IDS_KEPT] = id;
    return at + length;
  }

  #id(operand: number): number {
    if (operand >= 0) return operand < NAMED ? operand : this.wordsOf('ids', IDS_KEPT)[operand % IDS_KEPT];
    const first = (operand >>> NUMBER_BITS) & 0xff;
    const number = operand & ((1 << NUMBER_BITS) - 1);
    return this.#variables.intern(Buffer.from(`${String.fromCharCode(first)}${number}`, 'latin1'));
  }
}
