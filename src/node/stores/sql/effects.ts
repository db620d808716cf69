import type { Ledger } from '../model/ledger.ts';
import { type Effect, GONE, read, type StoreVariable, THERE, write } from '../model/variables.ts';
import { deleteEffects, insertEffects, insertedRows, updateEffects } from './changes.ts';
import { type Definitions, definitionsOf } from './definitions.ts';
import { type FoundRow, lookEffects, lookFor, membership, rowEffects, rowsOf } from './looks.ts';
import type { Statement, TableDefinition, TableUse } from './plan.ts';
import type { Field, Result } from './result.ts';
import { type Address, givenValue, isMaybe, MOST_ROWS, type Parameters, rowText, Table } from './tables.ts';

import { namesOf, type ToldRow, type ToldRows, toldEffects, withTold } from './told.ts';

/** A row that a statement locks until the end of its transaction. */
export interface StatementEffects {
  readonly effects: readonly Effect[];
  readonly locked: readonly StoreVariable[];
}

/** What the statements of one database did to its rows. */
export class Tables {
  readonly #ledger: Ledger;
  readonly #store: string;
  readonly #tables = new Map<string, Table>();
  /** Names of tables by the numbers that results have for them. */
  readonly #byId = new Map<number, string>();
  readonly #fold: (name: string) => string;
  readonly #definitions: Definitions;

  /** `isFolded`: whether names are the same in capitals. */
  constructor(ledger: Ledger, store: string, isFolded: boolean) {
    this.#ledger = ledger;
    this.#store = store;
    this.#fold = isFolded ? (name) => name.toLowerCase() : (name) => name;
    this.#definitions = definitionsOf(ledger, isFolded);
  }

  define(definition: TableDefinition): void {
    const { table, columns, key } = definition;
    const fold = this.#fold;
    const folded = { table, columns: columns.map(fold), key: key.map(fold) };
    this.#table(table).define(folded);
    this.#definitions.note(fold(table), folded);
  }

  /** Null for a result means that the statement has failed; `violated` are then the columns that have to be unique. */
  effects(
    statement: Statement,
    parameters: Parameters,
    result: Result | null,
    violated: readonly string[] | null = null,
    told: ToldRows | null = null,
  ): StatementEffects {
    const effects: Effect[] = [];
    const locked: StoreVariable[] = [];
    if (result !== null) this.#learnIds(statement, result);
    for (const each of statement.uses) {
      const use = this.#folded(each);
      const table = this.#table(use.table);
      if (result !== null) {
        const act = use.act === 'read' || use.act === 'truncate' ? null : use.act;
        const rows = act === null ? null : (told?.take(use.table, act) ?? null);
        const own: Effect[] = [];
        this.#use(use, table, parameters, result, own, locked, rows);
        effects.push(...(rows === null ? table.absent.with(own) : withTold(own, rows)));
      } else if (violated !== null && use.act === 'insert') {
        for (const values of insertedRows(use, table, parameters))
          for (const effect of lookFor(table, violated.map(this.#fold), values))
            effects.push({ ...effect, isRefused: true, seen: THERE });
      }
    }
    return { effects, locked };
  }

  /**
   * What a statement that has changed something must have seen as it was when it was sent, since it would not have done so by what
   * others have made of it meanwhile. Only parts of it that the database does not look at again can.
   */
  early(statement: Statement, parameters: Parameters, result: Result, sentAt: number): Effect[] {
    const uses = statement.uses.map((each) => this.#folded(each));
    const main = uses.at(-1);
    if (main === undefined || main.act === 'read' || !result.count) return [];
    const table = this.#table(main.table);
    const keys =
      (main.isResult ? this.#foundRows(main, table, result, parameters) : null)?.map(({ key }) => key) ??
      (main.act === 'insert' ? [] : (table.address(main.filter, parameters).rows ?? []));
    return uses.flatMap((part) => {
      if (!part.isOnceOnly) return [];
      const of = this.#table(part.table);
      const { predicates, isExact } = of.address(part.filter, parameters);
      if (predicates.length !== 1) return [];
      const [pairs] = predicates;
      if (part.isAbsent)
        return isExact && of.isChangedSince(pairs, sentAt) ? [read(of.predicate(pairs, true, []))] : [];
      if (of !== table || main.act === 'insert') return [];
      return keys.flatMap((key) =>
        pairs
          .filter(({ column, value }) => !isMaybe(table.valuesOf(key), column, value))
          .map(({ column }) => read(table.column(key, column))),
      );
    });
  }

  #use(
    use: TableUse,
    table: Table,
    parameters: Parameters,
    result: Result,
    effects: Effect[],
    locked: StoreVariable[],
    told: readonly ToldRow[] | null,
  ): void {
    const rows = told?.map(({ key }) => ({ key, row: null })) ?? null;
    const found = (use.isResult ? this.#foundRows(use, table, result, parameters) : null) ?? rows;
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
      effects.push(...this.#readEffects(use, table, address, parameters, result, found));
      if (use.isLocked) locked.push(...rowsOf(table, address, found));
      return;
    }
    if (result.count === 0 || (use.isReturning && found?.length === 0)) {
      // What matched no row has only looked, and its own condition has been the judge of that.
      const looks = lookEffects(table, address, address.guards);
      effects.push(...looks.map((effect) => ({ ...effect, isRechecked: true })));
      return;
    }
    effects.push(
      ...(use.act === 'update'
        ? updateEffects(use, table, address, parameters, result, found)
        : deleteEffects(table, address, result, found)),
    );
    locked.push(...rowsOf(table, address, found));
  }

  #readEffects(
    use: TableUse,
    table: Table,
    address: Address,
    parameters: Parameters,
    result: Result,
    found: readonly FoundRow[] | null,
  ): Effect[] {
    const asked = this.#columnsRead(use, table, result);
    const tested = [...new Set([...address.guards, ...address.columns])];
    const columns = [...new Set([...asked, ...tested])];
    /** What was found, and the columns by which it was: those were looked at, whatever the program does with the others. */
    const rowsFound = (rows: readonly FoundRow[]) =>
      rows.flatMap(({ key, row }) =>
        rowEffects(table, key, columns).map((effect) =>
          this.#lookedAt(effect, use, tested, row, result.rows, parameters),
        ),
      );
    // Whoever takes what is not locked goes by what it got, and by nothing else.
    if (use.skipsLocked) return rowsFound(found ?? []);
    if (address.rows !== null) {
      const row = address.rows.length === 1 && use.isResult ? result.rows[0] : undefined;
      return address.rows.flatMap((key) =>
        rowEffects(table, key, columns).map((effect) =>
          this.#lookedAt(effect, use, tested, row, result.rows, parameters),
        ),
      );
    }
    const [pairs] = address.predicates;
    const isCut = isCutOff(use, parameters, result);
    if (found !== null && address.predicates.length === 1) {
      const isOnly = !isCut || use.ofDocuments !== undefined;
      if (found.length === 1 && address.isExact && isOnly) table.noteAlias(pairs, found[0].key);
      for (const { key } of found)
        for (const { column, value } of pairs) table.valuesOf(key).set(column, value);
    }
    // Whoever has locked some of them goes by those.
    if (use.isLocked && isCut && found !== null) return rowsFound(found);
    const isEmpty = use.isResult && result.rows.length === 0 && result.count === 0;
    const whole = { ...address, isExact: address.isExact && !isCut };
    const seen = isEmpty ? GONE : THERE;
    if (found !== null && found.length <= MOST_ROWS)
      return [
        ...membership(table, whole, isEmpty).map((variable) => ({ ...read(variable), seen })),
        ...rowsFound(found),
      ];
    return isEmpty
      ? membership(table, whole, true).map((variable) => ({ ...read(variable), seen }))
      : lookEffects(table, address, columns, isCut);
  }

  /** A column that the program has been given in a row: it may look at it, or not. */
  #lookedAt(
    effect: Effect,
    use: TableUse,
    tested: readonly string[],
    row: unknown,
    rows: readonly unknown[],
    parameters: Parameters,
  ): Effect {
    const { column, kind } = effect.variable;
    const isRow = typeof row === 'object' && row !== null;
    // Where there is no row, there is nothing in its columns either.
    if (!isRow) return use.isResult && rows.length === 0 ? { ...effect, seen: GONE } : effect;
    if (kind === 'row') return { ...effect, seen: THERE };
    if (column === undefined) return effect;
    // By what a document was found, that was looked at.
    if (use.ofDocuments !== undefined)
      return lookedAtField(
        effect,
        column,
        row,
        rows,
        use.ofDocuments === 'given' && !tested.includes(column),
      );
    const as = use.columns === null ? column : (this.#nameIn(use.columns, column) ?? column);
    // Computed of the column, under a name that nobody knows.
    if (as === '') return effect;
    if (!tested.includes(column)) return { ...effect, given: { row, name: as, rows } };
    if (Object.hasOwn(row, as)) return { ...effect, seen: { value: Reflect.get(row, as) } };
    // It was found because of that.
    const asked = givenValue(use.filter.equal.find((each) => each.column === column)?.to ?? null, parameters);
    return asked === null ? effect : { ...effect, seen: asked };
  }

  /** The columns of the table that a query reads, by their names there. */
  #columnsRead(use: TableUse, table: Table, result: Result): readonly string[] {
    if (use.columns !== null) return use.columns.map(({ column }) => this.#fold(column));
    const { fields } = result;
    if (use.isResult && fields !== null)
      return fields.filter((field) => this.#isOf(field, use.table)).map((field) => this.#columnOf(field));
    return table.columns ?? [];
  }

  /** The name of a column in a result. */
  #nameIn(columns: NonNullable<TableUse['columns']>, column: string): string | undefined {
    for (const each of columns) if (this.#fold(each.column) === column) return each.as;
    return undefined;
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

  /** The rows of a result, if their keys are among the columns, or have to be what the statement says. */
  #foundRows(
    use: TableUse,
    table: Table,
    { rows, fields }: Result,
    parameters: Parameters,
  ): FoundRow[] | null {
    const { key } = table;
    if (key.length === 0 || fields === null) return null;
    const places = key.map((column) => {
      const as = use.columns === null ? undefined : this.#nameIn(use.columns, column);
      return (
        fields.find((field) =>
          field.column == null
            ? this.#fold(field.name) === this.#fold(as ?? column) &&
              (use.columns === null || as !== undefined) &&
              this.#isOf(field, use.table)
            : this.#fold(field.column) === column && this.#isOf(field, use.table),
        ) ?? givenValue(use.filter.equal.find((each) => each.column === column)?.to ?? null, parameters)
      );
    });
    if (places.includes(null)) return null;
    // What the statement says alone would be the same for all rows.
    if (!places.some((place) => place !== null && 'index' in place)) return null;
    return rows.map((row) => ({
      key: rowText(
        places.map((place) => (place !== null && 'index' in place ? valueIn(row, place) : place?.value)),
      ),
      row,
    }));
  }

  /** What is in a row that somebody has seen. */
  noteValues(table: string, key: unknown, values: ReadonlyMap<string, unknown>): void {
    const known = this.#table(table).valuesOf(rowText([key]));
    for (const [column, value] of values) known.set(column, value);
  }

  /** A look at a document that has no such field. */
  missed(table: string, document: { readonly _id?: unknown }, field: string, isGiven: boolean): Effect {
    const variable = this.#table(table).column(rowText([document._id]), field);
    return lookedAtField(read(variable), field, document, [], isGiven);
  }

  /** What the database itself has done besides what statements say. */
  told(rows: readonly ToldRow[]): Effect[] {
    return rows.flatMap((row) => {
      const [full, short] = namesOf(row);
      return toldEffects(this.#table(this.#tables.has(this.#fold(full)) ? full : short), row);
    });
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
      table = new Table(this.#ledger, this.#store, id, () => this.#definitions.of(id));
      this.#tables.set(id, table);
    }
    return table;
  }
}

/** Whether there may be more rows than a query was to give. */
function isCutOff({ limit }: TableUse, parameters: Parameters, { rows }: Result): boolean {
  if (limit === null) return false;
  const most = Number(givenValue(limit, parameters)?.value);
  return !(rows.length < most);
}

/** A field of a document that the program has been given; it may be a field of a field. */
function lookedAtField(
  effect: Effect,
  path: string,
  document: object,
  rows: readonly unknown[],
  isGiven: boolean,
): Effect {
  const dot = path.indexOf('.');
  const outer = dot < 0 ? null : { row: document, name: path.slice(0, dot) };
  const inner: unknown = outer === null ? document : Reflect.get(document, outer.name);
  const name = path.slice(dot + 1);
  const isThere = typeof inner === 'object' && inner !== null && Object.hasOwn(inner, name);
  const seen = isThere ? { value: Reflect.get(inner, name) } : GONE;
  if (!isGiven) return { ...effect, seen };
  const isInner = typeof inner === 'object' && inner !== null;
  const given = isInner ? { row: inner, name } : { row: document, name: outer?.name ?? name };
  const within = isInner && outer !== null ? { outer } : {};
  return { ...effect, seen, given: { ...given, ...within, rows, isDocument: true } };
}

function valueIn(row: unknown, { name, index }: Field): unknown {
  if (Array.isArray(row)) return row[index];
  return typeof row === 'object' && row !== null ? (row as Record<string, unknown>)[name] : undefined;
}
