import { randomInt } from 'node:crypto';
import { grownInt32, grownUint8 } from './growable.ts';

/** Start value for a name's hash: another one in every process, so that no trace can be made to collide. */
export const HASH_SEED = randomInt(0x7fffffff) | 0;

/** One step of the hash. Decoders run it while they scan a name, so that no byte is read twice. */
export function hashStep(hash: number, byte: number): number {
  return Math.imul(hash ^ byte, 0x01000193);
}

export function hashBytes(bytes: Uint8Array, start: number, end: number): number {
  let hash = HASH_SEED;
  for (let i = start; i < end; i++) hash = Math.imul(hash ^ bytes[i], 0x01000193);
  return hash;
}

const utf8 = new TextEncoder();
const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Gives dense ids, in order of appearance, to names that are arbitrary bytes, and keeps those bytes: a name
 * that is not valid UTF-8, or is `__proto__`, is a name like any other.
 */
export class NameTable {
  #bytes = new Uint8Array(1024);
  #used = 0;
  /** Name `i` lies at `#ends[i - 1] … #ends[i]`. Doubles, because names may exceed 4 GiB together. */
  #ends = new Float64Array(64);
  #hashes = new Int32Array(64);
  /** Open addressing; holds id + 1, 0 for empty. */
  #slots = new Int32Array(256);
  #count = 0;

  get size(): number {
    return this.#count;
  }

  /** The id of the name in `bytes[start … end)`, whose hash the caller has computed with `hashStep`. */
  internHashed(bytes: Uint8Array, start: number, end: number, hash: number): number {
    const slots = this.#slots;
    const mask = slots.length - 1;
    let slot = spread(hash) & mask;
    for (;;) {
      const entry = slots[slot];
      if (entry === 0) return this.#add(bytes, start, end, hash, slot);
      const id = entry - 1;
      if (this.#hashes[id] === hash && this.#same(id, bytes, start, end)) return id;
      slot = (slot + 1) & mask;
    }
  }

  intern(bytes: Uint8Array, start = 0, end = bytes.length): number {
    return this.internHashed(bytes, start, end, hashBytes(bytes, start, end));
  }

  internText(text: string): number {
    return this.intern(utf8.encode(text));
  }

  /** The id of a name that is already there, or -1. */
  find(bytes: Uint8Array): number {
    return this.findHashed(bytes, 0, bytes.length, hashBytes(bytes, 0, bytes.length));
  }

  findHashed(bytes: Uint8Array, start: number, end: number, hash: number): number {
    const slots = this.#slots;
    const mask = slots.length - 1;
    for (let slot = spread(hash) & mask; slots[slot] !== 0; slot = (slot + 1) & mask) {
      const id = slots[slot] - 1;
      if (this.#hashes[id] === hash && this.#same(id, bytes, start, end)) return id;
    }
    return -1;
  }

  findText(text: string): number {
    return this.find(utf8.encode(text));
  }

  /** The name's bytes, as a view that is valid until the next name is added. */
  bytes(id: number): Uint8Array {
    return this.#bytes.subarray(this.#start(id), this.#ends[id]);
  }

  byteLength(id: number): number {
    return this.#ends[id] - this.#start(id);
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

  #start(id: number): number {
    return id === 0 ? 0 : this.#ends[id - 1];
  }

  #same(id: number, bytes: Uint8Array, start: number, end: number): boolean {
    const from = this.#start(id);
    const length = end - start;
    if (this.#ends[id] - from !== length) return false;
    const own = this.#bytes;
    for (let i = 0; i < length; i++) if (own[from + i] !== bytes[start + i]) return false;
    return true;
  }

  #add(bytes: Uint8Array, start: number, end: number, hash: number, slot: number): number {
    const id = this.#count++;
    const used = this.#used + (end - start);
    if (used > this.#bytes.length) this.#bytes = grownUint8(this.#bytes, used);
    for (let i = start, to = this.#used; i < end; i++, to++) this.#bytes[to] = bytes[i];
    this.#used = used;
    if (id === this.#ends.length) {
      const ends = new Float64Array(id * 2);
      ends.set(this.#ends);
      this.#ends = ends;
      this.#hashes = grownInt32(this.#hashes, id + 1);
    }
    this.#ends[id] = used;
    this.#hashes[id] = hash;
    this.#slots[slot] = id + 1;
    if (this.#count * 2 > this.#slots.length) this.#rehash();
    return id;
  }

  #rehash(): void {
    const slots = new Int32Array(this.#slots.length * 2);
    const mask = slots.length - 1;
    for (let id = 0; id < this.#count; id++) {
      let slot = spread(this.#hashes[id]) & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = id + 1;
    }
    this.#slots = slots;
  }
}

/** FNV-style hashes differ mostly in their high bits after short names; fold them into the low ones. */
function spread(hash: number): number {
  return hash ^ (hash >>> 15);
}
