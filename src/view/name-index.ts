import { VARINT_BYTES } from '../formats/trk/byte-builder.ts';
import { Cursor } from '../formats/trk/cursor.ts';
import { grownInt32, grownUint8 } from '../trace/growable.ts';
import { OPERAND_KINDS } from '../trace/operation.ts';
import type { EventColumns } from './chunk-codec.ts';

/** The tables of names in which operands are found, and in which a page can be searched. */
export const TABLES = ['threads', 'locks', 'variables', 'labels'] as const;
export type Table = (typeof TABLES)[number];

const TABLE_OF_KIND = {
  thread: 0,
  lock: 1,
  barrier: 1,
  message: 1,
  condition: 1,
  variable: 2,
  label: 3,
} as const;

/** The position in `TABLES` of the table that names the operand, by operation. */
export const TABLE_OF_OP: readonly number[] = OPERAND_KINDS.map((kind) => TABLE_OF_KIND[kind]);

/** Says in which chunks a name occurs, so that a search need not unpack the others. */
export class NameIndexWriter {
  #bytes = new Uint8Array(1 << 16);
  #length = 0;
  /** By table and name: how many events name it, and the last chunk in which one did. */
  readonly counts: Int32Array<ArrayBuffer>[] = TABLES.map(() => new Int32Array(64));
  readonly #seen: Int32Array<ArrayBuffer>[] = TABLES.map(() => new Int32Array(64));
  /** By thread: how many events it has in the current chunk. */
  #own = new Int32Array(64);
  #chunk = 0;

  /** `sizes`: how many names each table has by now. */
  add({ length, op, thread, operand }: EventColumns, sizes: readonly number[]): void {
    const chunk = ++this.#chunk;
    for (const [i, size] of sizes.entries()) {
      this.counts[i] = grownInt32(this.counts[i], size);
      this.#seen[i] = grownInt32(this.#seen[i], size);
    }
    this.#own = grownInt32(this.#own, sizes[0]);
    const found: number[][] = TABLES.map(() => []);
    const note = (table: number, name: number) => {
      this.counts[table][name]++;
      if (this.#seen[table][name] === chunk) return;
      this.#seen[table][name] = chunk;
      found[table].push(name);
    };
    for (let i = 0; i < length; i++) {
      this.#own[thread[i]]++;
      note(0, thread[i]);
      note(TABLE_OF_OP[op[i]], operand[i]);
    }
    for (const [table, names] of found.entries()) {
      names.sort((a, b) => a - b);
      this.#varint(names.length);
      let last = 0;
      for (const name of names) {
        this.#varint(name - last);
        last = name;
        if (table !== 0) continue;
        this.#varint(this.#own[name]);
        this.#own[name] = 0;
      }
    }
  }

  finish(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  #varint(value: number): void {
    this.#bytes = grownUint8(this.#bytes, this.#length + VARINT_BYTES);
    let rest = value;
    while (rest > 0x7f) {
      this.#bytes[this.#length++] = (rest & 0x7f) | 0x80;
      rest >>>= 7;
    }
    this.#bytes[this.#length++] = rest;
  }
}

/** What the index says of one chunk. */
export interface ChunkNames {
  /** By table, in ascending order. */
  names: Int32Array[];
  /** Of each thread that it names: how many events it has there. */
  threadEvents: Int32Array;
}

export function readNameIndex(bytes: Uint8Array, chunks: number): ChunkNames[] {
  const cursor = new Cursor(bytes, 0, bytes.length, 0, 0);
  return Array.from({ length: chunks }, () => {
    let threadEvents = new Int32Array(0);
    const names = TABLES.map((_, table) => {
      const count = cursor.varint('the number of names');
      const found = new Int32Array(count);
      if (table === 0) threadEvents = new Int32Array(count);
      let last = 0;
      for (let i = 0; i < count; i++) {
        last += cursor.varint('a name');
        found[i] = last;
        if (table === 0) threadEvents[i] = cursor.varint('the number of events');
      }
      return found;
    });
    return { names, threadEvents };
  });
}
