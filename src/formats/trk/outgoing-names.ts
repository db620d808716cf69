import { grownInt32 } from '../../trace/growable.ts';
import type { NamesById } from '../../trace/names.ts';
import { printable } from '../../trace/printable.ts';
import { InputProblem } from '../../trace/problem.ts';
import { type ByteBuilder, VARINT_BYTES } from './byte-builder.ts';
import { MAX_NAME_BYTES } from './layout.ts';

/** The names of one table on their way into a file: numbered when first used, defined in the next chunk. */
export class OutgoingNames {
  /** How many names have an id in the file. */
  count = 0;
  /** Bytes of the names that the chunk being gathered has to define. */
  pendingBytes = 0;
  readonly #table: NamesById;
  /** From an id of `#table` to the id in the file + 1; 0 as long as no event has used the name. */
  #fileIds = new Int32Array(64);
  #pending: number[] = [];

  constructor(table: NamesById) {
    this.#table = table;
  }

  /** Makes room for every name that is in the table by now. */
  reserve(): void {
    this.#fileIds = grownInt32(this.#fileIds, this.#table.size);
  }

  fileId(id: number): number {
    const known = this.#fileIds[id];
    return known !== 0 ? known - 1 : this.#define(id);
  }

  /** The id is going to be that of another name; the name that it was is in the file. */
  forget(id: number): void {
    if (id < this.#fileIds.length) this.#fileIds[id] = 0;
  }

  /** The most bytes that `writePending` can take. */
  pendingSize(): number {
    return this.pendingBytes + (this.#pending.length + 1) * VARINT_BYTES;
  }

  writePending(out: ByteBuilder): void {
    out.varint(this.#pending.length);
    for (const id of this.#pending) {
      const bytes = this.#table.bytes(id);
      out.varint(bytes.length);
      out.append(bytes);
    }
    this.#pending = [];
    this.pendingBytes = 0;
  }

  #define(id: number): number {
    const length = this.#table.byteLength(id);
    if (length > MAX_NAME_BYTES) {
      throw new InputProblem(`the name ${printable(this.#table.text(id), 40)} is too long for .trk`, {
        found: `${length} bytes`,
        expected: `at most ${MAX_NAME_BYTES}`,
      });
    }
    this.#pending.push(id);
    this.pendingBytes += length;
    this.#fileIds[id] = ++this.count;
    return this.count - 1;
  }
}
