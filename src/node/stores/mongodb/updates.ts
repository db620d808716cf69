import type { Setting } from '../sql/plan.ts';
import { type Document, fieldOf, fieldsIn, fieldsNamed, isDocument, overlap } from './documents.ts';
import type { Values } from './filters.ts';

/** What an update does to the fields of a document. */
export interface Update {
  readonly settings: readonly Setting[];
  /** Fields of which the server itself makes what it must be, by what is there: `$max`, `$addToSet`. */
  readonly decided: readonly string[];
  /** What a document has besides if it is made by this: `$setOnInsert`. */
  readonly onInsert: readonly Setting[];
}

/** Operators that make something of what is there. */
const STEPS: ReadonlySet<string> = new Set(['$inc', '$mul', '$push', '$pop', '$bit']);
/** The same, but by looking at it first: once more comes to the same. */
const DECIDED: ReadonlySet<string> = new Set(['$min', '$max', '$addToSet', '$pull', '$pullAll']);

/** Words of expressions that choose by what is there. */
const CHOOSING = /^\$(?:cond|switch|min|max|ifNull|filter|setUnion|setDifference)$/;

/** `known`: the fields that documents of this collection are known to have. */
export function updateOf(update: unknown, values: Values, known: Iterable<string>): Update {
  if (Array.isArray(update)) return pipelineUpdate(update, values, known);
  if (!isDocument(update)) return { settings: [], decided: [], onInsert: [] };
  if (!Object.keys(update).some((name) => name.startsWith('$'))) return replacement(update, values, known);
  const settings: Setting[] = [];
  const decided: string[] = [];
  const onInsert: Setting[] = [];
  // Mongoose counts versions of lists, and pushes what the program has pushed: what was there before is of no account.
  const isCounted = isDocument(update.$inc) && '__v' in update.$inc;
  for (const [operator, fields] of Object.entries(update)) {
    if (!isDocument(fields)) continue;
    for (const [path, value] of Object.entries(fields)) {
      const column = fieldOf(path);
      const isWhole = column === path;
      if (operator === '$setOnInsert') onInsert.push(...set(column, isWhole, value, values, known));
      else if (operator === '$set') settings.push(...set(column, isWhole, value, values, known));
      else if (operator === '$unset') settings.push(...set(column, isWhole, null, values, known));
      else if (operator === '$rename')
        settings.push(
          ...set(column, isWhole, null, values, known),
          ...changed(fieldOf(String(value)), false, known),
        );
      else {
        settings.push(...changed(column, STEPS.has(operator) || DECIDED.has(operator), known));
        if (DECIDED.has(operator) || (isCounted && (operator === '$push' || column === '__v')))
          decided.push(column);
      }
    }
  }
  return { settings: distinct(settings), decided, onInsert };
}

function replacement(document: Document, values: Values, known: Iterable<string>): Update {
  const fields = fieldsIn(document);
  const settings = [...fields].map(([column, value]) => setting(column, value, values));
  for (const column of known)
    if (column !== '_id' && !fields.has(column)) settings.push(setting(column, null, values));
  return { settings: settings.filter(({ column }) => column !== '_id'), decided: [], onInsert: [] };
}

/** Stages of an aggregation: `$set`, `$unset`, `$replaceWith`. */
function pipelineUpdate(stages: readonly unknown[], values: Values, known: Iterable<string>): Update {
  const settings: Setting[] = [];
  const decided: string[] = [];
  for (const stage of stages.filter(isDocument)) {
    const fields = stage.$set ?? stage.$addFields;
    if (isDocument(fields))
      for (const [path, expression] of Object.entries(fields)) {
        const column = fieldOf(path);
        const isMade = fieldsNamed(expression).length > 0;
        if (isMade || isComputed(expression))
          settings.push(...changed(column, fieldsNamed(expression).includes(column), known));
        else settings.push(...set(column, column === path, expression, values, known));
        if (isMade && chooses(expression)) decided.push(column);
      }
    else if (stage.$unset !== undefined)
      for (const path of [stage.$unset].flat())
        settings.push(...set(fieldOf(String(path)), true, null, values, known));
    else settings.push(...[...known].map((column) => ({ column, to: null, isStep: false })));
  }
  return { settings: distinct(settings), decided, onInsert: [] };
}

function isComputed(expression: unknown): boolean {
  return isDocument(expression) && Object.keys(expression).some((name) => name.startsWith('$'));
}

function chooses(expression: unknown): boolean {
  if (Array.isArray(expression)) return expression.some(chooses);
  return (
    isDocument(expression) &&
    Object.entries(expression).some(([name, value]) => CHOOSING.test(name) || chooses(value))
  );
}

function setting(column: string, value: unknown, values: Values): Setting {
  return { column, to: values.add(value), isStep: false };
}

/** A field is given a value, and with it all that is in it. */
function set(
  column: string,
  isWhole: boolean,
  value: unknown,
  values: Values,
  known: Iterable<string>,
): Setting[] {
  const inner = isWhole && isDocument(value) && !column.includes('.') ? fieldsIn({ [column]: value }) : null;
  if (inner !== null && !inner.has(column))
    return [
      ...[...inner].map(([name, each]) => setting(name, each, values)),
      ...changed(column, false, known).filter(({ column: name }) => !inner.has(name)),
    ];
  const own = isWhole ? setting(column, value, values) : { column, to: null, isStep: false };
  return [own, ...changed(column, false, known).filter((each) => each.column !== column)];
}

/** A field becomes something that nobody knows, and so does what it is in and what is in it. */
function changed(column: string, isStep: boolean, known: Iterable<string>): Setting[] {
  const others = [...known].filter((name) => name !== column && overlap(name, column));
  return [column, ...others].map((name) => ({ column: name, to: null, isStep }));
}

function distinct(settings: readonly Setting[]): Setting[] {
  return [...new Map([...settings].reverse().map((each) => [each.column, each])).values()].reverse();
}
