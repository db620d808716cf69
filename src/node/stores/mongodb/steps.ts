import type { Filter, Setting, TableUse } from '../sql/plan.ts';
import type { Field, Result } from '../sql/result.ts';
import type { Parameters } from '../sql/tables.ts';
import type { Collection } from './collection.ts';
import { type Document, fieldsIn, isDocument } from './documents.ts';
import { filterOf, Values } from './filters.ts';
import { readUses } from './reads.ts';
import { updateOf } from './updates.ts';

/*
 * What commands of MongoDB have done, in the words of statements: a collection is a table whose rows have their `_id` as their key,
 * and fields are columns.
 */

/** What the server has done at once to documents of a collection. */
export interface Step {
  readonly uses: readonly TableUse[];
  readonly parameters: Parameters;
  /** Null if it was refused. */
  readonly result: Result | null;
  /** The fields that have to be unique, and are not, if that was it. */
  readonly violated?: readonly string[];
  /** Whether the program has got documents with all of their fields. */
  readonly isWhole?: boolean;
}

/** The answer to a command. */
export interface Answer {
  readonly reply: Document;
  /** The documents of a cursor. */
  readonly documents: readonly Document[];
  /** Whether the program gets these very documents. */
  readonly areGiven: boolean;
  /** Whether there are more where these come from. */
  readonly hasMore: boolean;
}

const EVERYTHING: Filter = { equal: [], others: [], isExact: true };

export function use(table: string, act: TableUse['act'], more: Partial<TableUse>): TableUse {
  return {
    ...{
      table,
      act,
      filter: EVERYTHING,
      columns: null,
      isResult: false,
      isLocked: false,
      skipsLocked: false,
    },
    ...{ isOnceOnly: false, isAbsent: false, limit: null, settings: [], rows: null, conflict: null },
    ...{ isReturning: false, ofDocuments: 'given' },
    ...more,
  };
}

/** Null for a command that is not known. */
export function stepsOf(
  name: string,
  command: Document,
  collection: Collection,
  answer: Answer,
): Step[] | null {
  const { reply } = answer;
  switch (name) {
    case 'find':
    case 'count':
    case 'distinct':
    case 'aggregate':
      return readUses(name, command, collection, answer);
    case 'insert':
      return insertSteps(command, collection, reply);
    case 'update':
      return listOf(command.updates).flatMap((each, i, all) =>
        updateSteps(each, collection, outcome(command, reply, i, all.length)),
      );
    case 'delete':
      return listOf(command.deletes).flatMap((each, i, all) => {
        const { count } = outcome(command, reply, i, all.length);
        if (count === undefined) return [];
        const values = new Values();
        const filter = filterOf(each.q, values);
        return [step([use(collection.name, 'delete', { filter })], values, result([], count))];
      });
    case 'findAndModify':
      return [modifyStep(command, collection, answer)];
    default:
      return null;
  }
}

/** What came of one of the changes that a command asks for. */
interface Outcome {
  /** How many documents it has matched; null if nobody knows, undefined if it was not done. */
  readonly count: number | null | undefined;
  /** The `_id` of the document that was made as there was none. */
  readonly upserted?: unknown;
  readonly violated?: readonly string[] | undefined;
}

function outcome(command: Document, reply: Document, index: number, all: number): Outcome {
  const errors = listOf(reply.writeErrors);
  const own = errors.find((error) => error.index === index);
  if (own !== undefined) return { count: undefined, violated: violatedBy(own) };
  const first = Math.min(...errors.map((error) => Number(error.index)));
  if (command.ordered !== false && index > first) return { count: undefined };
  const upserted = listOf(reply.upserted).find((each) => each.index === index);
  if (upserted !== undefined) return { count: 1, upserted: upserted._id };
  const count = typeof reply.n === 'number' ? reply.n : null;
  return { count: all === 1 || count === 0 ? count : null };
}

const DUPLICATE = 11000;

/** `E11000 duplicate key error collection: shop.users index: email_1 dup key: { email: "a@x" }` */
export function violatedBy(error: unknown): string[] | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  const { code, keyPattern, errmsg, message } = error as Record<string, unknown>;
  if (code !== DUPLICATE) return undefined;
  if (isDocument(keyPattern)) return Object.keys(keyPattern);
  const [, index = ''] = /index: (?:\S*\$)?(\S+) dup key/.exec(String(errmsg ?? message)) ?? [];
  return index === '_id_' ? ['_id'] : index.split(/_-?1(?:_|$)/).filter((field) => field !== '');
}

function insertSteps(command: Document, collection: Collection, reply: Document): Step[] {
  const documents = listOf(command.documents);
  return documents.flatMap((document, i) => {
    const { count, violated } = outcome(command, reply, i, documents.length);
    if (count === undefined && violated === undefined) return [];
    const values = new Values();
    const rows = [rowOf(fieldsIn(document), values)];
    const uses = [use(collection.name, 'insert', { rows })];
    return [violated ? refused(uses, values, violated) : step(uses, values, result([], 1))];
  });
}

function rowOf(fields: ReadonlyMap<string, unknown>, values: Values): NonNullable<TableUse['rows']>[number] {
  return [...fields].map(([column, value]) => ({ column, to: values.add(value) }));
}

function updateSteps({ q, u, upsert }: Document, collection: Collection, outcome: Outcome): Step[] {
  const { count, upserted, violated } = outcome;
  if (count === undefined && violated === undefined) return [];
  const values = new Values();
  const change = changeOf(q, u, values, collection);
  if (violated !== undefined || upserted !== undefined)
    return [inserted(change, values, collection, upserted, violated)];
  return [step([change.use], values, result([], upsert === true && count === 0 ? null : (count ?? null)))];
}

interface Change {
  readonly use: TableUse;
  readonly filter: Filter;
  readonly onInsert: readonly Setting[];
}

function changeOf(query: unknown, update: unknown, values: Values, collection: Collection): Change {
  const filter = filterOf(query, values);
  const { settings, decided, onInsert } = updateOf(update, values, collection.fields);
  const guards = { ...filter, others: [...new Set([...filter.others, ...decided])] };
  return { filter, onInsert, use: use(collection.name, 'update', { filter: guards, settings }) };
}

/** An update that became an insert, as there was no such document: the server itself has looked. */
function inserted(
  { use: change, filter, onInsert }: Change,
  values: Values,
  collection: Collection,
  id: unknown,
  violated: readonly string[] | undefined,
): Step {
  const row = new Map(filter.equal.map(({ column, to }) => [column, to]));
  for (const { column, to } of [...change.settings, ...onInsert]) if (to !== null) row.set(column, to);
  if (id !== undefined) row.set('_id', values.add(id));
  const rows = [[...row].map(([column, to]) => ({ column, to }))];
  const columns = filter.equal.map(({ column }) => column);
  const uses = [use(collection.name, 'insert', { rows, conflict: { action: 'nothing', columns } })];
  return violated === undefined ? step(uses, values, result([], 1)) : refused(uses, values, violated);
}

/** One document is found, changed or removed, and given back as it was before or is now, all at once. */
function modifyStep(command: Document, collection: Collection, { reply, areGiven }: Answer): Step {
  const values = new Values();
  const value = isDocument(reply.value) ? reply.value : null;
  const last = isDocument(reply.lastErrorObject) ? reply.lastErrorObject : {};
  const fields = value === null ? [] : fieldsFor([value], collection, command.fields);
  const found = result(value === null ? [] : [value], value === null ? 0 : 1, fields);
  const isKnown = value !== null && '_id' in value;
  const look = use(collection.name, 'read', {
    filter: isKnown
      ? { equal: [{ column: '_id', to: values.add(value._id) }], others: [], isExact: true }
      : EVERYTHING,
    isResult: true,
    ofDocuments: areGiven ? 'given' : 'copied',
  });
  const looks = isKnown ? [look] : [];
  if (command.remove === true) {
    const filter = filterOf(command.query, values);
    return step([...looks, use(collection.name, 'delete', { filter, isResult: isKnown })], values, found);
  }
  const change = changeOf(command.query, command.update, values, collection);
  if (last.upserted !== undefined && last.upserted !== null)
    return inserted(change, values, collection, last.upserted, undefined);
  const { n } = last;
  const count = typeof n === 'number' ? n : value === null ? 0 : 1;
  const update = { ...change.use, isResult: isKnown };
  const isNew = command.new === true;
  const uses = isNew ? [update, ...looks] : [...looks, update];
  return { ...step(uses, values, { ...found, count }), isWhole: isNew && !isDocument(command.fields) };
}

/** A command that the server has refused as a whole. */
export function refusedSteps(
  name: string,
  command: Document,
  collection: Collection,
  violated: readonly string[],
): Step[] {
  if (name !== 'findAndModify') return [];
  const values = new Values();
  return [
    inserted(
      changeOf(command.query, command.update, values, collection),
      values,
      collection,
      undefined,
      violated,
    ),
  ];
}

export function step(uses: readonly TableUse[], { parameters }: Values, result: Result): Step {
  return { uses, parameters, result };
}

function refused(uses: readonly TableUse[], { parameters }: Values, violated: readonly string[]): Step {
  return { uses, parameters, result: null, violated };
}

export function result(
  rows: readonly unknown[],
  count: number | null,
  fields: readonly Field[] | null = null,
): Result {
  return { rows, fields, count };
}

/** The fields of documents that were found, and those that others have and these have not, unless only some were asked for. */
export function fieldsFor(
  documents: readonly Document[],
  collection: Collection,
  projection: unknown,
): Field[] {
  const names = new Set<string>();
  for (const document of documents) for (const name of fieldsIn(document).keys()) names.add(name);
  const chosen = isDocument(projection) ? Object.entries(projection) : [];
  if (chosen.length === 0) for (const name of collection.fields) names.add(name);
  else for (const [name, is] of chosen) if (is === 1 || is === true) names.add(name);
  return [...names].map((name, index) => ({ name, index }));
}

export function listOf(value: unknown): Document[] {
  return Array.isArray(value) ? value.filter(isDocument) : [];
}
