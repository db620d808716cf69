import { type DebugEntry, debugInfo } from './debug-info.ts';

const SAME_DATA: ReadonlySet<string> = new Set([
  'typedef',
  'const_type',
  'volatile_type',
  'atomic_type',
  'variable',
]);
const RECORDS: ReadonlySet<string> = new Set(['structure_type', 'class_type']);
const POINTERS: ReadonlySet<string> = new Set(['pointer_type', 'reference_type', 'rvalue_reference_type']);
const POINTER_BYTES = 8;
/** What C and C++ keep for the system's headers. */
const RESERVED = /^_[_A-Z]|^_M_/;
/** Types are finite, debugging information may be broken. */
const DEEPEST = 32;

/** The types of a program's data, of one file of it. */
export class DataTypes {
  readonly #entries: ReadonlyMap<string, DebugEntry>;
  readonly #byName = new Map<string, DebugEntry[]>();

  constructor(path: string) {
    this.#entries = debugInfo(path);
    for (const entry of this.#entries.values()) {
      const isType = RECORDS.has(entry.tag) || entry.tag === 'typedef';
      if ((!isType && entry.tag !== 'variable') || entry.isDeclaration) continue;
      for (const name of new Set([entry.linkageName, this.#named(entry).name]))
        if (name !== null) this.#byName.set(name, [...(this.#byName.get(name) ?? []), entry]);
    }
  }

  /** The type of the global variable that the linker knows by the name; null where that is not certain. */
  ofGlobal(symbol: string, size: number): DebugEntry | null {
    // `counter.0` of GCC and `next.counter` of clang are `counter`, inside of a function.
    for (const name of [symbol, symbol.replace(/\.\d+$/, ''), symbol.replace(/^.*\./, '')]) {
      const found = this.#only(name, (entry) => entry.tag === 'variable' && this.#sizeOf(entry) === size);
      if (found !== null) return found;
    }
    return null;
  }

  /** The structure of this name. */
  named(name: string): DebugEntry | null {
    const last = name.replace(/^.*::/, '');
    const found = this.#only(last, (entry) => entry.tag !== 'variable' && this.#isRecord(entry));
    return found === null ? null : this.#plain(found);
  }

  /** The structure that a pointer of this name points to, in whichever function. */
  pointedToBy(name: string): DebugEntry | null {
    const found = this.#only(name, (entry) => entry.tag === 'variable' && this.#target(entry) !== null);
    return found === null ? null : this.#target(found);
  }

  sizeOf(type: DebugEntry): number {
    return this.#sizeOf(type) ?? 0;
  }

  /** `[3].balance`: what lies at this byte of the type; `+12` for what has no name. */
  at(type: DebugEntry, offset: number): string {
    return this.#at(this.#plain(type), offset, 0) ?? rest(offset);
  }

  #at(type: DebugEntry | null, offset: number, depth: number): string | null {
    if (type === null || depth > DEEPEST) return null;
    if (type.tag === 'array_type') return this.#element(type, offset, depth);
    if (!RECORDS.has(type.tag)) return rest(offset);
    const around = type.children.filter((part) => this.#includes(part, offset));
    const [part] = around;
    if (around.length !== 1 || part.isBitField) return null;
    const inside = this.#at(this.#typeOf(part), offset - (part.offset ?? 0), depth + 1);
    // A base class and a structure without a name are parts of the whole.
    if (part.tag === 'inheritance' || part.name === null) return inside;
    if (RESERVED.test(part.name)) return null;
    return `.${part.name}${inside ?? rest(offset - (part.offset ?? 0))}`;
  }

  #element(type: DebugEntry, offset: number, depth: number): string | null {
    const size = this.#sizeOf(this.#typeOf(type));
    if (size === null || size === 0) return null;
    const counts = type.children.filter(({ tag }) => tag === 'subrange_type').map(({ count }) => count ?? 0);
    let index = Math.floor(offset / size);
    const indices: number[] = [];
    for (const count of counts.slice(1).reverse()) {
      if (count === 0) return null;
      indices.unshift(index % count);
      index = Math.floor(index / count);
    }
    const inside = this.#at(this.#typeOf(type), offset % size, depth + 1) ?? rest(offset % size);
    return `${[index, ...indices].map((each) => `[${each}]`).join('')}${inside}`;
  }

  #includes(part: DebugEntry, offset: number): boolean {
    if ((part.tag !== 'member' && part.tag !== 'inheritance') || part.offset === null) return false;
    const size = this.#sizeOf(this.#typeOf(part));
    return size !== null && offset >= part.offset && offset < part.offset + size;
  }

  /** The one entry of this name that is meant, or several that agree about the size, as each source has its own. */
  #only(name: string, isMeant: (entry: DebugEntry) => boolean): DebugEntry | null {
    const found = (this.#byName.get(name) ?? []).filter(isMeant);
    const layouts = new Set(found.map((entry) => this.#layout(entry)));
    return layouts.size === 1 ? found[0] : null;
  }

  /** The same for types that are alike. */
  #layout(entry: DebugEntry): string {
    const type = this.#target(entry) ?? this.#plain(entry);
    const parts = type?.children.map(({ name, offset }) => `${name}@${offset}`) ?? [];
    return `${type?.tag} ${type?.name} ${type?.size} ${parts.join(' ')}`;
  }

  /** The definition of a variable may leave its name to its declaration. */
  #named(entry: DebugEntry): DebugEntry {
    if (entry.tag !== 'variable' || entry.name !== null || entry.type === null) return entry;
    return this.#entries.get(entry.type) ?? entry;
  }

  #typeOf({ type }: DebugEntry): DebugEntry | null {
    const found = type === null ? null : (this.#entries.get(type) ?? null);
    return found === null ? null : this.#plain(found);
  }

  /** Without the names and qualifiers around it. */
  #plain(entry: DebugEntry | null): DebugEntry | null {
    let type = entry;
    for (let depth = 0; type !== null && depth < DEEPEST; depth++) {
      const isMember = type.tag === 'member';
      if (!isMember && !SAME_DATA.has(type.tag)) return type;
      type = type.type === null ? null : (this.#entries.get(type.type) ?? null);
    }
    return null;
  }

  #isRecord(entry: DebugEntry): boolean {
    const type = this.#plain(entry);
    return type !== null && RECORDS.has(type.tag) && !type.isDeclaration;
  }

  #target(entry: DebugEntry): DebugEntry | null {
    const pointer = this.#plain(entry);
    if (pointer?.tag !== 'pointer_type') return null;
    const target = this.#typeOf(pointer);
    return target !== null && RECORDS.has(target.tag) && !target.isDeclaration ? target : null;
  }

  #sizeOf(entry: DebugEntry | null): number | null {
    const type = this.#plain(entry);
    // Clang does not say it.
    if (type !== null && POINTERS.has(type.tag)) return type.size ?? POINTER_BYTES;
    if (type === null || type.size !== null || type.tag !== 'array_type') return type?.size ?? null;
    const element = this.#sizeOf(this.#typeOf(type));
    const counts = type.children.filter(({ tag }) => tag === 'subrange_type').map(({ count }) => count);
    return counts.reduce<number | null>(
      (size, count) => (size === null || count === null ? null : size * count),
      element,
    );
  }
}

function rest(offset: number): string {
  return offset === 0 ? '' : `+${offset}`;
}
