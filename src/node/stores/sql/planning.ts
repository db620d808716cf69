import type { CreateStmt, DeleteStmt, InsertStmt, RangeVar, SelectStmt, UpdateStmt } from '@pgsql/types';
import { filterOf, operandOf } from './conditions.ts';
import { advisoryIn, controlOf, lockOf } from './control.ts';
import type { Dialect, Filter, Plan, Setting, Statement, TableDefinition, TableUse } from './plan.ts';
import {
  columnsRead,
  handedOn,
  hasAggregate,
  joinConditions,
  limitOf,
  lockingOf,
  tablesOf,
} from './select-clauses.ts';
import { type SqliteStatement, sqliteStatements } from './sqlite-text.ts';
import { as, type Named, type Node, named, tablesIn, textOf, walk } from './tree.ts';

/** What the statements of a text do; null for a text that cannot be parsed. */
export function planOf(text: string, dialect: Dialect, parse: (text: string) => unknown): Plan {
  if (dialect === 'sqlite') return sqliteStatements(text).map((each) => sqlitePlan(each, parse));
  return parsed(text, parse);
}

function parsed(text: string, parse: (text: string) => unknown): Plan {
  let tree: { stmts?: { stmt?: Node }[] };
  try {
    tree = parse(text) as typeof tree;
  } catch {
    return null;
  }
  return (tree.stmts ?? []).map(({ stmt }) => (stmt === undefined ? nothing() : statementOf(stmt)));
}

/** What PostgreSQL's grammar does not have in common with SQLite's is done beforehand. */
function sqlitePlan(statement: SqliteStatement, parse: (text: string) => unknown): Statement {
  const { text, definition, tables, orAct } = statement;
  if (definition !== null) return { ...nothing(), defines: [definition] };
  if (text === null) return nothing();
  const found = parsed(text, parse)?.[0];
  if (found === undefined) return guess(tables);
  return orAct === null ? found : { ...found, uses: found.uses.map((each) => withConflict(each, orAct)) };
}

/** `INSERT OR IGNORE`, `INSERT OR REPLACE`. */
function withConflict(use: TableUse, action: 'nothing' | 'update'): TableUse {
  if (use.act !== 'insert') return use;
  const settings = (use.rows?.[0] ?? []).map(({ column, to }) => ({ column, to, isStep: false }));
  return { ...use, conflict: { action, columns: [] }, settings: action === 'update' ? settings : [] };
}

/** Something of which only the tables are known: it may do anything to them. */
function guess(tables: readonly string[]): Statement {
  const uses = tables.flatMap((table) => [
    use({ table, alias: table }, {}),
    use({ table, alias: table }, { act: 'truncate' }),
  ]);
  return { ...doing(uses), isUnderstood: false };
}

function nothing(): Statement {
  return { uses: [], defines: [], control: null, advisory: null, isUnderstood: true };
}

function doing(uses: readonly TableUse[]): Statement {
  return { ...nothing(), uses };
}

/** Statements that change no rows and read none. */
const HARMLESS: ReadonlySet<string> = new Set([
  ...[
    'VariableSetStmt',
    'VariableShowStmt',
    'ListenStmt',
    'NotifyStmt',
    'UnlistenStmt',
    'DiscardStmt',
    'ExplainStmt',
  ],
  ...['CreateSchemaStmt', 'CreateExtensionStmt', 'IndexStmt', 'CommentStmt', 'VacuumStmt', 'CreateSeqStmt'],
  ...[
    'CreateEnumStmt',
    'CreateFunctionStmt',
    'CreateTrigStmt',
    'ViewStmt',
    'GrantStmt',
    'AlterSeqStmt',
    'DeallocateStmt',
  ],
  ...[
    'CreateRoleStmt',
    'CreatedbStmt',
    'DropdbStmt',
    'CheckPointStmt',
    'FetchStmt',
    'ClosePortalStmt',
    'AlterTableStmt',
  ],
  ...['RenameStmt', 'DropStmt', 'CreateDomainStmt'],
]);

function statementOf(node: Node): Statement {
  const control = controlOf(node);
  if (control !== null) return { ...nothing(), control };
  const lock = lockOf(node);
  if (lock !== null) return { ...nothing(), advisory: lock };
  const select = as(node, 'SelectStmt');
  if (select !== null) return { ...doing(readsOf(select, true, NOTHING)), advisory: advisoryIn(select) };
  const insert = as(node, 'InsertStmt');
  if (insert !== null) return doing(insertUses(insert));
  const update = as(node, 'UpdateStmt');
  if (update !== null) return doing(updateUses(update));
  const removal = as(node, 'DeleteStmt');
  if (removal !== null) return doing(deleteUses(removal));
  const table = as(node, 'CreateStmt');
  if (table !== null) return { ...nothing(), defines: definitionIn(table) };
  const truncation = as(node, 'TruncateStmt');
  if (truncation !== null)
    return doing(tablesIn(truncation.relations).map((of) => use(of, { act: 'truncate', filter: ALL })));
  const cursor = as(node, 'DeclareCursorStmt');
  const query = as(cursor?.query, 'SelectStmt');
  if (query !== null) return doing(readsOf(query, false, NOTHING));
  const [kind] = Object.keys(node);
  if (HARMLESS.has(kind)) return nothing();
  return guess(tablesIn(node).map(({ table }) => table));
}

const ALL: Filter = { equal: [], others: [], isExact: false };
const NOTHING: ReadonlySet<string> = new Set();

function use({ table }: Named, more: Partial<TableUse>): TableUse {
  return {
    table,
    act: 'read',
    filter: ALL,
    columns: [],
    isResult: false,
    isLocked: false,
    skipsLocked: false,
    isOnceOnly: false,
    isAbsent: false,
    limit: null,
    settings: [],
    rows: null,
    conflict: null,
    isReturning: false,
    ...more,
  };
}

// ---- Queries ---------------------------------------------------------------------------------------------------------

/** `known` are the names of common table expressions, which are no tables. */
function readsOf(query: SelectStmt, isResult: boolean, known: ReadonlySet<string>): TableUse[] {
  const { larg, rarg } = query;
  const inner = within(query, known);
  if (larg !== undefined && rarg !== undefined)
    return [...inner.uses, ...readsOf(larg, false, inner.known), ...readsOf(rarg, false, inner.known)];
  const all = handedOn(query);
  if (all !== null) return [...inner.uses, ...readsOf(all, isResult, inner.known)];
  const tables = tablesOf(query.fromClause, inner.known);
  const conditions = [query.whereClause, ...joinConditions(query.fromClause)];
  const isJoined = tables.length > 1 || (query.fromClause?.length ?? 0) > 1;
  const isSummedUp = query.groupClause !== undefined || hasAggregate(query.targetList);
  const reads = tables.map((of) => {
    const { isLocked, skipsLocked } = lockingOf(query, of);
    return use(of, {
      filter: filterOf(query.whereClause, of, isJoined),
      columns: columnsRead(query.targetList, of, isJoined),
      isResult: isResult && !isSummedUp,
      isLocked,
      skipsLocked,
      limit: limitOf(query),
    });
  });
  return [
    ...inner.uses,
    ...reads,
    ...subqueries([conditions, query.targetList, query.havingClause, query.fromClause], inner.known),
  ];
}

/** Common table expressions, which may change something too. */
function within(
  statement: { withClause?: SelectStmt['withClause'] },
  outer: ReadonlySet<string>,
): { uses: TableUse[]; known: ReadonlySet<string> } {
  const expressions = statement.withClause?.ctes ?? [];
  const known = new Set(outer);
  const uses: TableUse[] = [];
  for (const expression of expressions) {
    const { ctename, ctequery } = as(expression, 'CommonTableExpr') ?? {};
    if (ctename !== undefined) known.add(ctename);
    uses.push(...usesOf(ctequery, known));
  }
  return { uses, known };
}

function usesOf(node: Node | undefined, known: ReadonlySet<string>): TableUse[] {
  const select = as(node, 'SelectStmt');
  if (select !== null) return readsOf(select, false, known);
  const insert = as(node, 'InsertStmt');
  if (insert !== null) return insertUses(insert, known).map(asPart);
  const update = as(node, 'UpdateStmt');
  if (update !== null) return updateUses(update, known).map(asPart);
  const removal = as(node, 'DeleteStmt');
  return removal === null ? [] : deleteUses(removal, known).map(asPart);
}

/** What a part of a statement gives back is not the result of the whole. */
function asPart(part: TableUse): TableUse {
  return { ...part, isResult: false };
}

/** Under READ COMMITTED, only the condition of an UPDATE itself is looked at again after waiting. */
function once(part: TableUse): TableUse {
  return part.act === 'read' && !part.isLocked ? { ...part, isOnceOnly: true } : part;
}

function subqueries(parts: unknown, known: ReadonlySet<string>): TableUse[] {
  const found: TableUse[] = [];
  walk(parts, (node) => {
    const not = as(node, 'BoolExpr');
    const absent = not?.boolop === 'NOT_EXPR' ? as(not.args?.[0], 'SubLink') : null;
    const missing = absent?.subLinkType === 'EXISTS_SUBLINK' ? as(absent.subselect, 'SelectStmt') : null;
    if (missing !== null) {
      found.push(...readsOf(missing, false, known).map((each) => ({ ...each, isAbsent: true })));
      return false;
    }
    const query =
      as(as(node, 'SubLink')?.subselect, 'SelectStmt') ??
      as(as(node, 'RangeSubselect')?.subquery, 'SelectStmt');
    if (query === null) return true;
    found.push(...readsOf(query, false, known));
    return false;
  });
  return found;
}

// ---- Changes ---------------------------------------------------------------------------------------------------------

function targetOf(relation: RangeVar | undefined): Named | null {
  return relation === undefined ? null : named(relation);
}

/** In the form of PostgreSQL 18, or of those before. */
function returned(statement: { returningClause?: { exprs?: Node[] }; returningList?: Node[] }): Node[] {
  return statement.returningClause?.exprs ?? statement.returningList ?? [];
}

function settingsIn(targets: Node[] | undefined, of: Named): Setting[] {
  return (targets ?? []).flatMap((target) => {
    const { name, val } = as(target, 'ResTarget') ?? {};
    return name === undefined ? [] : { column: name, to: operandOf(val), isStep: mentions(val, name, of) };
  });
}

/** Whether an expression speaks of this column of the table as it was. */
function mentions(node: Node | undefined, column: string, { table, alias }: Named): boolean {
  let found = false;
  walk(node, (part) => {
    const fields = as(part, 'ColumnRef')?.fields ?? [];
    const qualifier = textOf(fields.at(-2));
    if (textOf(fields.at(-1)) === column && (fields.length === 1 || [table, alias].includes(qualifier)))
      found = true;
    return true;
  });
  return found;
}

function updateUses(statement: UpdateStmt, outer: ReadonlySet<string> = NOTHING): TableUse[] {
  const of = targetOf(statement.relation);
  if (of === null) return [];
  const inner = within(statement, outer);
  const others = tablesOf(statement.fromClause, inner.known);
  const isJoined = (statement.fromClause?.length ?? 0) > 0;
  const returning = returned(statement);
  return [
    ...inner.uses,
    ...others.map((other) => use(other, { filter: filterOf(statement.whereClause, other, true) })),
    ...subqueries([statement.whereClause, statement.targetList, statement.fromClause], inner.known).map(once),
    use(of, {
      act: 'update',
      filter: filterOf(statement.whereClause, of, isJoined),
      columns: columnsRead(returning, of, isJoined),
      settings: settingsIn(statement.targetList, of),
      isReturning: returning.length > 0,
      isResult: returning.length > 0,
    }),
  ];
}

function deleteUses(statement: DeleteStmt, outer: ReadonlySet<string> = NOTHING): TableUse[] {
  const of = targetOf(statement.relation);
  if (of === null) return [];
  const inner = within(statement, outer);
  const isJoined = (statement.usingClause?.length ?? 0) > 0;
  const returning = returned(statement);
  return [
    ...inner.uses,
    ...tablesOf(statement.usingClause, inner.known).map((other) => use(other, {})),
    ...subqueries([statement.whereClause, statement.usingClause], inner.known).map(once),
    use(of, {
      act: 'delete',
      filter: filterOf(statement.whereClause, of, isJoined),
      columns: columnsRead(returning, of, isJoined),
      isReturning: returning.length > 0,
      isResult: returning.length > 0,
    }),
  ];
}

function insertUses(statement: InsertStmt, outer: ReadonlySet<string> = NOTHING): TableUse[] {
  const of = targetOf(statement.relation);
  if (of === null) return [];
  const inner = within(statement, outer);
  const query = as(statement.selectStmt, 'SelectStmt');
  const columns = (statement.cols ?? []).map((column) => as(column, 'ResTarget')?.name ?? '');
  const rows = rowsIn(query?.valuesLists, columns) ?? rowSelected(query, columns);
  const returning = returned(statement);
  const { onConflictClause } = statement;
  const conflict = onConflictClause && {
    action: onConflictClause.action === 'ONCONFLICT_UPDATE' ? ('update' as const) : ('nothing' as const),
    columns: (onConflictClause.infer?.indexElems ?? []).map((each) => as(each, 'IndexElem')?.name ?? ''),
  };
  return [
    ...inner.uses,
    ...(query === null || query.valuesLists !== undefined
      ? []
      : readsOf(query, false, inner.known).map(once)),
    ...subqueries([query?.valuesLists, onConflictClause?.targetList], inner.known),
    use(of, {
      act: 'insert',
      filter: filterOf(onConflictClause?.whereClause, of, false),
      rows,
      settings: settingsIn(onConflictClause?.targetList, of),
      conflict: conflict ?? null,
      columns: columnsRead(returning, of, false),
      isReturning: returning.length > 0,
      isResult: returning.length > 0,
    }),
  ];
}

/** `INSERT … SELECT $1, $2 WHERE …` inserts one row, or none. */
function rowSelected(query: SelectStmt | null, columns: readonly string[]): TableUse['rows'] {
  if (query === null || query.targetList === undefined || query.fromClause !== undefined) return null;
  return [
    query.targetList.map((target, i) => ({
      column: columns[i] ?? String(i),
      to: operandOf(as(target, 'ResTarget')?.val),
    })),
  ];
}

/** Without names the columns are those of the table, in its order: `0`, `1`, … */
function rowsIn(lists: Node[] | undefined, columns: readonly string[]): TableUse['rows'] {
  if (lists === undefined || lists.length === 0) return null;
  return lists.map((list) =>
    (as(list, 'List')?.items ?? []).map((item, i) => ({
      column: columns[i] ?? String(i),
      to: operandOf(item),
    })),
  );
}

// ---- Tables ----------------------------------------------------------------------------------------------------------

function definitionIn({ relation, tableElts }: CreateStmt): TableDefinition[] {
  const of = targetOf(relation);
  if (of === null) return [];
  const columns: string[] = [];
  let key: string[] = [];
  for (const element of tableElts ?? []) {
    const column = as(element, 'ColumnDef');
    if (column?.colname !== undefined) {
      columns.push(column.colname);
      if (column.constraints?.some((each) => as(each, 'Constraint')?.contype === 'CONSTR_PRIMARY'))
        key = [column.colname];
    }
    const constraint = as(element, 'Constraint');
    if (constraint?.contype === 'CONSTR_PRIMARY') key = (constraint.keys ?? []).map(textOf);
  }
  return [{ table: of.table, columns, key }];
}
