import { resolve } from 'node:path';
import type { VariableFacts } from '../../../trace/facts.ts';
import { ObjectRecord } from '../../core/object-record.ts';

/**
 * What stands for a variable in a store.
 *
 * - `row`: that it is there, by its key; `column`: what is in it
 * - `predicate`: which rows have these values in these columns
 * - `part`: the same, but the statement says more of the rows than that; only a warning may come of it
 * - `absent`: what is in the rows that a predicate is true of, for those who have found none; it only tells by what they have gone
 * - `table`: all of it, or who knows what of it; only a warning may come of it
 * - `key`, `field`, `document`: of stores without tables
 */
export type StoreKind =
  | 'row'
  | 'column'
  | 'predicate'
  | 'absent'
  | 'part'
  | 'table'
  | 'key'
  | 'field'
  | 'document';

export interface StoreVariable {
  readonly record: ObjectRecord;
  /** What its name ends with; the name of its space comes in front. */
  readonly key: string;
  readonly kind: StoreKind;
  /** The store, if other processes can come to it as well. */
  readonly store: string | null;
  /** The key of what it is a part of: of a column, the row. */
  readonly within: string | null;
  /** The name of a column. */
  readonly column?: string | undefined;
}

/** What the trace says of a variable. */
export function factsOf({ kind, store, within }: StoreVariable): Partial<VariableFacts> {
  return store === null ? { kind } : { kind, store, ...(within === null ? {} : { within }) };
}

/** A value of which it is known that it was there, or was put there. */
export interface KnownValue {
  readonly value: unknown;
  /** Whether the store keeps all texts as they are. */
  readonly isExact?: boolean;
  /** Whether it goes by itself after some time. */
  readonly expires?: boolean;
}

/** A value that was handed to the program, by this name in a row, one of these; null for what the driver makes for it. */
export interface Given {
  readonly row: object | null;
  readonly name: string;
  readonly rows: readonly unknown[];
  /** What that object is in, by which name. */
  readonly outer?: { readonly row: object; readonly name: string };
  /** Whether what libraries make of it has the same names. */
  readonly isDocument?: boolean;
}

/** A store by a name that is the same in all processes on a machine; null for one that only this process has. */
function sharedStore(store: string): string | null {
  if (/^(?:memory$|pglite )/.test(store)) return null;
  if (!/^[^/]*:\d/.test(store)) return resolve(store);
  return store.replace(/(^|\s)(?:localhost|::1)(?=:)/, '$1127.0.0.1');
}

/** A table, a collection, the keys of a server: what the names of variables begin with. */
export class Space {
  readonly name: string;
  readonly #store: string | null;
  readonly #record: ObjectRecord;

  constructor(name: string, store: string) {
    this.name = name;
    this.#store = sharedStore(store);
    this.#record = new ObjectRecord('stored', name);
  }

  /** `within`: the key of what it is a part of. */
  variable(key: string, kind: StoreKind, within: string | null = null, column?: string): StoreVariable {
    return { record: this.#record, key, kind, store: this.#store, within, column };
  }

  /** Whether somebody has come to this variable before. */
  isKnown(key: string): boolean {
    return this.#record.find(key) !== null;
  }
}

export interface Effect {
  readonly variable: StoreVariable;
  /** An `update` commutes with others, as nobody has seen what came of it: `n = n + 1`. */
  readonly act: 'read' | 'write' | 'update';
  /** Whether the store itself has made it depend on what was there: what the program had read before is of no account. */
  readonly isGuarded: boolean;
  /** What it is for whoever goes by the answer of the store: a removal that found nothing is a look for those who ask. */
  readonly ifUsed?: 'read' | 'update' | undefined;
  /** A read by a write that the store has refused, as something has to be unique. */
  readonly isRefused?: boolean | undefined;
  /** A read by a write that did nothing, as its own condition did not hold. */
  readonly isRechecked?: boolean | undefined;
  /** A change of which rows a condition is true of, unless it was not true of them before: nobody knows. */
  readonly isPerhaps?: boolean | undefined;
  /** A read by the statement that writes, before it does. */
  readonly isPart?: boolean | undefined;
  /** Where the program finds what was read; it may never look at it. */
  readonly given?: Given | undefined;
  /** What was there, and what is there now, if that is known. */
  readonly seen?: KnownValue | undefined;
  readonly wrote?: KnownValue | undefined;
  /** Of changes of one variable, those with larger numbers are later. */
  readonly version?: number | undefined;
}

/** Stands for whatever is there, where only that is known. */
export const SOMETHING: unique symbol = Symbol('something');

export const THERE: KnownValue = { value: SOMETHING };
export const GONE: KnownValue = { value: null };

/** With all that may come to be known of it, so that all effects are alike to the engine, as are copies with more in them. */
function effect(variable: StoreVariable, act: Effect['act'], isGuarded: boolean): Effect {
  return {
    variable,
    act,
    isGuarded,
    ifUsed: undefined,
    isRefused: undefined,
    isRechecked: undefined,
    isPerhaps: undefined,
    isPart: undefined,
    given: undefined,
    seen: undefined,
    wrote: undefined,
    version: undefined,
  };
}

export function read(variable: StoreVariable): Effect {
  return effect(variable, 'read', false);
}

export function write(variable: StoreVariable, isGuarded = false): Effect {
  return effect(variable, 'write', isGuarded);
}

export function update(variable: StoreVariable, isGuarded = false): Effect {
  return effect(variable, 'update', isGuarded);
}

/** An update that answers with the new value: `INCR`. */
export function count(variable: StoreVariable): Effect {
  return { ...update(variable), ifUsed: 'update' };
}

/** A removal that found nothing: whoever does not ask has meant to remove it. */
export function removeNothing(variable: StoreVariable): Effect {
  return { ...write(variable), ifUsed: 'read' };
}

/** Longer values are cut in names. */
const LONGEST_VALUE = 40;

/** A value in the name of a variable: the same for what the store takes for the same. */
export function valueText(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  if (value instanceof Date) return value.toISOString();
  if (Buffer.isBuffer(value)) return `x'${shortened(value.toString('hex'))}'`;
  // An `ObjectId` and the like, which say themselves how they are written.
  if (typeof value === 'object' && '_bsontype' in value) return shortened(String(value));
  if (typeof value === 'object') {
    try {
      return shortened(JSON.stringify(value));
    } catch {
      return 'object';
    }
  }
  return shortened(String(value));
}

/** Values that differ only in what is cut out must not become one. */
function shortened(text: string): string {
  if (text.length <= LONGEST_VALUE) return text;
  let hash = 5381;
  for (let i = 0; i < text.length; i++) hash = (Math.imul(hash, 33) ^ text.charCodeAt(i)) >>> 0;
  return `${text.slice(0, LONGEST_VALUE)}…${hash.toString(36)}`;
}
