import { types } from 'node:util';
import { KEYS, ObjectRecord, SIZE } from '../core/object-record.ts';
import type { VariableRecord } from '../core/variable.ts';
import type { Sites } from './sites.ts';
import { kindOf } from './stamp.ts';

/** Longer keys are cut in the middle. */
const LONGEST_KEY = 60;
/** The program may replace it, and count the calls. */
const { test } = RegExp.prototype;

const LIKE_NUMBERED = /^[A-Z]|#\d+$/;
/** Classes that say nothing of what is in their objects. */
const CONTAINERS = new Set(['Array', 'Map', 'Set', 'WeakMap', 'WeakSet']);
/** What a container may be called by: no calls, no operators. */
const PATH = /^[\p{ID_Start}$_][\p{ID_Continue}$]*(?:\??\.#?[\p{ID_Continue}$]+|(?:\?\.)?\[[^[\]]*\])*$/u;
const IDENTIFIER = /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u;

/**
 * Names for people: `Account#3.balance`, `this.sessions["foo"]`, `count (src/a.ts:3)`, `file data/db.json`. Objects are
 * named by their class and a number or, if that says nothing, by how the program calls them where they were first
 * seen to be shared.
 */
export class VariableNames {
  readonly #sites: Sites;
  /** How many objects have had each name. */
  readonly #counts = new Map<string, number>();

  /** Names elements of memory that isolates share: the same everywhere. */
  nameShared: (variable: VariableRecord) => string = () => '';

  /** Of classes and properties that a builder has renamed: what the sources call them. */
  readonly #classes = new WeakMap<object, string>();
  readonly #properties = new Map<string, string>();

  constructor(sites: Sites) {
    this.#sites = sites;
  }

  noteClass(named: object, name: string): void {
    this.#classes.set(named, name);
  }

  noteRenamed(properties: Iterable<readonly [string, string]>): void {
    for (const [built, original] of properties) this.#properties.set(built, original);
  }

  /** Names the object while it is at hand; it may be gone when its variables are written down. */
  nameObject(object: object, record: ObjectRecord, site: number, key: unknown): void {
    if (record.name !== null) return;
    record.name = this.#numbered(this.#objectName(object, record, site, key));
  }

  /**
   * No other variable has this name, or has ever had it. Where that does not follow from the object and the key, the
   * name is one more copy.
   */
  nameOf(variable: VariableRecord): string {
    const name = this.#variableName(variable);
    if (variable.parent.kind !== 'scope' && typeof variable.key !== 'symbol') return name;
    if (variable.key === SIZE || variable.key === KEYS) return name;
    const copy = this.#count(name);
    return copy === 1 ? name : `${name}~${copy}`;
  }

  #objectName(object: object, record: ObjectRecord, site: number, key: unknown): string {
    if (object === globalThis) return 'globalThis';
    if (object === process.env) return 'process.env';
    const className = classNameOf(object, record, this.#classes);
    if (className !== null && !CONTAINERS.has(className)) return className;
    const text = this.#textOfBase(site, key);
    if (text !== null && (className === null || matches(PATH, text))) return text;
    return className ?? (typeof object === 'function' ? 'function' : 'object');
  }

  /** From `order.lines.total`, the text of an access to `total`: `order.lines`. */
  #textOfBase(site: number, key: unknown): string | null {
    const text = this.#sites.text(site);
    if (text.length > LONGEST_KEY) return null;
    const base = baseIn(text, typeof key === 'string' ? (this.#properties.get(key) ?? key) : key);
    return base === '' || base === 'this' || base === 'super' ? null : base;
  }

  #numbered(name: string): string {
    const count = this.#count(name);
    // A name that looks like a numbered one could be taken for that.
    const isNumbered = matches(LIKE_NUMBERED, name);
    return count === 1 && !isNumbered ? name : `${name}#${count}`;
  }

  #count(name: string): number {
    const count = (this.#counts.get(name) ?? 0) + 1;
    this.#counts.set(name, count);
    return count;
  }

  #variableName(variable: VariableRecord): string {
    const { parent, key, site } = variable;
    if (parent.kind === 'shared-memory') return this.nameShared(variable);
    if (parent.kind === 'file' || parent.kind === 'marked') return parent.name as string;
    if (parent.kind === 'stored') return `${parent.name}${String(key)}`;
    if (parent.kind === 'scope') return `${String(key)} (${this.#sites.line(site)})`;
    parent.name ??= this.#numbered(this.#textOfBase(site, key) ?? 'object');
    const base = parent.name;
    if (key === SIZE) return parent.kind === 'array' ? `${base}.length` : `${base}.size`;
    if (key === KEYS) return `keys of ${base}`;
    if (parent.kind !== 'map' && parent.kind !== 'set' && typeof key === 'string' && isPlain(key))
      return `${base}.${this.#properties.get(key) ?? key}`;
    return `${base}[${this.#keyText(key)}]`;
  }

  #keyText(key: unknown): string {
    if (key instanceof ObjectRecord) {
      key.name ??= this.#numbered('object');
      return key.name;
    }
    if (typeof key === 'bigint') return `${shortened(String(key))}n`;
    if (typeof key !== 'string') return shortened(String(key));
    // Keys that differ only in what is cut out must not become one.
    return key.length <= LONGEST_KEY
      ? JSON.stringify(key)
      : `${JSON.stringify(shortened(key))}~${digestOf(key)}`;
  }
}

/** Behind the object, in the text of a call that has to do with its entries. */
const METHOD_OF_STORE = new RegExp(
  `\\??\\.(?:${[
    'get has set put add delete del clear getItem setItem removeItem size length keys values entries',
    'push pop shift unshift splice sort reverse fill copyWithin forEach map filter find findIndex findLast findLastIndex',
    'includes indexOf lastIndexOf some every reduce reduceRight slice concat join flat flatMap at with toSorted',
    'toReversed toSpliced',
  ]
    .join(' ')
    .replaceAll(' ', '|')})$`,
);

/** The text is that of a member, of a method, of `key in object`, or of the object whose members are taken. */
function baseIn(text: string, key: unknown): string {
  if (typeof key === 'string' && text.endsWith(`.${key}`))
    return text.slice(0, -key.length - 1).replace(/\?$/, '');
  if (text.endsWith(']')) return text.replace(/(\?\.)?\[[^[\]]*\]$/, '');
  return text.replace(/^.* in /, '').replace(METHOD_OF_STORE, '');
}

function matches(pattern: RegExp, text: string): boolean {
  return Reflect.apply(test, pattern, [text]);
}

function isPlain(key: string): boolean {
  return key.length <= LONGEST_KEY && matches(IDENTIFIER, key[0] === '#' ? key.slice(1) : key);
}

function shortened(text: string): string {
  if (text.length <= LONGEST_KEY) return text;
  return `${text.slice(0, LONGEST_KEY / 2)}…${text.slice(-LONGEST_KEY / 2)}`;
}

/** Two numbers of 32 bits, by two ways to mix the characters of the text. */
function digestOf(text: string): string {
  let first = 0;
  let second = text.length;
  for (let i = 0; i < text.length; i++) {
    first = Math.imul(first ^ text.charCodeAt(i), 0x01000193);
    second = (Math.imul(second, 31) + text.charCodeAt(i)) | 0;
  }
  return (first >>> 0).toString(36) + (second >>> 0).toString(36);
}

/** The name of the object's class; null for plain objects, and where to ask would run the program's code. */
function classNameOf(object: object, record: ObjectRecord, known: WeakMap<object, string>): string | null {
  if (kindOf(object, record) === 'proxy') return 'Proxy';
  if (typeof object === 'function') {
    const name = ownText(object, 'name');
    return name === null ? null : `function ${name}`;
  }
  for (let proto = Object.getPrototypeOf(object); proto !== null; proto = Object.getPrototypeOf(proto)) {
    if (types.isProxy(proto)) return null;
    const maker = Object.getOwnPropertyDescriptor(proto, 'constructor')?.value;
    if (typeof maker !== 'function' || types.isProxy(maker)) continue;
    return maker === Object ? null : (known.get(maker) ?? ownText(maker, 'name'));
  }
  return null;
}

function ownText(object: object, key: string): string | null {
  const value = types.isProxy(object) ? null : Object.getOwnPropertyDescriptor(object, key)?.value;
  return typeof value === 'string' && value !== '' ? shortened(value) : null;
}
