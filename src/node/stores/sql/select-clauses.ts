import type { LockingClause, SelectStmt } from '@pgsql/types';
import { operandOf } from './conditions.ts';
import type { Operand, TableUse } from './plan.ts';
import { as, columnOf, columnsIn, type Named, type Node, named, textOf, walk } from './tree.ts';

/* What the clauses of one SELECT say, each by itself. */

const AGGREGATES =
  /^(?:count|sum|avg|min|max|total|every|bool_(?:and|or)|bit_(?:and|or|xor)|(?:array|string|json|jsonb|xml|range)_?.*agg|group_concat|json_group_.*|stddev.*|var.*|percentile_.*|mode)$/;

/** The subquery whose rows a query gives as they are: `SELECT part.* FROM (SELECT …) AS part`, as query builders write it. */
export function handedOn(query: SelectStmt): SelectStmt | null {
  const [from, ...more] = query.fromClause ?? [];
  const [target, ...others] = query.targetList ?? [];
  const { val } = as(target, 'ResTarget') ?? {};
  const isAll = as(as(val, 'ColumnRef')?.fields?.at(-1), 'A_Star') !== null;
  const chooses =
    query.whereClause ?? query.groupClause ?? query.distinctClause ?? query.limitCount ?? query.limitOffset;
  if (!isAll || more.length > 0 || others.length > 0 || chooses !== undefined) return null;
  return as(as(from, 'RangeSubselect')?.subquery, 'SelectStmt');
}

/** How many rows it gives at most; zero where that is not known. */
export function limitOf({ limitCount, limitOffset }: SelectStmt): Operand | null {
  if (limitOffset !== undefined) return { value: 0 };
  if (limitCount === undefined || as(limitCount, 'A_Const')?.isnull) return null;
  return operandOf(limitCount) ?? { value: 0 };
}

export function tablesOf(from: Node[] | undefined, known: ReadonlySet<string>): Named[] {
  return (from ?? []).flatMap((item) => {
    const join = as(item, 'JoinExpr');
    if (join !== null)
      return tablesOf(
        [join.larg, join.rarg].filter((side) => side !== undefined),
        known,
      );
    const relation = as(item, 'RangeVar');
    if (relation === null || (relation.schemaname === undefined && known.has(relation.relname ?? '')))
      return [];
    return named(relation) ?? [];
  });
}

export function joinConditions(from: Node[] | undefined): unknown[] {
  return (from ?? []).flatMap((item) => {
    const join = as(item, 'JoinExpr');
    if (join === null) return [];
    return [join.quals, ...joinConditions([join.larg, join.rarg].filter((side) => side !== undefined))];
  });
}

export function hasAggregate(targets: unknown): boolean {
  let found = false;
  walk(targets, (node) => {
    const call = as(node, 'FuncCall');
    if (call !== null && call.over === undefined && AGGREGATES.test(textOf(call.funcname?.at(-1))))
      found = true;
    return as(node, 'SubLink') === null;
  });
  return found;
}

export function columnsRead(targets: Node[] | undefined, of: Named, isJoined: boolean): TableUse['columns'] {
  const columns: { as: string; column: string }[] = [];
  for (const target of targets ?? []) {
    const { name, val } = as(target, 'ResTarget') ?? {};
    if (isStar(val, of, isJoined)) return null;
    const column = columnOf(val, of, isJoined);
    if (column !== null) columns.push({ as: name ?? column, column });
    else for (const each of columnsIn(val, of, isJoined)) columns.push({ as: '', column: each });
  }
  return columns;
}

function isStar(node: Node | undefined, { alias }: Named, isJoined: boolean): boolean {
  const fields = as(node, 'ColumnRef')?.fields ?? [];
  if (as(fields.at(-1), 'A_Star') === null) return false;
  return fields.length === 1 || !isJoined || textOf(fields.at(-2)) === alias;
}

export function lockingOf(
  query: SelectStmt,
  { alias, table }: Named,
): { isLocked: boolean; skipsLocked: boolean } {
  const clauses = (query.lockingClause ?? [])
    .map((clause) => as(clause, 'LockingClause'))
    .filter((clause): clause is LockingClause => clause !== null)
    .filter(
      ({ lockedRels }) =>
        lockedRels === undefined ||
        lockedRels.some((each) => [alias, table].includes(as(each, 'RangeVar')?.relname ?? '')),
    );
  return {
    isLocked: clauses.length > 0,
    skipsLocked: clauses.some(({ waitPolicy }) => waitPolicy === 'LockWaitSkip'),
  };
}
