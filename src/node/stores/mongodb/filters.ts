import type { Filter, Operand } from '../sql/plan.ts';
import type { Parameters } from '../sql/tables.ts';
import { type Document, fieldOf, fieldsNamed, isDocument } from './documents.ts';

/** The values that a command names, as parameters of a statement. */
export class Values {
  readonly #all: unknown[] = [];

  add(value: unknown): Operand {
    return { param: this.#all.push(value ?? null) };
  }

  readonly parameters: Parameters = (number) => this.#all[number - 1];
}

interface Conditions {
  equal: { column: string; to: Operand }[];
  others: Set<string>;
  isExact: boolean;
}

/** Which documents a filter is about. */
export function filterOf(filter: unknown, values: Values): Filter {
  const found: Conditions = { equal: [], others: new Set(), isExact: true };
  if (isDocument(filter)) collect(filter, values, found);
  return { equal: found.equal, others: [...found.others], isExact: found.isExact };
}

function collect(filter: Document, values: Values, found: Conditions): void {
  for (const [name, condition] of Object.entries(filter)) {
    if (name === '$and' && Array.isArray(condition)) {
      for (const part of condition) if (isDocument(part)) collect(part, values, found);
    } else if (name === '$comment') {
      // It says nothing of documents.
    } else if (name.startsWith('$')) {
      found.isExact = false;
      for (const field of fieldsAsked(name, condition)) found.others.add(field);
    } else {
      fieldCondition(name, condition, values, found);
    }
  }
}

function fieldCondition(path: string, condition: unknown, values: Values, found: Conditions): void {
  const column = fieldOf(path);
  // What is said of an element of a list is not said of the list.
  const isWhole = column === path;
  const operators = isDocument(condition) ? Object.keys(condition).filter((name) => name[0] === '$') : [];
  const other = () => {
    found.isExact = false;
    found.others.add(column);
  };
  if (!isWhole || condition instanceof RegExp || isPattern(condition)) {
    other();
  } else if (operators.length === 0) {
    found.equal.push({ column, to: values.add(condition) });
  } else {
    for (const operator of operators) {
      const value = (condition as Document)[operator];
      if (operator === '$eq') found.equal.push({ column, to: values.add(value) });
      else if (operator === '$in' && Array.isArray(value) && !value.some(isPattern))
        found.equal.push({ column, to: { anyOf: value.map((each) => values.add(each)) } });
      else other();
    }
  }
}

function isPattern(value: unknown): boolean {
  return (
    value instanceof RegExp ||
    (typeof value === 'object' && value !== null && '_bsontype' in value && value._bsontype === 'BSONRegExp')
  );
}

/** The fields that `$or`, `$nor` and `$expr` speak of. */
function fieldsAsked(operator: string, condition: unknown): string[] {
  if (operator === '$expr') return fieldsNamed(condition);
  if (Array.isArray(condition)) return condition.flatMap((each) => fieldsAsked(operator, each));
  if (!isDocument(condition)) return [];
  return Object.entries(condition).flatMap(([name, value]) =>
    name.startsWith('$') ? fieldsAsked(name, value) : [fieldOf(name)],
  );
}
