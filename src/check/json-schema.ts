import { quoted } from '../trace/printable.ts';

type TypeName = 'object' | 'array' | 'string' | 'number' | 'integer' | 'boolean' | 'null';

/** JSON Schema 2020-12, as far as docs/results.schema.json uses it. */
export interface JsonSchema {
  $ref?: string;
  type?: TypeName | TypeName[];
  const?: string;
  enum?: string[];
  pattern?: string;
  minimum?: number;
  required?: string[];
  properties?: Record<string, JsonSchema>;
  propertyNames?: JsonSchema;
  additionalProperties?: JsonSchema;
  items?: JsonSchema;
  /** What a text of this pattern is. */
  title?: string;
  description?: string;
}

export interface RootSchema extends JsonSchema {
  $schema: string;
  $id: string;
  title: string;
  $defs: Record<string, JsonSchema>;
}

/** The first place where a document is not as its schema says. */
export interface Mismatch {
  /** `results[0].violations[2].severity`; empty for the document itself. */
  path: string;
  found: string;
  expected: string;
}

/** Compares a document with a schema; null if it is as the schema says. */
export function mismatch(document: unknown, schema: RootSchema): Mismatch | null {
  return new Comparison(schema).value(document, schema, '');
}

class Comparison {
  readonly #root: RootSchema;
  readonly #patterns = new Map<string, RegExp>();

  constructor(root: RootSchema) {
    this.#root = root;
  }

  value(value: unknown, schema: JsonSchema, path: string): Mismatch | null {
    if (schema.$ref !== undefined) {
      const referred = this.value(value, this.#referred(schema.$ref), path);
      if (referred !== null) return referred;
    }
    const expected = this.#expectation(value, schema);
    if (expected !== null) return { path, found: described(value), expected };
    if (Array.isArray(value)) return this.#items(value, schema, path);
    if (typeof value === 'object' && value !== null) return this.#properties(value, schema, path);
    return null;
  }

  #referred(reference: string): JsonSchema {
    const schema = this.#root.$defs[reference.replace('#/$defs/', '')];
    if (schema === undefined) throw new Error(`the schema has no ${reference}`);
    return schema;
  }

  /** What the schema asks of the value itself, if that is not so. */
  #expectation(value: unknown, schema: JsonSchema): string | null {
    const { type, enum: choices, pattern, minimum } = schema;
    if (type !== undefined) {
      const types = [type].flat();
      if (!types.some((name) => isOfType(value, name))) return types.map((name) => TYPES[name]).join(' or ');
    }
    if (schema.const !== undefined && value !== schema.const) return quoted(schema.const);
    if (choices !== undefined && !choices.includes(value as string)) return `one of ${choices.join(', ')}`;
    if (typeof value === 'string' && pattern !== undefined && !this.#pattern(pattern).test(value))
      return schema.title ?? 'plain words';
    if (typeof value === 'number' && minimum !== undefined && value < minimum) return `at least ${minimum}`;
    return null;
  }

  #pattern(source: string): RegExp {
    let pattern = this.#patterns.get(source);
    if (pattern === undefined) {
      pattern = new RegExp(source, 'u');
      this.#patterns.set(source, pattern);
    }
    return pattern;
  }

  #items(list: readonly unknown[], { items }: JsonSchema, path: string): Mismatch | null {
    if (items === undefined) return null;
    for (const [i, item] of list.entries()) {
      const wrong = this.value(item, items, `${path}[${i}]`);
      if (wrong !== null) return wrong;
    }
    return null;
  }

  #properties(object: object, schema: JsonSchema, path: string): Mismatch | null {
    const { required = [], properties = {}, propertyNames, additionalProperties } = schema;
    const at = (name: string) => (path === '' ? name : `${path}.${name}`);
    for (const name of required) {
      if (!Object.hasOwn(object, name)) return { path: at(name), found: 'nothing', expected: 'a value' };
    }
    for (const [name, value] of Object.entries(object)) {
      const known = Object.hasOwn(properties, name) ? properties[name] : additionalProperties;
      const wrong =
        (propertyNames === undefined ? null : this.value(name, propertyNames, at('(a name)'))) ??
        (known === undefined ? null : this.value(value, known, at(name)));
      if (wrong !== null) return wrong;
    }
    return null;
  }
}

const TYPES: Readonly<Record<TypeName, string>> = {
  object: 'an object',
  array: 'a list',
  string: 'a string',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  null: 'null',
};

function isOfType(value: unknown, type: TypeName): boolean {
  if (type === 'null') return value === null;
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value);
  // Numbers beyond what can be counted exactly are none of ours.
  if (type === 'integer') return Number.isSafeInteger(value);
  return typeof value === type;
}

function described(value: unknown): string {
  if (typeof value === 'string') return quoted(value, 60);
  if (Array.isArray(value)) return TYPES.array;
  return typeof value === 'object' && value !== null ? TYPES.object : String(value);
}
