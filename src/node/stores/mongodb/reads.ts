import type { Filter, TableUse } from '../sql/plan.ts';
import type { Collection } from './collection.ts';
import { type Document, fieldOf, fieldsNamed, isDocument } from './documents.ts';
import { filterOf, Values } from './filters.ts';
import { type Answer, fieldsFor, listOf, result, type Step, step, use } from './steps.ts';

/* What `find`, `aggregate` and their kind have seen. */

/** Of rows of which nobody knows whether there are more. */
const UNKNOWN = { value: 0 };

/** Stages that give documents as they are in the collection. */
const PASSING: ReadonlySet<string> = new Set(['$match', '$sort', '$limit', '$skip', '$sample']);

/** Null for what cannot be told. */
export function readUses(
  name: string,
  command: Document,
  collection: Collection,
  answer: Answer,
): Step[] | null {
  const values = new Values();
  if (name === 'aggregate') return aggregateSteps(command, collection, answer, values);
  if (name === 'find') {
    const { filter, limit, skip, projection } = command;
    const cut = skip ? UNKNOWN : typeof limit === 'number' && limit > 0 ? { value: limit } : null;
    return [found(filterOf(filter, values), cut, projection, collection, answer, values)];
  }
  const columns = name === 'distinct' ? [{ as: '', column: fieldOf(String(command.key)) }] : [];
  const limit = command.limit || command.skip ? UNKNOWN : null;
  const filter = filterOf(command.query, values);
  return [step([use(collection.name, 'read', { filter, columns, limit })], values, result([], null))];
}

/** Documents were found, which the program gets. */
function found(
  filter: Filter,
  limit: TableUse['limit'],
  projection: unknown,
  collection: Collection,
  { documents, areGiven, hasMore }: Answer,
  values: Values,
): Step {
  const look = use(collection.name, 'read', {
    filter,
    isResult: true,
    limit: hasMore ? UNKNOWN : limit,
    ofDocuments: areGiven ? 'given' : 'copied',
  });
  const fields = fieldsFor(documents, collection, projection);
  return {
    ...step([look], values, result(documents, documents.length, fields)),
    isWhole: !isDocument(projection) || Object.keys(projection).length === 0,
  };
}

function aggregateSteps(
  { pipeline }: Document,
  collection: Collection,
  answer: Answer,
  values: Values,
): Step[] | null {
  const stages = listOf(pipeline);
  const names = stages.map((stage) => Object.keys(stage)[0] ?? '');
  // What has changed since somebody listens is told later, and by others.
  if (names[0] === '$changeStream') return [];
  if (names.some((name) => name === '$out' || name === '$merge')) return null;
  const isMatched = names[0] === '$match';
  const first = filterOf(isMatched ? stages[0].$match : {}, values);
  const rest = stages.slice(isMatched ? 1 : 0);
  const isCut = names.some((name) => name === '$limit' || name === '$skip' || name === '$sample');
  const more = rest.filter((stage) => isDocument(stage.$match)).map(({ $match }) => filterOf($match, values));
  const filter = {
    equal: first.equal,
    others: [
      ...new Set([
        ...first.others,
        ...more.flatMap(({ equal, others }) => [...equal.map(({ column }) => column), ...others]),
      ]),
    ],
    isExact: first.isExact && more.length === 0,
  };
  const limit = isCut ? UNKNOWN : null;
  if (names.every((name) => PASSING.has(name)))
    return [found(filter, limit, undefined, collection, answer, values)];
  const columns = [...new Set(rest.flatMap(fieldsNamed))].map((column) => ({ as: '', column }));
  const joined = rest.flatMap(({ $lookup, $graphLookup, $unionWith }) =>
    [$lookup, $graphLookup, $unionWith].flatMap((each) => {
      const from = isDocument(each) ? (each.from ?? each.coll) : each;
      return typeof from === 'string' ? [use(from, 'read', { columns: [], limit: UNKNOWN })] : [];
    }),
  );
  return [
    step([use(collection.name, 'read', { filter, columns, limit }), ...joined], values, result([], null)),
  ];
}
