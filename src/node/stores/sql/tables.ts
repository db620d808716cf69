import type { Ledger } from '../model/ledger.ts';
import type { Space, StoreVariable } from '../model/variables.ts';
import { valueText } from '../model/variables.ts';
import { AbsentRows } from './absent-rows.ts';
import type { Filter, Operand, TableDefinition } from './plan.ts';

/** A column and what it has to be. */
export interface Equality {
  readonly column: string;
  readonly values: readonly unknown[];
}

/** The value of a parameter, by its number. */
export type Parameters = (number: number) => unknown;

/** Which rows of a table a statement is about. */
export interface Address {
  /** By their keys, if the statement says so. */
  readonly rows: readonly string[] | null;
  /** By the values of columns; one for each combination. */
  readonly predicates: readonly (readonly Pair[])[];
  /** Whether the statement says no more than that. */
  readonly isExact: boolean;
  /** Columns of these rows that it looks at besides. */
  readonly guards: readonly string[];
  /** Those of them that have to be equal to something. */
  readonly fixed: readonly string[];
  /** The columns that the rows are found by, unless that is the key. */
  readonly columns: readonly string[];
}

export interface Pair {
  readonly column: string;
  readonly value: unknown;
}

/** More rows than this, by their keys, are too many to tell apart. */
export const MOST_ROWS = 200;

/** Statements that change more rows than this, by other columns than the key, are not asked which those were. */
const MOST_KNOWN = 5;

/** So many predicates of a table are remembered, and so many other names of rows. */
const MOST_PREDICATES = 10_000;

/** Of those of rows without known keys, as each change goes through them. */
const MOST_NARROW = 500;

/** Of columns that are asked for more values than this, a change of an unknown one is taken for none of those. */
const MOST_LEFT = 20;

/** What is in so many rows is remembered. */
const MOST_VALUES = 1000;

/** Without a definition, a column of this name is taken for the key. */
const USUAL_KEY = ['id'];

interface RowVariables {
  readonly row: StoreVariable;
  readonly columns: Map<string, StoreVariable>;
}

/** What is known of a table, and its variables. */
export class Table {
  readonly #space: Space;
  readonly #whole: Space;
  #definition: TableDefinition | null = null;
  readonly #elsewhere: () => TableDefinition | null;
  /** Predicates that somebody has gone by: their names by the columns that they are about. */
  readonly #predicates = new Map<
    string,
    { columns: readonly string[]; names: Map<string, readonly Pair[]> }
  >();
  /** Predicates that were only part of what was asked for, with all the columns that it was about. */
  readonly #parts = new Map<string, { pairs: readonly Pair[]; others: ReadonlySet<string> }>();
  /** Those of several columns by which rows without a known key were found. */
  readonly #narrow = new Map<string, readonly Pair[]>();
  /** When predicates have changed last, by the log. */
  readonly #changedAt = new Map<string, number>();
  readonly #ledger: Ledger;
  /** What is in columns of rows, as far as it was last seen. */
  readonly #values = new Map<string, Map<string, unknown>>();
  /** The variables of rows that were used lately, as most are used again. */
  readonly #rows = new Map<string, RowVariables>();
  /** What rows hold that somebody has missed. */
  readonly absent = new AbsentRows(this);
  /** Rows that were found by other columns than the key. */
  readonly #aliases = new Map<string, { pairs: readonly Pair[]; row: string }>();

  /** `elsewhere`: what is known of a table of this name in another schema, or by another driver. */
  constructor(
    ledger: Ledger,
    store: string,
    name: string,
    elsewhere: () => TableDefinition | null = () => null,
  ) {
    this.#ledger = ledger;
    this.#elsewhere = elsewhere;
    this.#space = ledger.space(store, name);
    this.#whole = ledger.space(store, `table ${name}`);
  }

  define(definition: TableDefinition): void {
    this.#definition = definition;
  }

  get key(): readonly string[] {
    return (this.#definition ?? this.#elsewhere())?.key ?? USUAL_KEY;
  }

  /** Null if they are not known. */
  get columns(): readonly string[] | null {
    return (this.#definition ?? this.#elsewhere())?.columns ?? null;
  }

  // ---- Variables -----------------------------------------------------------------------------------------------

  row(key: string): StoreVariable {
    return this.#variablesOf(key).row;
  }

  column(key: string, column: string): StoreVariable {
    const { row, columns } = this.#variablesOf(key);
    let variable = columns.get(column);
    if (variable === undefined) {
      variable = this.#space.variable(`${row.key}.${column}`, 'column', row.key, column);
      columns.set(column, variable);
    }
    return variable;
  }

  #variablesOf(key: string): RowVariables {
    let known = this.#rows.get(key);
    if (known === undefined) {
      if (this.#rows.size >= MOST_VALUES) this.#rows.clear();
      known = { row: this.#space.variable(`#${key}`, 'row'), columns: new Map() };
      this.#rows.set(key, known);
    }
    return known;
  }

  /** A column of the rows that a predicate is true of. */
  columnOf(pairs: readonly Pair[], column: string): StoreVariable {
    const rows = predicateText(pairs);
    return this.#space.variable(`${rows}.${column}`, 'column', rows, column);
  }

  /** Rows were found by these columns, and their keys are not known. */
  noteFound(pairs: readonly Pair[]): void {
    if (pairs.length < 2) return;
    if (this.#narrow.size >= MOST_NARROW) this.#narrow.clear();
    this.#narrow.set(predicateText(pairs), pairs);
  }

  /** By what rows were found that are among those with these values: whoever changes all of those changes them. */
  *narrower(pairs: readonly Pair[]): Generator<readonly Pair[]> {
    for (const each of this.#narrow.values()) {
      const values = new Map(each.map(({ column, value }) => [column, value]));
      if (each.length > pairs.length && pairs.every(({ column, value }) => isKnown(values, column, value)))
        yield each;
    }
  }

  /** All that is in the rows that a predicate of this name is true of, for those who have found none. */
  contents(predicate: string): StoreVariable {
    return this.#space.variable(`${predicate}.*`, 'absent');
  }

  all(): StoreVariable {
    return this.#whole.variable('', 'table');
  }

  isWholeKnown(): boolean {
    return this.#whole.isKnown('');
  }

  /** Which rows there are with these values: a variable that those are compared with that come later. */
  predicate(pairs: readonly Pair[], isExact: boolean, others: readonly string[]): StoreVariable {
    if (!isExact) {
      const name = predicateText(pairs, true);
      if (this.#parts.size >= MOST_PREDICATES) this.#parts.clear();
      const known = this.#parts.get(name)?.others ?? [];
      this.#parts.set(name, { pairs, others: new Set([...known, ...others]) });
      return this.#space.variable(name, 'part');
    }
    const name = predicateText(pairs);
    const columns = pairs.map(({ column }) => column);
    const group = this.#predicates.get(columns.join()) ?? { columns, names: new Map() };
    this.#predicates.set(columns.join(), group);
    if (group.names.size >= MOST_PREDICATES) group.names.clear();
    group.names.set(name, pairs);
    return this.#space.variable(name, 'predicate');
  }

  /**
   * The predicates that somebody has gone by, and that are true of a row with these values; with `changed`, only those that
   * are about one of these columns.
   */
  *matching(
    values: ReadonlyMap<string, unknown>,
    changed: ReadonlySet<string> | null,
  ): Generator<StoreVariable> {
    for (const { columns, names } of this.#predicates.values()) {
      if (!columns.every((column) => values.has(column))) continue;
      if (changed !== null && !columns.some((column) => changed.has(column))) continue;
      const name = predicateText(columns.map((column) => ({ column, value: values.get(column) })));
      if (!names.has(name)) continue;
      this.#changedAt.set(name, this.#ledger.time);
      yield this.#space.variable(name, 'predicate');
    }
    for (const [name, { pairs, others }] of this.#parts) {
      if (!pairs.every(({ column, value }) => isMaybe(values, column, value))) continue;
      if (changed !== null && !touches(changed, pairs, others)) continue;
      yield this.#space.variable(name, 'part');
    }
  }

  /** The predicates that may have been true of a row with these values until these columns were changed. */
  *perhapsLeft(values: ReadonlyMap<string, unknown>, changed: ReadonlySet<string>): Generator<StoreVariable> {
    for (const { columns, names } of this.#predicates.values()) {
      if (names.size > MOST_LEFT || !columns.some((column) => changed.has(column) && !values.has(column)))
        continue;
      for (const [name, pairs] of names)
        if (pairs.every(({ column, value }) => isMaybe(values, column, value)))
          yield this.#space.variable(name, 'predicate');
    }
  }

  /** Whether rows with these values have come or gone since then. */
  isChangedSince(pairs: readonly Pair[], time: number): boolean {
    return (this.#changedAt.get(predicateText(pairs)) ?? -1) > time;
  }

  // ---- Addresses -----------------------------------------------------------------------------------------------

  address({ equal, others, isExact }: Filter, parameters: Parameters): Address {
    const equalities: Equality[] = [];
    let isAll = isExact;
    for (const { column, to } of equal) {
      const values = valuesOf(to, parameters);
      // A parameter that nobody has given.
      if (values === null) isAll = false;
      else equalities.push({ column, values });
    }
    const found = (rows: readonly string[] | null, used: readonly string[], isAlias = false): Address => {
      const rest = equalities.map(({ column }) => column).filter((column) => !used.includes(column));
      return {
        rows,
        predicates: rows === null ? combinations(equalities) : [],
        isExact: isAll,
        guards: rows === null ? others : [...rest, ...others],
        fixed: rows === null ? [] : rest,
        columns: rows === null ? equalities.map(({ column }) => column) : isAlias ? used : [],
      };
    };
    const { key } = this;
    const byKey = key.map((column) => equalities.find((each) => each.column === column));
    if (key.length > 0 && byKey.every((each) => each !== undefined))
      return found(
        combinations(byKey as Equality[]).map((pairs) => rowText(pairs.map(({ value }) => value))),
        key,
      );
    const alias = this.#aliasFor(equalities);
    return alias === null
      ? found(null, [])
      : found(
          [alias.row],
          alias.pairs.map(({ column }) => column),
          true,
        );
  }

  /** What is known to be in a row; to be added to. */
  valuesOf(row: string): Map<string, unknown> {
    let values = this.#values.get(row);
    if (values === undefined) {
      if (this.#values.size >= MOST_VALUES) this.#values.clear();
      values = new Map();
      this.#values.set(row, values);
    }
    return values;
  }

  /** The rows that are known to have these values; null if there are not so many of them. */
  rowsWith(pairs: readonly Pair[], count: number | null): string[] | null {
    if (count === null || count === 0 || count > MOST_KNOWN || pairs.length === 0) return null;
    const rows: string[] = [];
    for (const [row, values] of this.#values)
      if (pairs.every(({ column, value }) => isKnown(values, column, value)) && rows.push(row) > count)
        return null;
    return rows.length === count ? rows : null;
  }

  /** What was the only row with these values may be so no longer. */
  forgetAliases(isOver: (pairs: readonly Pair[], row: string) => boolean): void {
    for (const [name, { pairs, row }] of this.#aliases) if (isOver(pairs, row)) this.#aliases.delete(name);
  }

  /** One row was found by other columns than its key. */
  noteAlias(pairs: readonly Pair[], row: string): void {
    if (this.#aliases.size >= MOST_PREDICATES) this.#aliases.clear();
    this.#aliases.set(predicateText(pairs), { pairs, row });
  }

  #aliasFor(equalities: readonly Equality[]): { pairs: readonly Pair[]; row: string } | null {
    if (this.#aliases.size === 0) return null;
    const single = equalities.filter(({ values }) => values.length === 1);
    const pairs = single.map(({ column, values: [value] }) => ({ column, value }));
    const whole = this.#aliases.get(predicateText(pairs));
    if (whole !== undefined || pairs.length < 2) return whole ?? null;
    // With a condition more, such as that it has not been used yet.
    for (let i = 0; i < pairs.length; i++) {
      const alias = this.#aliases.get(predicateText([pairs[i]]));
      if (alias !== undefined) return alias;
    }
    return null;
  }
}

/** What the name of a row ends with. */
export function rowText(values: readonly unknown[]): string {
  return values.map(valueText).join();
}

function predicateText(pairs: readonly Pair[], isPart = false): string {
  const sorted = pairs
    .map(({ column, value }) => `${column}=${valueText(value)}`)
    .sort()
    .join();
  return pairs.length === 0 ? '[any row]' : `[${sorted}${isPart ? ', …' : ''}]`;
}

/** Null if one is not known. */
function valuesOf(operand: Operand, parameters: Parameters): unknown[] | null {
  if ('value' in operand) return [operand.value];
  if ('param' in operand) {
    const value = parameters(operand.param);
    return value === undefined ? null : [value];
  }
  const values: unknown[] = [];
  for (const each of operand.anyOf) {
    const found = valuesOf(each, parameters);
    if (found === null) return null;
    values.push(...found.flat());
  }
  return values;
}

export function givenValue(operand: Operand | null, parameters: Parameters): { value: unknown } | null {
  if (operand === null || 'anyOf' in operand) return null;
  const values = valuesOf(operand, parameters);
  return values === null ? null : { value: values[0] };
}

/** None if there are too many. */
function combinations(equalities: readonly Equality[]): Pair[][] {
  if (equalities.length === 0) return [];
  let found: Pair[][] = [[]];
  for (const { column, values } of equalities) {
    found = found.flatMap((pairs) => values.map((value) => [...pairs, { column, value }]));
    if (found.length > MOST_ROWS) return [];
  }
  return found;
}

function isKnown(values: ReadonlyMap<string, unknown>, column: string, value: unknown): boolean {
  return values.has(column) && valueText(values.get(column)) === valueText(value);
}

/** Whether a row with these values, as far as they are known, may have this value there. */
export function isMaybe(values: ReadonlyMap<string, unknown>, column: string, value: unknown): boolean {
  return !values.has(column) || valueText(values.get(column)) === valueText(value);
}

function touches(changed: ReadonlySet<string>, pairs: readonly Pair[], others: ReadonlySet<string>): boolean {
  return pairs.some(({ column }) => changed.has(column)) || [...others].some((column) => changed.has(column));
}
