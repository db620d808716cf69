import { grownInt32 } from '../../trace/growable.ts';
import type { NamesById } from '../../trace/names.ts';
import { printable } from '../../trace/printable.ts';
import { InputProblem } from '../../trace/problem.ts';
import { ByteBuilder, VARINT_BYTES } from './byte-builder.ts';
import { MAX_NAME_BYTES } from './layout.ts';

/** The names of one table on their way into a file: numbered when first used, defined before the events that use them. */
export class OutgoingNames {
  /** How many ids there are in the file. */
  count = 0;
  /** Bytes of the names that have to be defined before the chunk being gathered, or in it. */
  pendingBytes = 0;
  readonly #table: NamesById;
  /** From an id of `#table` to the id in the file + 1; 0 as long as no event has used the name. */
  #fileIds = new Int32Array(64);
  /** Names with ids that nothing had before. */
  #pending: number[] = [];
  /** Names with ids that were retired, and those ids. */
  #renamed: number[] = [];
  #renamedIds: number[] = [];
  /** Ids that are retired after the chunk being gathered. */
  #retiring: number[] = [];
  /** Ids that are retired before it; the file has to be told yet. */
  #retired: number[] = [];
  /** Ids to be used again. */
  #free: number[] = [];

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

  /** The id is going to be that of another name; the name that it was is in the file, and may come again. */
  forget(id: number): void {
    if (id < this.#fileIds.length) this.#fileIds[id] = 0;
  }

  /** What the id names is gone for good: whatever has this name from now on is something else. */
  retire(id: number): void {
    if (id >= this.#fileIds.length || this.#fileIds[id] === 0) return;
    this.#retiring.push(this.#fileIds[id] - 1);
    this.#fileIds[id] = 0;
  }

  /** The chunk that was gathered has been written. */
  chunkWritten(): void {
    if (this.#retiring.length === 0) return;
    for (const id of this.#retiring) {
      this.#retired.push(id);
      this.#free.push(id);
    }
    this.#retiring = [];
  }

  /** Whether `writeChanges` has something to say. */
  get hasChanges(): boolean {
    return this.#retired.length + this.#renamed.length > 0;
  }

  /** The most bytes that `writeChanges` and `writePending` can take together. */
  pendingSize(): number {
    const numbers = this.#pending.length + this.#retired.length + 2 * this.#renamed.length;
    return this.pendingBytes + (numbers + 3) * VARINT_BYTES;
  }

  /** What a chunk of names says about the table. */
  writeChanges(out: ByteBuilder): void {
    out.varint(this.#retired.length);
    for (const id of this.#retired) out.varint(id);
    out.varint(this.#renamed.length);
    this.#renamed.forEach((id, i) => {
      out.varint(this.#renamedIds[i]);
      this.#writeName(out, id);
    });
    this.#retired = [];
    this.#renamed = [];
    this.#renamedIds = [];
  }

  writePending(out: ByteBuilder): void {
    out.varint(this.#pending.length);
    for (const id of this.#pending) this.#writeName(out, id);
    this.dropPending();
  }

  /** How many there are to write. */
  get pendingCount(): number {
    return this.#pending.length;
  }

  /** What `writePending` would write, without how many there are. */
  pendingList(): Uint8Array {
    const out = new ByteBuilder(this.pendingSize());
    for (const id of this.#pending) this.#writeName(out, id);
    return out.bytes.subarray(0, out.length);
  }

  /** The names have been written. */
  dropPending(): void {
    this.#pending = [];
    this.pendingBytes = 0;
  }

  #writeName(out: ByteBuilder, id: number): void {
    // To have a few characters encoded takes longer than to write them.
    if (this.#table.areTexts && out.plainText(this.#table.text(id))) return;
    const bytes = this.#table.bytes(id);
    out.varint(bytes.length);
    out.append(bytes);
  }

  #define(id: number): number {
    const length = this.#table.byteLength(id);
    if (length > MAX_NAME_BYTES) {
      throw new InputProblem(`the name ${printable(this.#table.text(id), 40)} is too long for .trk`, {
        found: `${length} bytes`,
        expected: `at most ${MAX_NAME_BYTES}`,
      });
    }
    this.pendingBytes += length;
    const again = this.#free.pop();
    if (again === undefined) {
      this.#pending.push(id);
      this.#fileIds[id] = ++this.count;
      return this.count - 1;
    }
    this.#renamed.push(id);
    this.#renamedIds.push(again);
    this.#fileIds[id] = again + 1;
    return again;
  }
}
