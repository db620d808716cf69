import { type Effect, GONE, read, type StoreVariable, THERE, update, write } from '../model/variables.ts';
import { type FoundRow, lookFor, membershipChanges } from './looks.ts';
import type { Setting, TableUse } from './plan.ts';
import type { Result } from './result.ts';
import {
  type Address,
  givenValue,
  isMaybe,
  MOST_ROWS,
  type Pair,
  type Parameters,
  rowText,
  type Table,
} from './tables.ts';

/* What INSERT, UPDATE and DELETE do to rows. */

export function insertedRows(use: TableUse, table: Table, parameters: Parameters): Map<string, unknown>[] {
  return (use.rows ?? []).map((row) => {
    const values = new Map<string, unknown>();
    for (const { column, to } of row) {
      const known = givenValue(to, parameters);
      const name = /^\d+$/.test(column) ? table.columns?.[Number(column)] : column;
      if (known !== null && name !== undefined) values.set(name, known.value);
    }
    return values;
  });
}

export function insertEffects(
  use: TableUse,
  table: Table,
  parameters: Parameters,
  result: Result,
  found: readonly FoundRow[] | null,
): Effect[] {
  const rows = insertedRows(use, table, parameters);
  const { conflict } = use;
  if (conflict !== null && result.count === 0) {
    const columns = conflict.columns.length > 0 ? conflict.columns : table.key;
    return rows
      .flatMap((values) => lookFor(table, columns, values))
      .map((each) => ({ ...each, seen: THERE }));
  }
  if (result.count === 0) return [];
  if (use.rows === null && table.isWholeKnown()) return [update(table.all())];
  return rows.flatMap((values, i) => {
    const key =
      found?.[i]?.key ?? keyIn(table, values) ?? (rows.length === 1 ? lastKey(table, result) : null);
    const isGuarded = conflict !== null;
    const effects = [...membershipChanges(table, values, null, isGuarded)].map((each) => ({
      ...each,
      wrote: THERE,
    }));
    table.forgetAliases((pairs) => pairs.every(({ column, value }) => isMaybe(values, column, value)));
    if (key !== null) for (const [column, value] of values) table.valuesOf(key).set(column, value);
    if (conflict?.action === 'update')
      return [...effects, ...upsertEffects(use, table, key, values, parameters)];
    if (key === null) return effects;
    const made = { ...write(table.row(key), isGuarded), wrote: THERE };
    return [...effects, isGuarded ? { ...made, seen: GONE } : made];
  });
}

/** An insert that becomes an update where there is such a row. */
function upsertEffects(
  use: TableUse,
  table: Table,
  key: string | null,
  values: ReadonlyMap<string, unknown>,
  parameters: Parameters,
): Effect[] {
  const columns = use.conflict?.columns ?? [];
  const pairs = columns.map((column) => ({ column, value: values.get(column) }));
  if (key === null && (columns.length === 0 || !columns.every((column) => values.has(column)))) return [];
  const isByKey =
    key !== null && (columns.length === 0 || columns.every((column) => table.key.includes(column)));
  const row = isByKey ? table.row(key as string) : table.predicate(pairs, true, []);
  const column = (name: string) =>
    isByKey ? table.column(key as string, name) : table.columnOf(pairs, name);
  return [
    { ...update(row, true), wrote: THERE },
    ...use.settings.flatMap((setting) =>
      settingEffects(setting, column(setting.column), use, false, valuesOf(setting, use, parameters, null)),
    ),
  ];
}

function keyIn(table: Table, values: ReadonlyMap<string, unknown>): string | null {
  const { key } = table;
  return key.length > 0 && key.every((column) => values.has(column) && values.get(column) !== null)
    ? rowText(key.map((column) => values.get(column)))
    : null;
}

function lastKey(table: Table, { lastId }: Result): string | null {
  return lastId === undefined || table.key.length !== 1 ? null : rowText([lastId]);
}

function settingEffects(
  setting: Setting,
  variable: StoreVariable,
  use: TableUse,
  isGuarded: boolean,
  known: Pick<Effect, 'seen' | 'wrote'>,
): Effect[] {
  // Whoever gets to see what came of it goes by that.
  const isSeen =
    use.isReturning && (use.columns === null || use.columns.some(({ column }) => column === setting.column));
  const look = isSeen ? [read(variable)] : [];
  if (isGuarded) return [{ ...update(variable, true), ...known }, ...look];
  if (!setting.isStep) return [{ ...write(variable), ...known }];
  return isSeen ? [...look, { ...write(variable), ...known }] : [{ ...update(variable), ...known }];
}

/** What was in a column before and is there now, as far as the statement and its result say so. */
function valuesOf(
  { column, to }: Setting,
  use: TableUse,
  parameters: Parameters,
  row: unknown,
): Pick<Effect, 'seen' | 'wrote'> {
  const as = use.columns?.find((each) => each.column === column)?.as ?? column;
  const returned = use.isReturning && typeof row === 'object' && row !== null && Object.hasOwn(row, as);
  const wrote = returned ? { value: Reflect.get(row, as) } : givenValue(to, parameters);
  const seen = askedValue(use, column, parameters);
  return { ...(wrote === null ? {} : { wrote }), ...(seen === null ? {} : { seen }) };
}

/** What a column had to be for the statement to do anything. */
function askedValue({ filter }: TableUse, column: string, parameters: Parameters): { value: unknown } | null {
  return givenValue(filter.equal.find((each) => each.column === column)?.to ?? null, parameters);
}

export function updateEffects(
  use: TableUse,
  table: Table,
  address: Address,
  parameters: Parameters,
  result: Result,
  found: readonly FoundRow[] | null,
): Effect[] {
  const { settings } = use;
  const changed = new Set(settings.map(({ column }) => column));
  const asked = new Map(address.predicates.length === 1 ? address.predicates[0].map(pairOf) : []);
  // A column that has to be what it was, and is changed, is a version of the row: nobody has come between.
  const isVersioned = address.fixed.some((column) => changed.has(column));
  const isGuarded = ({ column }: Setting) => isVersioned || address.guards.includes(column);
  const keys = keysOf(table, address, found, result);
  const isMoved = settings.some(isGuarded) || address.columns.some((column) => changed.has(column));
  /** What rows were before and are now. */
  const moved = (values: Map<string, unknown>): Effect[] => {
    const before = [...membershipChanges(table, values, changed, isMoved)];
    for (const { column, to } of settings) {
      const known = givenValue(to, parameters);
      if (known === null) values.delete(column);
      else values.set(column, known.value);
    }
    return [...before, ...membershipChanges(table, values, changed, isMoved)];
  };
  const isFew = keys !== null && keys.length > 0 && keys.length <= MOST_ROWS;
  const effects: Effect[] = distinct(
    isFew
      ? keys.flatMap((key) => {
          const values = table.valuesOf(key);
          for (const [column, value] of asked) values.set(column, value);
          return moved(values);
        })
      : moved(asked),
  );
  table.forgetAliases((pairs) => pairs.some(({ column }) => changed.has(column)));
  const row = result.rows.length === 1 && result.count === 1 ? result.rows[0] : null;
  const set = (column: (name: string) => StoreVariable) => [
    ...address.guards
      .filter((name) => !changed.has(name))
      .map((name) => {
        const seen = askedValue(use, name, parameters);
        return seen === null ? read(column(name)) : { ...read(column(name)), seen };
      }),
    ...settings.flatMap((setting) =>
      settingEffects(
        setting,
        column(setting.column),
        use,
        isGuarded(setting),
        valuesOf(setting, use, parameters, row),
      ),
    ),
  ];
  if (keys !== null && keys.length <= MOST_ROWS)
    for (const key of keys)
      effects.push({ ...read(table.row(key)), seen: THERE }, ...set((name) => table.column(key, name)));
  else if (address.predicates.length > 0 && address.isExact)
    for (const pairs of address.predicates)
      for (const each of [pairs, ...table.narrower(pairs)])
        effects.push(...set((name) => table.columnOf(each, name)));
  else if (table.isWholeKnown()) effects.push(write(table.all()));
  return effects;
}

/** The rows that were changed: as the result or the statement says it, or those that are known to be meant by it. */
function keysOf(
  table: Table,
  { rows, predicates, isExact }: Address,
  found: readonly FoundRow[] | null,
  { count }: Result,
): readonly string[] | null {
  if (found !== null) return found.map(({ key }) => key);
  return rows ?? (predicates.length === 1 && isExact ? table.rowsWith(predicates[0], count) : null);
}

/** One of each variable, what is certain first. */
function distinct(effects: readonly Effect[]): Effect[] {
  const seen = new Set<string>();
  const certain = effects.filter(({ isPerhaps }) => !isPerhaps);
  return [...certain, ...effects].filter(({ variable: { key } }) => !seen.has(key) && seen.add(key));
}

export function deleteEffects(
  table: Table,
  address: Address,
  result: Result,
  found: readonly FoundRow[] | null,
): Effect[] {
  const asked = new Map(address.predicates.length === 1 ? address.predicates[0].map(pairOf) : []);
  const keys = keysOf(table, address, found, result);
  const isGuardedDelete = address.guards.length > 0 || address.columns.length > 0;
  const isFew = keys !== null && keys.length > 0 && keys.length <= MOST_ROWS;
  const effects = distinct(
    isFew
      ? keys.flatMap((key) => [
          ...membershipChanges(table, new Map([...table.valuesOf(key), ...asked]), null, isGuardedDelete),
        ])
      : [...membershipChanges(table, asked, null)],
  );
  table.forgetAliases((_, row) => keys === null || keys.includes(row));
  if (keys !== null && keys.length <= MOST_ROWS)
    for (const key of keys) {
      const isGuarded = address.guards.length > 0;
      const gone = isGuarded ? update(table.row(key), true) : write(table.row(key));
      effects.push({ ...gone, seen: THERE, wrote: GONE });
    }
  else if (address.predicates.length > 0)
    for (const pairs of address.predicates) {
      effects.push(write(table.predicate(pairs, address.isExact, address.guards)));
      if (address.isExact)
        for (const each of table.narrower(pairs)) effects.push(write(table.predicate(each, true, [])));
    }
  return effects;
}

function pairOf({ column, value }: Pair): [string, unknown] {
  return [column, value];
}
