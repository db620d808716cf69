/* Documents of MongoDB as rows: which fields they have, by names that stand for columns. */

export type Document = Readonly<Record<string, unknown>>;

/** Fields of fields are told apart, and no more. */
const DEEPEST = 2;

/** Documents with more fields are not told apart any further. */
const MOST_FIELDS = 200;

export function isDocument(value: unknown): value is Document {
  if (typeof value !== 'object' || value === null || '_bsontype' in value) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** The field that a path leads to: elements of lists are a part of the list. */
export function fieldOf(path: string): string {
  const names: string[] = [];
  for (const name of path.split('.')) {
    if (names.length === DEEPEST || (names.length > 0 && /^(?:\d+$|\$)/.test(name))) break;
    names.push(name);
  }
  return names.join('.');
}

/** What is in a document, by its fields and theirs. */
export function fieldsIn(document: Document): Map<string, unknown> {
  const fields = new Map<string, unknown>();
  const add = (each: Document, start: string, depth: number) => {
    for (const [name, value] of Object.entries(each)) {
      if (fields.size >= MOST_FIELDS) return;
      if (depth < DEEPEST && isDocument(value) && Object.keys(value).length > 0)
        add(value, `${start}${name}.`, depth + 1);
      else fields.set(start + name, value);
    }
  };
  add(document, '', 1);
  return fields;
}

/** Whether one of these is in the other, or is the same. */
export function overlap(one: string, other: string): boolean {
  return one === other || one.startsWith(`${other}.`) || other.startsWith(`${one}.`);
}

/** The fields that an expression names: `'$n'`, `'$$ROOT.n'`. */
export function fieldsNamed(expression: unknown): string[] {
  if (typeof expression === 'string')
    return expression.startsWith('$')
      ? [fieldOf(expression.replace(/^\$(?:\$(?:ROOT|CURRENT)\.)?/, ''))].filter(
          (name) => name !== '' && !name.startsWith('$'),
        )
      : [];
  if (Array.isArray(expression)) return expression.flatMap(fieldsNamed);
  return isDocument(expression) ? Object.values(expression).flatMap(fieldsNamed) : [];
}
