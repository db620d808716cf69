import { readFileSync } from 'node:fs';
import { DataTypes } from './data-types.ts';
import type { DebugEntry } from './debug-info.ts';
import type { SourcePlace } from './symbolizer.ts';

/** A global variable, as the runtime tells of it. */
export interface GlobalData {
  module: string;
  address: string;
  size: number;
  /** For linkers. */
  symbol: string;
  name: string;
}

/** A block of memory in words: what it is made of, and what of it is meant. */
interface Part {
  type: string;
  path: string;
}

/** The type that a line allocates, as it is written there. */
const NEW = /\bnew\s+([A-Za-z_][\w:]*)\s*(?=[({;,)])|\bmake_unique\s*<\s*([A-Za-z_][\w:]*)\s*>/;
const SIZE_OF_TYPE = /\bsizeof\s*\(\s*(?:struct\s+)?([A-Za-z_]\w*)\s*\)/;
const SIZE_OF_TARGET = /\bsizeof\s*\(?\s*\*\s*([A-Za-z_]\w*)\b(?!\s*(?:->|\.|\[))/;

const ALLOCATES = /\b(?:new|make_unique|sizeof)\b/;

/** By file: processes that run the same one have the same types. */
const TYPES = new Map<string, DataTypes>();

/** Names of data by the program's own words for its parts: `accounts[3].balance`. Debugging information is read when it is needed. */
export class DataNames {
  modules: ReadonlyMap<string, string> = new Map();
  readonly #globals = new Map<string, GlobalData & { isAlone: boolean }>();
  readonly #lines = new Map<string, string[]>();
  readonly #allocated = new Map<string, [DataTypes, DebugEntry] | null>();

  add(number: string, data: GlobalData): void {
    // Static variables of several files may have one name.
    const isAlone = [...this.#globals.values()].every(({ name }) => name !== data.name);
    this.#globals.set(number, { ...data, isAlone });
  }

  /** A byte of a global variable; null if there is none of this number. */
  global(number: string, offset: number): string | null {
    const data = this.#globals.get(number);
    if (data === undefined) return null;
    const types = this.#typesIn(data.module);
    const type = types?.ofGlobal(data.symbol, data.size) ?? null;
    const path = types !== null && type !== null ? types.at(type, offset) : offsetText(offset);
    return `${data.name}${data.isAlone ? '' : ` at 0x${data.address}`}${path}`;
  }

  /** A byte of memory that was allocated in a line, which asked for so much when it came there first. */
  allocated(place: SourcePlace | null, size: number, offset: number): Part {
    const [types, type] = (place === null ? null : this.#typeAllocatedAt(place, size)) ?? [];
    if (types === undefined || type === undefined) return { type: '', path: `+${offset}` };
    const each = types.sizeOf(type);
    const index = each < size ? `[${Math.floor(offset / each)}]` : '';
    return { type: type.name ?? '', path: `${index}${types.at(type, offset % each)}` || '+0' };
  }

  #typeAllocatedAt(place: SourcePlace, size: number): [DataTypes, DebugEntry] | null {
    const key = `${place.file}:${place.line} ${size}`;
    const known = this.#allocated.get(key);
    if (known !== undefined) return known;
    const found = this.#typeIn(this.#line(place), size);
    this.#allocated.set(key, found);
    return found;
  }

  #typeIn(text: string, size: number): [DataTypes, DebugEntry] | null {
    if (!ALLOCATES.test(text)) return null;
    for (const module of this.modules.keys()) {
      const types = this.#typesIn(module);
      const type = types === null ? null : typeIn(text, types, size);
      if (types !== null && type !== null) return [types, type];
    }
    return null;
  }

  #typesIn(module: string): DataTypes | null {
    const path = this.modules.get(module);
    if (path === undefined) return null;
    const types = TYPES.get(path) ?? new DataTypes(path);
    TYPES.set(path, types);
    return types;
  }

  #line({ file, line }: SourcePlace): string {
    let lines = this.#lines.get(file);
    if (lines === undefined) {
      try {
        lines = readFileSync(file, 'utf8').split('\n');
      } catch {
        lines = [];
      }
      this.#lines.set(file, lines);
    }
    return lines[line - 1] ?? '';
  }
}

/** The structure that the text allocates, if it is of this size, or if several of it are. */
function typeIn(text: string, types: DataTypes, size: number): DebugEntry | null {
  const [, made, unique] = NEW.exec(text) ?? [];
  const [, named] = SIZE_OF_TYPE.exec(text) ?? [];
  const [, pointer] = SIZE_OF_TARGET.exec(text) ?? [];
  const one = made ?? unique;
  const type =
    (one === undefined ? null : types.named(one)) ??
    (named === undefined ? null : types.named(named)) ??
    (pointer === undefined ? null : types.pointedToBy(pointer));
  const each = type === null ? 0 : types.sizeOf(type);
  if (each === 0) return null;
  return each === size || (one === undefined && size % each === 0) ? type : null;
}

function offsetText(offset: number): string {
  return offset === 0 ? '' : `+${offset}`;
}
