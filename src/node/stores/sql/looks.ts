import { type Effect, read, type StoreVariable, update } from '../model/variables.ts';
import { type Address, MOST_ROWS, rowText, type Table } from './tables.ts';

/* What it means for rows, predicates and tables that somebody has looked at them, or changed which rows there are. */

/** A row by its key. */
export interface FoundRow {
  readonly key: string;
  readonly row: unknown;
}

export function rowEffects(table: Table, key: string, columns: readonly string[]): Effect[] {
  return [read(table.row(key)), ...columns.map((column) => read(table.column(key, column)))];
}

/** That which rows there are has been asked for. `isEmpty`: there was none in the whole table. */
export function membership(
  table: Table,
  { predicates, isExact, guards }: Address,
  isEmpty = false,
): StoreVariable[] {
  if (predicates.length === 0) return [isEmpty && isExact ? table.predicate([], true, []) : table.all()];
  return predicates.map((pairs) => table.predicate(pairs, isExact, guards));
}

/** A look at rows that are known by their address only. `isCut`: it was for some of them, whichever. */
export function lookEffects(
  table: Table,
  address: Address,
  columns: readonly string[],
  isCut = false,
): Effect[] {
  if (address.rows !== null) return address.rows.flatMap((key) => rowEffects(table, key, columns));
  const under = address.isExact ? address.predicates : [];
  for (const pairs of under) table.noteFound(pairs);
  return [
    ...membership(table, { ...address, isExact: address.isExact && !isCut }).map(read),
    ...under.flatMap((pairs) => columns.map((column) => read(table.columnOf(pairs, column)))),
  ];
}

/** A look for rows with the values that have to be unique. */
export function lookFor(
  table: Table,
  columns: readonly string[],
  values: ReadonlyMap<string, unknown>,
): Effect[] {
  if (columns.length === 0 || !columns.every((column) => values.has(column))) return [];
  const isKey = columns.length === table.key.length && columns.every((column) => table.key.includes(column));
  if (isKey) return [read(table.row(rowText(table.key.map((column) => values.get(column)))))];
  const pairs = columns.map((column) => ({ column, value: values.get(column) }));
  return [read(table.predicate(pairs, true, []))];
}

export function rowsOf(table: Table, address: Address, found: readonly FoundRow[] | null): StoreVariable[] {
  const keys = found?.map(({ key }) => key) ?? address.rows ?? [];
  return keys.slice(0, MOST_ROWS).map((key) => table.row(key));
}

/** What a change of the table means to those who have asked which rows there are. */
export function* membershipChanges(
  table: Table,
  values: ReadonlyMap<string, unknown>,
  changed: ReadonlySet<string> | null,
  isGuarded = false,
): Generator<Effect> {
  for (const variable of table.matching(values, changed)) yield update(variable, isGuarded);
  if (changed !== null)
    for (const variable of table.perhapsLeft(values, changed))
      yield { ...update(variable, isGuarded), isPerhaps: true };
  if (table.isWholeKnown()) yield update(table.all(), isGuarded);
}
