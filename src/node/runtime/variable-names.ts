import { types } from 'node:util';
import type { NameTable } from '../../trace/name-table.ts';
import { KEYS, ObjectRecord, SIZE } from './object-record.ts';
import type { Sites } from './sites.ts';
import { kindOf } from './stamp.ts';
import type { VariableRecord } from './variable.ts';

/** Longer keys are cut in the middle. */
const LONGEST_KEY = 60;
const IDENTIFIER = /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u;

/**
 * Names for people: `Account#3.balance`, `Map#2["foo"]`, `count (src/a.ts:3)`, `file data/db.json`. Objects are
 * named by their class and a number or, if that says nothing, by how the program calls them where they were first
 * seen to be shared.
 */
export class VariableNames {
  readonly #sites: Sites;
  /** How many objects have had each name. */
  readonly #counts = new Map<string, number>();

  constructor(sites: Sites) {
    this.#sites = sites;
  }

  /** Names the object while it is at hand; it may be gone when its variables are written down. */
  nameObject(object: object, record: ObjectRecord, site: number, key: unknown): void {
    if (record.name !== null) return;
    record.name = this.#numbered(this.#objectName(object, record, site, key));
  }

  /** The id of a new name for the variable: another one than all that are in the table. */
  intern(variable: VariableRecord, table: NameTable): number {
    const name = this.#variableName(variable);
    for (let copy = 1; ; copy++) {
      const { size } = table;
      const id = table.internText(copy === 1 ? name : `${name}~${copy}`);
      if (table.size > size) return id;
    }
  }

  #objectName(object: object, record: ObjectRecord, site: number, key: unknown): string {
    if (object === globalThis) return 'globalThis';
    if (object === process.env) return 'process.env';
    const className = classNameOf(object, record);
    if (className !== null) return className;
    return this.#textOfBase(site, key) ?? (typeof object === 'function' ? 'function' : 'object');
  }

  /** From `order.lines.total`, the text of an access to `total`: `order.lines`. */
  #textOfBase(site: number, key: unknown): string | null {
    const text = this.#sites.text(site);
    if (text.length > LONGEST_KEY) return null;
    const base = baseIn(text, key);
    return base === '' || base === 'this' || base === 'super' ? null : base;
  }

  #numbered(name: string): string {
    const count = (this.#counts.get(name) ?? 0) + 1;
    this.#counts.set(name, count);
    const isClass = /^[A-Z]/.test(name);
    return count === 1 && !isClass ? name : `${name}#${count}`;
  }

  #variableName({ parent, key, site }: VariableRecord): string {
    if (parent.kind === 'file' || parent.kind === 'marked') return parent.name as string;
    if (parent.kind === 'scope') return `${String(key)} (${this.#sites.line(site)})`;
    parent.name ??= this.#numbered(this.#textOfBase(site, key) ?? 'object');
    const base = parent.name;
    if (key === SIZE) return parent.kind === 'array' ? `${base}.length` : `${base}.size`;
    if (key === KEYS) return `keys of ${base}`;
    if (parent.kind !== 'map' && parent.kind !== 'set' && typeof key === 'string' && isPlain(key))
      return `${base}.${key}`;
    return `${base}[${this.#keyText(key)}]`;
  }

  #keyText(key: unknown): string {
    if (key instanceof ObjectRecord) {
      key.name ??= this.#numbered('object');
      return key.name;
    }
    return typeof key === 'string' ? JSON.stringify(shortened(key)) : shortened(String(key));
  }
}

/** The text is that of a member, of `key in object`, or of the object whose members are taken. */
function baseIn(text: string, key: unknown): string {
  if (typeof key === 'string' && text.endsWith(`.${key}`))
    return text.slice(0, -key.length - 1).replace(/\?$/, '');
  if (text.endsWith(']')) return text.replace(/(\?\.)?\[[^[\]]*\]$/, '');
  return text.replace(/^.* in /, '');
}

function isPlain(key: string): boolean {
  return key.length <= LONGEST_KEY && IDENTIFIER.test(key[0] === '#' ? key.slice(1) : key);
}

function shortened(text: string): string {
  if (text.length <= LONGEST_KEY) return text;
  return `${text.slice(0, LONGEST_KEY / 2)}…${text.slice(-LONGEST_KEY / 2)}`;
}

/** The name of the object's class; null for plain objects, and where to ask would run the program's code. */
function classNameOf(object: object, record: ObjectRecord): string | null {
  if (kindOf(object, record) === 'proxy') return 'Proxy';
  if (typeof object === 'function') {
    const name = ownText(object, 'name');
    return name === null ? null : `function ${name}`;
  }
  for (let proto = Object.getPrototypeOf(object); proto !== null; proto = Object.getPrototypeOf(proto)) {
    if (types.isProxy(proto)) return null;
    const maker = Object.getOwnPropertyDescriptor(proto, 'constructor')?.value;
    if (typeof maker !== 'function' || types.isProxy(maker)) continue;
    const name = maker === Object ? null : ownText(maker, 'name');
    return name;
  }
  return null;
}

function ownText(object: object, key: string): string | null {
  const value = types.isProxy(object) ? null : Object.getOwnPropertyDescriptor(object, key)?.value;
  return typeof value === 'string' && value !== '' ? shortened(value) : null;
}
