import { BitBuilder } from './bit-builder.ts';
import { ByteBuilder, VARINT_BYTES } from './byte-builder.ts';
import { CHUNK_EVENTS } from './layout.ts';
import { NameCoding, NameTemplates } from './name-templates.ts';
import { AGO, BACK, classBits, NEW, OPERAND_CLASSES, OPERAND_TABLES } from './operand-classes.ts';
import { bitsFor, codeLengths, prefixCodes } from './prefix-code.ts';

/** The events that were gathered for a chunk, by ids of the file. */
export interface GatheredEvents {
  count: number;
  /** Which thread doing which operation, by number. */
  action: Uint16Array;
  operand: Int32Array;
  /** Which location of the list below. */
  location: Uint16Array;
  actions: { count: number; op: Int32Array; thread: Int32Array };
  /** By action: the table of its operands. */
  actionTable: Uint8Array;
  locations: { count: number; values: Int32Array };
  /** By table of operands: how many ids there were before the chunk, and with it. */
  idsBefore: readonly number[];
  idCounts: readonly number[];
}

/** What it takes to list one more class. */
const BITS_OF_CLASS = 12;

/** Packs the chunks of one file. */
export class ChunkPacker {
  /** Of the actions of every other event. */
  readonly #actionBits = [new BitBuilder(), new BitBuilder()];
  readonly #numberBits = new BitBuilder();
  readonly #locationBits = new BitBuilder();
  /** By event: the narrowest class that tells its operand, and the number. */
  readonly #class = new Uint8Array(CHUNK_EVENTS);
  readonly #number = new Int32Array(CHUNK_EVENTS);
  /** By table and id: the event that used it last, counted through the file from 1. */
  readonly #lastUse: Int32Array<ArrayBuffer>[] = [];
  #eventsBefore = 1;

  constructor() {
    for (let table = 0; table < OPERAND_TABLES; table++) this.#lastUse.push(new Int32Array(64));
  }

  /** Writes the new names of a table, each of which has its length in front, if possible by templates; whether they are. */
  packNames(out: ByteBuilder, list: Uint8Array, count: number, byTemplates: boolean): boolean {
    out.varint(count);
    if (count === 0) return false;
    const packed = byTemplates ? NameTemplates.pack(list, count) : null;
    out.u8(packed === null ? NameCoding.plain : NameCoding.templates);
    out.append(packed ?? list);
    return packed !== null;
  }

  /** The bytes behind the names, or null if there are more actions than a code can have. */
  pack(events: GatheredEvents): Uint8Array | null {
    const { count, action, location, actions, locations } = events;
    const occurrences = this.#classify(events);
    const { widened, used } = widenedClasses(occurrences, actions.count);
    const lengths = codeLengths(used.map((index) => occurrences[index]));
    if (lengths === null) return null;
    const codes = prefixCodes(lengths)!;
    const symbols = new Uint16Array(occurrences.length);
    used.forEach((index, symbol) => {
      symbols[index] = symbol;
    });
    // Small differences between locations take less room than large ones.
    const order = Int32Array.from({ length: locations.count }, (_, i) => i).sort(
      (a, b) => locations.values[a] - locations.values[b],
    );
    const places = new Uint16Array(locations.count);
    order.forEach((i, place) => {
      places[i] = place;
    });
    const locationBits = bitsFor(locations.count - 1);

    for (let i = 0; i < count; i++) {
      const index = widened[action[i] * OPERAND_CLASSES + this.#class[i]];
      const symbol = symbols[index];
      this.#actionBits[i % 2].add(codes[symbol], lengths[symbol]);
      this.#numberBits.add(this.#number[i], classBits(index % OPERAND_CLASSES));
      this.#locationBits.add(places[location[i]], locationBits);
    }
    const columns = [...this.#actionBits, this.#numberBits, this.#locationBits].map((bits) => bits.take());

    let size = 5 * VARINT_BYTES + 2 * used.length;
    size += actions.count * (2 + VARINT_BYTES) + locations.count * VARINT_BYTES;
    for (const column of columns) size += column.length;
    const out = new ByteBuilder(size);
    out.varint(actions.count);
    for (let i = 0, at = 0; i < actions.count; i++) {
      const start = at;
      while (at < used.length && used[at] < (i + 1) * OPERAND_CLASSES) at++;
      out.u8(actions.op[i]);
      out.varint(actions.thread[i]);
      out.u8(at - start);
      for (const index of used.slice(start, at)) out.u8(index % OPERAND_CLASSES);
    }
    for (let i = 0; i < lengths.length; i += 2) out.u8(lengths[i] | ((lengths[i + 1] ?? 0) << 4));
    out.varint(locations.count);
    let previous = 0;
    for (const i of order) {
      out.varint(locations.values[i] - previous);
      previous = locations.values[i];
    }
    for (const column of columns.slice(0, -1)) out.varint(column.length);
    for (const column of columns) out.append(column);
    return out.bytes.subarray(0, out.length);
  }

  /** Finds how the operand of each event is told in the fewest bits; returns how often each action does it by each class. */
  #classify(events: GatheredEvents): Int32Array {
    const { count, action, operand, actions, actionTable, idsBefore, idCounts } = events;
    const occurrences = new Int32Array(actions.count * OPERAND_CLASSES);
    const next = [...idsBefore];
    for (let table = 0; table < OPERAND_TABLES; table++) {
      const known = this.#lastUse[table];
      if (known.length >= idCounts[table]) continue;
      this.#lastUse[table] = new Int32Array(2 * idCounts[table]);
      this.#lastUse[table].set(known);
    }
    for (let i = 0; i < count; i++) {
      const table = actionTable[action[i]];
      const id = operand[i];
      const lastUse = this.#lastUse[table];
      const now = this.#eventsBefore + i;
      const ago = now - lastUse[id] - 1;
      lastUse[id] = now;
      let number = idCounts[table] - 1 - id;
      let operandClass = BACK + bitsFor(number);
      if (id === next[table]) {
        next[table]++;
        operandClass = NEW;
        number = 0;
      } else if (ago < i && ago < number) {
        number = ago;
        operandClass = AGO + bitsFor(number);
      }
      this.#class[i] = operandClass;
      this.#number[i] = number;
      occurrences[action[i] * OPERAND_CLASSES + operandClass]++;
    }
    this.#eventsBefore += count;
    // Before it overflows. What is known of before is of no use for the next chunk anyway.
    if (this.#eventsBefore > 2 ** 30) {
      this.#eventsBefore = 1;
      for (const uses of this.#lastUse) uses.fill(-(2 ** 30));
    }
    return occurrences;
  }
}

/** Whether `few` events may rather take more bits each than be told from `many` others by their codes. */
function isWorthMerging(few: number, many: number, bits: number): boolean {
  const all = few + many;
  const codes = all * Math.log2(all) - few * Math.log2(few) - many * Math.log2(many);
  return few * bits < codes + BITS_OF_CLASS;
}

/**
 * Counts the events of a class in with those of the next wider one of the same action, if that takes less room. An action with its class is numbered by both; says which ones are left, and which one stands for each.
 */
function widenedClasses(occurrences: Int32Array, actions: number): { widened: Uint32Array; used: number[] } {
  const widened = new Uint32Array(occurrences.length);
  const used: number[] = [];
  for (let action = 0; action < actions; action++) {
    const first = action * OPERAND_CLASSES;
    const ranges = [
      [NEW, BACK],
      [BACK, AGO],
      [AGO, OPERAND_CLASSES],
    ];
    for (const [from, to] of ranges) {
      // Those so far that are told by the next class that is found.
      const waiting: number[] = [];
      let last = -1;
      for (let index = first + from; index < first + to; index++) {
        if (occurrences[index] === 0) continue;
        if (last >= 0) {
          if (isWorthMerging(occurrences[last], occurrences[index], index - last))
            occurrences[index] += occurrences[last];
          else {
            for (const each of waiting) widened[each] = last;
            waiting.length = 0;
            used.push(last);
          }
        }
        waiting.push(index);
        last = index;
      }
      for (const each of waiting) widened[each] = last;
      if (last >= 0) used.push(last);
    }
  }
  return { widened, used };
}
