import { grownFloat64, grownUint8 } from './growable.ts';
import { NameBytes, type NameSegments } from './name-bytes.ts';
import { hashBytes } from './name-hash.ts';
import { NumberIndex } from './number-index.ts';

const utf8 = new TextEncoder();
const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Where names are found, if not in their table: by a decoder that gives ids itself. */
export interface NameIndex {
  /** The id of a name, the next one if the name is new; -1 if the index is not to be asked any more. */
  intern(bytes: Uint8Array, start: number, end: number): number;
  /** The id of a name that is already there, or -1. */
  find(bytes: Uint8Array, start: number, end: number): number;
}

/**
 * Gives dense ids, in order of appearance, to names that are arbitrary bytes, and keeps those bytes: a name
 * that is not valid UTF-8, or is `__proto__`, is a name like any other.
 */
export class NameTable {
  /** Where names such as `V12` are found. */
  readonly #numbered = new NumberIndex();
  /** By id. */
  readonly #names = new NameBytes();
  /** Where all other names are found. Open addressing; pairs of id + 1, 0 for empty, and hash. */
  #slots = new Int32Array(16);
  #hashed = 0;
  /** By id: 1 for what is gone; null as long as nothing is. */
  #retired: Uint8Array<ArrayBuffer> | null = null;
  /** By id of what has the name of something that is gone: how many had it up to now, and its length. */
  readonly #namesakes = new Map<number, { ordinal: number; length: number }>();
  /** Ids that are given to the next names; null if ids are not to be used again. */
  #free: number[] | null = null;
  /** What is gone since ids were last set free. */
  #gone: number[] = [];
  /** The names of ids that are used again. */
  readonly #renamed = new Map<number, Uint8Array>();
  /** How many names there have been, and by id, the number of its name among them; null until an id is used again. */
  #named = 0;
  #ordinals: Float64Array<ArrayBuffer> | null = null;
  /** Where names are found instead of here, and how many are here. */
  #index: NameIndex | null = null;
  #ownNames = 0;
  /** Names that are not found yet, because nobody has asked for any: pairs of the first id and the one behind the last. */
  #unentered: number[] = [];

  get size(): number {
    return this.#names.count;
  }

  /** How many numbers have a place, whether there are names with them or not. */
  get placesByNumber(): number {
    return this.#numbered.ids.length;
  }

  /** The id of the name in `bytes[start … end)`. */
  intern(bytes: Uint8Array, start = 0, end = bytes.length): number {
    if (this.#index !== null) {
      const id = this.#index.intern(bytes, start, end);
      if (id >= 0) return id < this.#names.count ? id : this.#append(bytes, start, end);
    }
    if (this.#unentered.length > 0) this.#enterAll();
    const numbered = this.#numbered;
    const number = numbered.numberOf(bytes, start, end);
    if (number < 0 || !numbered.place(number, this.#names.count))
      return this.#internHashed(bytes, start, end, hashBytes(bytes, start, end));
    const known = numbered.ids[number] - 1;
    if (known < 0) {
      // It may have come when there was no place for its number.
      const id =
        this.#hashed === 0
          ? this.#append(bytes, start, end)
          : this.#internHashed(bytes, start, end, hashBytes(bytes, start, end), false);
      numbered.ids[number] = id + 1;
    } else if (this.#isRetired(known)) {
      numbered.ids[number] = this.#appendAnother(known) + 1;
    }
    return numbered.ids[number] - 1;
  }

  /** From now on, an index elsewhere gives the ids; null for the table's own again. */
  indexBy(index: NameIndex | null): void {
    if (index === null) {
      if (this.#index !== null && this.#ownNames < this.#names.count)
        this.#unentered.push(this.#ownNames, this.#names.count);
    } else {
      this.#ownNames = this.#names.count;
      for (let id = 0; id < this.#names.count; id++) index.intern(this.bytes(id), 0, this.byteLength(id));
    }
    this.#index = index;
  }

  /** Adds names that the index elsewhere has found to be new: they lie one behind the other from `start` on, up to these ends. */
  appendIndexed(bytes: Uint8Array, start: number, ends: Int32Array): void {
    this.#names.addAll(bytes, start, ends);
    this.#named += ends.length;
  }

  /**
   * Adds names that are known to be new, one behind the other up to these ends, and returns the first id; they take no time to be found before
   * somebody looks for a name. Returns -1, with nothing done, if ids are given elsewhere, or anything is gone.
   */
  appendNew(bytes: Uint8Array, ends: Int32Array): number {
    if (this.#index !== null || this.#retired !== null) return -1;
    const first = this.#names.count;
    this.appendIndexed(bytes, 0, ends);
    this.#unentered.push(first, this.#names.count);
    return first;
  }

  /** All names, to be handed over with what they are in; this table is not to be used any more. */
  get parts(): NameSegments {
    return this.#names.parts;
  }

  /** A table of the names that another one has had. */
  static of(parts: NameSegments): NameTable {
    const table = new NameTable();
    table.#names.parts = parts;
    table.#named = parts.count;
    if (parts.count > 0) table.#unentered.push(0, parts.count);
    return table;
  }

  internText(text: string): number {
    return this.intern(utf8.encode(text));
  }

  /**
   * What has this id is gone, though it is still known by its name. The next with the same name is something else: it
   * gets another id, and `~2` behind its name, so that they can be told apart wherever names are written.
   */
  retire(id: number): void {
    if (this.#unentered.length > 0) this.#enterAll();
    this.#retired = grownUint8(this.#retired ?? new Uint8Array(16), this.#names.count);
    this.#retired[id] = 1;
    if (this.#free !== null) this.#gone.push(id);
  }

  /** From now on, the ids of what is gone are used again, once `freed` has told them. What ids stand for then changes. */
  useAgain(): void {
    this.#free ??= [];
  }

  /** Whether an id has stood for several things. */
  get hasUsedAgain(): boolean {
    return this.#renamed.size > 0;
  }

  /** The id that this one would be if no id were used again. */
  ordinal(id: number): number {
    return this.#ordinals === null ? id : this.#ordinals[id];
  }

  /** How many ids are of what is gone, and not free. */
  get goneCount(): number {
    return this.#gone.length;
  }

  /** The ids of what is gone and not needed; from now on, they may be those of something else. */
  freed(isNeeded: (id: number) => boolean = () => false): readonly number[] {
    if (this.#gone.length === 0) return this.#gone;
    const gone = this.#gone.filter((id) => !isNeeded(id));
    this.#gone = gone.length === this.#gone.length ? [] : this.#gone.filter(isNeeded);
    const numbered = this.#numbered;
    for (const id of gone) {
      const number = numbered.numberOf(this.bytes(id), 0, this.#givenLength(id));
      if (number >= 0 && numbered.ids[number] === id + 1) numbered.ids[number] = 0;
      this.#free?.push(id);
    }
    return gone;
  }

  /** The id of a name that is already there, or -1. */
  find(bytes: Uint8Array): number {
    if (this.#index !== null) return this.#index.find(bytes, 0, bytes.length);
    if (this.#unentered.length > 0) this.#enterAll();
    const { prefix, ids } = this.#numbered;
    // Without a prefix there is no such name; to ask for one must not set it.
    const number = prefix < 0 ? -1 : this.#numbered.numberOf(bytes, 0, bytes.length);
    if (number >= 0 && number < ids.length && ids[number] > 0) return ids[number] - 1;
    return this.#findHashed(bytes, 0, bytes.length, hashBytes(bytes, 0, bytes.length));
  }

  findText(text: string): number {
    return this.find(utf8.encode(text));
  }

  /** The name's bytes, as a view that is valid until the next name is added. */
  bytes(id: number): Uint8Array {
    return this.#renamed.get(id) ?? this.#names.of(id);
  }

  byteLength(id: number): number {
    return this.bytes(id).length;
  }

  /** The name as text. Bytes that are not UTF-8 are shown one by one as Latin-1, so that none is lost. */
  text(id: number): string {
    const bytes = this.bytes(id);
    try {
      return strictUtf8.decode(bytes);
    } catch {
      return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
    }
  }

  #isRetired(id: number): boolean {
    return this.#retired !== null && this.#retired[id] === 1;
  }

  /** What has the name of `id` now. */
  #present(id: number, hash: number): number {
    if (!this.#isRetired(id)) return id;
    const slots = this.#slots;
    const mask = slots.length - 1;
    let slot = (hash << 1) & mask;
    while (slots[slot] !== id + 1 || slots[slot + 1] !== hash) slot = (slot + 2) & mask;
    const another = this.#appendAnother(id);
    slots[slot] = another + 1;
    return another;
  }

  /** Of the name, without what was put behind it. */
  #givenLength(id: number): number {
    return this.#namesakes.get(id)?.length ?? this.byteLength(id);
  }

  #appendAnother(gone: number): number {
    const known = this.#namesakes.get(gone);
    const length = this.#givenLength(gone);
    const name = this.bytes(gone).slice(0, length);
    let ordinal = (known?.ordinal ?? 1) + 1;
    let numbered = withOrdinal(name, ordinal);
    while (this.find(numbered) >= 0) numbered = withOrdinal(name, ++ordinal);
    const id = this.#append(numbered, 0, numbered.length);
    this.#namesakes.set(id, { ordinal, length });
    return id;
  }

  #same(id: number, bytes: Uint8Array, start: number, end: number): boolean {
    const renamed = this.#renamed.get(id);
    // What was put behind a name is none that anybody asks for.
    const given = this.#namesakes.size === 0 ? undefined : this.#namesakes.get(id)?.length;
    if ((given ?? renamed?.length ?? this.#names.length(id)) !== end - start) return false;
    if (renamed === undefined) return this.#names.startsWith(id, bytes, start, end);
    for (let i = start; i < end; i++) if (renamed[i - start] !== bytes[i]) return false;
    return true;
  }

  #findHashed(bytes: Uint8Array, start: number, end: number, hash: number): number {
    const slots = this.#slots;
    const mask = slots.length - 1;
    for (let slot = (hash << 1) & mask; slots[slot] !== 0; slot = (slot + 2) & mask) {
      if (slots[slot + 1] === hash && this.#same(slots[slot] - 1, bytes, start, end)) return slots[slot] - 1;
    }
    return -1;
  }

  /** `isEntered` is false for what is found by its number from now on. */
  #internHashed(bytes: Uint8Array, start: number, end: number, hash: number, isEntered = true): number {
    const id = this.#findHashed(bytes, start, end, hash);
    if (id >= 0) return this.#present(id, hash);
    return isEntered ? this.#addHashed(bytes, start, end, hash) : this.#append(bytes, start, end);
  }

  #addHashed(bytes: Uint8Array, start: number, end: number, hash: number): number {
    const id = this.#append(bytes, start, end);
    // At most half of the slots are taken.
    if (++this.#hashed * 4 > this.#slots.length) this.#rehash();
    enter(this.#slots, id + 1, hash);
    return id;
  }

  #enterAll(): void {
    const unentered = this.#unentered;
    this.#unentered = [];
    for (let i = 0; i < unentered.length; i += 2)
      for (let id = unentered[i]; id < unentered[i + 1]; id++) this.#enterOwn(id);
  }

  /** Makes a name that came by an index elsewhere one that is found here. */
  #enterOwn(id: number): void {
    const name = this.bytes(id);
    const number = this.#numbered.numberOf(name, 0, name.length);
    if (number >= 0 && this.#numbered.place(number, this.#names.count)) {
      this.#numbered.ids[number] = id + 1;
      return;
    }
    if (++this.#hashed * 4 > this.#slots.length) this.#rehash();
    enter(this.#slots, id + 1, hashBytes(name, 0, name.length));
  }

  #append(bytes: Uint8Array, start: number, end: number): number {
    const free = this.#free?.pop();
    if (free !== undefined) return this.#rename(free, bytes.slice(start, end));
    const id = this.#names.add(bytes, start, end);
    this.#number(id);
    return id;
  }

  #number(id: number): void {
    const ordinal = this.#named++;
    if (this.#ordinals === null) return;
    this.#ordinals = grownFloat64(this.#ordinals, id + 1);
    this.#ordinals[id] = ordinal;
  }

  #rename(id: number, name: Uint8Array): number {
    this.#ordinals ??= Float64Array.from({ length: this.#names.count }, (_, i) => i);
    this.#number(id);
    this.#retired![id] = 0;
    this.#namesakes.delete(id);
    this.#renamed.set(id, name);
    return id;
  }

  /** Leaves out names that ids had before they were used again. */
  #rehash(): void {
    const old = this.#slots;
    const isPresent = (slot: number) => old[slot] !== 0 && this.#hasHash(old[slot] - 1, old[slot + 1]);
    let present = 0;
    for (let slot = 0; slot < old.length; slot += 2) if (isPresent(slot)) present++;
    const slots = new Int32Array(present * 8 > old.length ? old.length * 2 : old.length);
    for (let slot = 0; slot < old.length; slot += 2)
      if (isPresent(slot)) enter(slots, old[slot], old[slot + 1]);
    this.#slots = slots;
    // And the one that is about to be entered.
    this.#hashed = present + 1;
  }

  #hasHash(id: number, hash: number): boolean {
    if (this.#free === null) return true;
    return !this.#isRetired(id) && hashBytes(this.bytes(id), 0, this.#givenLength(id)) === hash;
  }
}

function enter(slots: Int32Array, entry: number, hash: number): void {
  const mask = slots.length - 1;
  let slot = (hash << 1) & mask;
  while (slots[slot] !== 0) slot = (slot + 2) & mask;
  slots[slot] = entry;
  slots[slot + 1] = hash;
}

function withOrdinal(name: Uint8Array, ordinal: number): Uint8Array {
  return Buffer.concat([name, Buffer.from(`~${ordinal}`)]);
}
