import type { Ledger } from '../model/ledger.ts';
import { type Effect, read, type StoreVariable, update, write } from '../model/variables.ts';
import type { Setting, Statement, TableDefinition, TableUse } from './plan.ts';
import { type Address, givenValue, MOST_ROWS, type Pair, type Parameters, rowText, Table } from './tables.ts';

/** What came of a statement. */
export interface Result {
  readonly rows: readonly unknown[];
  /** The columns of the rows, with the table that each is of if the driver knows it. */
  readonly fields: readonly Field[] | null;
  /** How many rows it has changed; null if nobody knows. */
  readonly count: number | null;
  /** The key of the last row that was inserted, if it is a number that the database has made. */
  readonly lastId?: unknown;
}

export interface Field {
  readonly name: string;
  /** Where it is in a row that is a list. */
  readonly index: number;
  readonly table?: string | null;
  readonly column?: string | null;
  /** The number of the table, if the driver knows no more; 0 for what is no column. */
  readonly tableId?: number | null;
}

/** A row that a statement locks until the end of its transaction. */
export interface StatementEffects {
  readonly effects: readonly Effect[];
  readonly locked: readonly StoreVariable[];
}

/** A row by its key. */
interface FoundRow {
  readonly key: string;
  readonly row: unknown;
}

/** What the statements of one database did to its rows. */
export class Tables {
  readonly #ledger: Ledger;
  readonly #store: string;
  readonly #tables = new Map<string, Table>();
  /** Names of tables by the numbers that results have for them. */
  readonly #byId = new Map<number, string>();
  readonly #fold: (name: string) => string;

  /** `isFolded`: whether names are the same in capitals. */
  constructor(ledger: Ledger, store: string, isFolded: boolean) {
    this.#ledger = ledger;
    this.#store = store;
    this.#fold = isFolded ? (name) => name.toLowerCase() : (name) => name;
  }

  define(definition: TableDefinition): void {
    const { table, columns, key } = definition;
    const fold = this.#fold;
    this.#table(table).define({ table, columns: columns.map(fold), key: key.map(fold) });
  }

  /** Null for a result means that the statement has failed; `violated` are then the columns that have to be unique. */
  effects(
    statement: Statement,
    parameters: Parameters,
    result: Result | null,
    violated: readonly string[] | null = null,
  ): StatementEffects {
    const effects: Effect[] = [];
    const locked: StoreVariable[] = [];
    if (result !== null) this.#learnIds(statement, result);
    for (const each of statement.uses) {
      const use = this.#folded(each);
      const table = this.#table(use.table);
      if (result !== null) {
        this.#use(use, table, parameters, result, effects, locked);
      } else if (violated !== null && use.act === 'insert') {
        for (const values of insertedRows(use, table, parameters))
          for (const effect of lookFor(table, violated.map(this.#fold), values))
            effects.push({ ...effect, isRefused: true });
      }
    }
    return { effects, locked };
  }

  #use(
    use: TableUse,
    table: Table,
    parameters: Parameters,
    result: Result,
    effects: Effect[],
    locked: StoreVariable[],
  ): void {
    const found = use.isResult ? this.#foundRows(use, table, result) : null;
    if (use.act === 'insert') {
      effects.push(...insertEffects(use, table, parameters, result, found));
      return;
    }
    if (use.act === 'truncate') {
      effects.push(...(table.isWholeKnown() ? [write(table.all())] : []));
      return;
    }
    const address = table.address(use.filter, parameters);
    if (use.act === 'read') {
      effects.push(...this.#readEffects(use, table, address, result, found));
      if (use.isLocked) locked.push(...rowsOf(table, address, found));
      return;
    }
    if (result.count === 0 || (use.isReturning && found?.length === 0)) {
      // What matched no row has only looked.
      effects.push(...lookEffects(table, address, address.guards));
      return;
    }
    effects.push(
      ...(use.act === 'update'
        ? updateEffects(use, table, address, parameters, found)
        : deleteEffects(table, address, found)),
    );
    locked.push(...rowsOf(table, address, found));
  }

  #readEffects(
    use: TableUse,
    table: Table,
    address: Address,
    result: Result,
    found: readonly FoundRow[] | null,
  ): Effect[] {
    const columns = [...new Set([...this.#columnsRead(use, table, result), ...address.guards])];
    // Whoever takes what is not locked goes by what it got, and by nothing else.
    if (use.skipsLocked) return (found ?? []).flatMap(({ key }) => rowEffects(table, key, columns));
    if (address.rows !== null) return address.rows.flatMap((key) => rowEffects(table, key, columns));
    const [pairs] = address.predicates;
    if (found !== null && found.length === 1 && address.predicates.length === 1 && address.isExact)
      table.noteAlias(pairs, found[0].key);
    const isEmpty = use.isResult && result.rows.length === 0 && result.count === 0;
    if (found !== null && found.length <= MOST_ROWS) {
      // What a row was found by is known of it, as if it had been asked for.
      const known = [...new Set([...columns, ...address.predicates.flat().map(({ column }) => column)])];
      return [
        ...membership(table, address, isEmpty).map(read),
        ...found.flatMap(({ key }) => rowEffects(table, key, known)),
      ];
    }
    return isEmpty ? membership(table, address, true).map(read) : lookEffects(table, address, columns);
  }

  /** The columns of the table that a query reads, by their names there. */
  #columnsRead(use: TableUse, table: Table, result: Result): readonly string[] {
    if (use.columns !== null) return use.columns.map(({ column }) => this.#fold(column));
    const { fields } = result;
    if (use.isResult && fields !== null)
      return fields.filter((field) => this.#isOf(field, use.table)).map((field) => this.#columnOf(field));
    return table.columns ?? [];
  }

  #isOf({ table, tableId }: Field, name: string): boolean {
    if (tableId === 0) return false;
    const known = table ?? (tableId == null ? null : this.#byId.get(tableId));
    return known == null || this.#fold(known) === name;
  }

  /** Where a result is of one table, its columns are. */
  #learnIds({ uses }: Statement, { fields }: Result): void {
    const [only, ...more] = uses.filter(({ isResult }) => isResult);
    if (only === undefined || more.length > 0) return;
    for (const { tableId } of fields ?? []) if (tableId) this.#byId.set(tableId, only.table);
  }

  #columnOf({ name, column }: Field): string {
    return this.#fold(column ?? name);
  }

  /** The rows of a result, if their keys are among the columns. */
  #foundRows(use: TableUse, table: Table, { rows, fields }: Result): FoundRow[] | null {
    const { key } = table;
    if (key.length === 0 || fields === null) return null;
    const places = key.map((column) => {
      const as = use.columns?.find((each) => this.#fold(each.column) === column)?.as;
      return fields.find((field) =>
        field.column == null
          ? this.#fold(field.name) === this.#fold(as ?? column) &&
            (use.columns === null || as !== undefined) &&
            this.#isOf(field, use.table)
          : this.#fold(field.column) === column && this.#isOf(field, use.table),
      );
    });
    if (places.includes(undefined)) return null;
    return rows.map((row) => ({
      key: rowText((places as Field[]).map((field) => valueIn(row, field))),
      row,
    }));
  }

  #folded(use: TableUse): TableUse {
    const fold = this.#fold;
    if (fold('A') === 'A') return use;
    return {
      ...use,
      table: fold(use.table),
      filter: {
        equal: use.filter.equal.map(({ column, to }) => ({ column: fold(column), to })),
        others: use.filter.others.map(fold),
        isExact: use.filter.isExact,
      },
      settings: use.settings.map((setting) => ({ ...setting, column: fold(setting.column) })),
      rows: use.rows?.map((row) => row.map(({ column, to }) => ({ column: fold(column), to }))) ?? null,
      conflict: use.conflict && { ...use.conflict, columns: use.conflict.columns.map(fold) },
    };
  }

  #table(name: string): Table {
    const id = this.#fold(name);
    let table = this.#tables.get(id);
    if (table === undefined) {
      table = new Table(this.#ledger, this.#store, id);
      this.#tables.set(id, table);
    }
    return table;
  }
}

function valueIn(row: unknown, { name, index }: Field): unknown {
  if (Array.isArray(row)) return row[index];
  return typeof row === 'object' && row !== null ? (row as Record<string, unknown>)[name] : undefined;
}

function rowEffects(table: Table, key: string, columns: readonly string[]): Effect[] {
  return [read(table.row(key)), ...columns.map((column) => read(table.column(key, column)))];
}

/** That which rows there are has been asked for. `isEmpty`: there was none in the whole table. */
function membership(
  table: Table,
  { predicates, isExact, guards }: Address,
  isEmpty = false,
): StoreVariable[] {
  if (predicates.length === 0) return [isEmpty && isExact ? table.predicate([], true, []) : table.all()];
  return predicates.map((pairs) => table.predicate(pairs, isExact, guards));
}

/** A look at rows that are known by their address only. */
function lookEffects(table: Table, address: Address, columns: readonly string[]): Effect[] {
  if (address.rows !== null) return address.rows.flatMap((key) => rowEffects(table, key, columns));
  const under = address.isExact ? address.predicates : [];
  return [
    ...membership(table, address).map(read),
    ...under.flatMap((pairs) => columns.map((column) => read(table.columnOf(pairs, column)))),
  ];
}

/** A look for rows with the values that have to be unique. */
function lookFor(table: Table, columns: readonly string[], values: ReadonlyMap<string, unknown>): Effect[] {
  if (columns.length === 0 || !columns.every((column) => values.has(column))) return [];
  const isKey = columns.length === table.key.length && columns.every((column) => table.key.includes(column));
  if (isKey) return [read(table.row(rowText(table.key.map((column) => values.get(column)))))];
  const pairs = columns.map((column) => ({ column, value: values.get(column) }));
  return [read(table.predicate(pairs, true, []))];
}

function rowsOf(table: Table, address: Address, found: readonly FoundRow[] | null): StoreVariable[] {
  const keys = found?.map(({ key }) => key) ?? address.rows ?? [];
  return keys.slice(0, MOST_ROWS).map((key) => table.row(key));
}

/** What a change of the table means to those who have asked which rows there are. */
function* membershipChanges(
  table: Table,
  values: ReadonlyMap<string, unknown>,
  changed: ReadonlySet<string> | null,
  isGuarded = false,
): Generator<Effect> {
  for (const variable of table.matching(values, changed)) yield update(variable, isGuarded);
  if (table.isWholeKnown()) yield update(table.all(), isGuarded);
}

// ---- Changes ---------------------------------------------------------------------------------------------------------

function insertedRows(use: TableUse, table: Table, parameters: Parameters): Map<string, unknown>[] {
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

function insertEffects(
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
    return rows.flatMap((values) => lookFor(table, columns, values));
  }
  if (use.rows === null && table.isWholeKnown()) return [update(table.all())];
  return rows.flatMap((values, i) => {
    const key =
      found?.[i]?.key ?? keyIn(table, values) ?? (rows.length === 1 ? lastKey(table, result) : null);
    const isGuarded = conflict !== null;
    const effects = [...membershipChanges(table, values, null, isGuarded)];
    if (conflict?.action === 'update') return [...effects, ...upsertEffects(use, table, key, values)];
    return key === null ? effects : [...effects, write(table.row(key), isGuarded)];
  });
}

/** An insert that becomes an update where there is such a row. */
function upsertEffects(
  use: TableUse,
  table: Table,
  key: string | null,
  values: ReadonlyMap<string, unknown>,
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
    update(row, true),
    ...use.settings.flatMap((setting) => settingEffects(setting, column(setting.column), use, false)),
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
): Effect[] {
  // Whoever gets to see what came of it goes by that.
  const isSeen =
    use.isReturning && (use.columns === null || use.columns.some(({ column }) => column === setting.column));
  const look = isSeen ? [read(variable)] : [];
  if (isGuarded) return [update(variable, true), ...look];
  if (!setting.isStep) return [write(variable)];
  return isSeen ? [...look, write(variable)] : [update(variable)];
}

function updateEffects(
  use: TableUse,
  table: Table,
  address: Address,
  parameters: Parameters,
  found: readonly FoundRow[] | null,
): Effect[] {
  const { settings } = use;
  const changed = new Set(settings.map(({ column }) => column));
  const values = new Map(address.predicates.length === 1 ? address.predicates[0].map(pairOf) : []);
  const before = [...membershipChanges(table, values, changed)];
  for (const { column, to } of settings) {
    const known = givenValue(to, parameters);
    if (known === null) values.delete(column);
    else values.set(column, known.value);
  }
  const effects: Effect[] = [...before, ...membershipChanges(table, values, changed)];
  // A column that has to be what it was, and is changed, is a version of the row: nobody has come between.
  const isVersioned = address.fixed.some((column) => changed.has(column));
  const isGuarded = ({ column }: Setting) => isVersioned || address.guards.includes(column);
  const keys = found?.map(({ key }) => key) ?? address.rows;
  const set = (column: (name: string) => StoreVariable) => [
    ...address.guards.filter((name) => !changed.has(name)).map((name) => read(column(name))),
    ...settings.flatMap((setting) =>
      settingEffects(setting, column(setting.column), use, isGuarded(setting)),
    ),
  ];
  if (keys !== null && keys.length <= MOST_ROWS)
    for (const key of keys) effects.push(read(table.row(key)), ...set((name) => table.column(key, name)));
  else if (address.predicates.length > 0 && address.isExact)
    for (const pairs of address.predicates) effects.push(...set((name) => table.columnOf(pairs, name)));
  else if (table.isWholeKnown()) effects.push(write(table.all()));
  return effects;
}

function deleteEffects(table: Table, address: Address, found: readonly FoundRow[] | null): Effect[] {
  const values = new Map(address.predicates.length === 1 ? address.predicates[0].map(pairOf) : []);
  const keys = found?.map(({ key }) => key) ?? address.rows;
  const effects = [...membershipChanges(table, values, null)];
  if (keys !== null && keys.length <= MOST_ROWS)
    for (const key of keys) {
      const isGuarded = address.guards.length > 0;
      effects.push(isGuarded ? update(table.row(key), true) : write(table.row(key)));
    }
  else if (address.predicates.length > 0)
    for (const pairs of address.predicates)
      effects.push(write(table.predicate(pairs, address.isExact, address.guards)));
  return effects;
}

function pairOf({ column, value }: Pair): [string, unknown] {
  return [column, value];
}
