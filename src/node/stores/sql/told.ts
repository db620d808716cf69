import { type Effect, GONE, THERE, write } from '../model/variables.ts';
import { membershipChanges } from './looks.ts';
import { rowText, type Table } from './tables.ts';

/*
 * Of a database that `trackside db prepare` has prepared: what its triggers tell of each row that is changed, by messages that come
 * with the answer to the statement. docs/how-to/databases.md
 */

/** The SQLSTATE of such a message. */
export const TOLD_CODE = 'TS001';

/** A row that was changed. */
export interface ToldRow {
  readonly schema: string;
  readonly table: string;
  readonly act: 'insert' | 'update' | 'delete';
  /** What the name of the row ends with. */
  readonly key: string;
  /** What has become of columns, as far as that is short. */
  readonly changed: ReadonlyMap<string, { readonly before: unknown; readonly after: unknown }>;
  /** Grows with time; of one row, the one with the larger number is later. */
  readonly step: number;
}

const ACTS = { INSERT: 'insert', UPDATE: 'update', DELETE: 'delete' } as const;

/** Null for a message that is none of ours. */
export function toldIn(message: unknown): ToldRow | null {
  const { code, message: text } = (message ?? {}) as { code?: unknown; message?: unknown };
  if (code !== TOLD_CODE || typeof text !== 'string') return null;
  try {
    const { schema, table, op, key, changed, step } = JSON.parse(text);
    const act = ACTS[op as keyof typeof ACTS];
    if (act === undefined || !Array.isArray(key) || typeof table !== 'string') return null;
    if (typeof schema !== 'string') return null;
    const columns = Object.entries((changed ?? {}) as Record<string, [unknown, unknown]>).map(
      ([column, [before, after]]) => [column, { before, after }] as const,
    );
    return { schema, table, act, key: rowText(key), changed: new Map(columns), step: Number(step) };
  } catch {
    return null;
  }
}

/** The rows that were told of, until each has been taken for what a statement says that it does. */
export class ToldRows {
  #rows: readonly ToldRow[];

  constructor(rows: readonly ToldRow[]) {
    this.#rows = rows;
  }

  /** Those of a table that were changed so; null if nothing was told at all. */
  take(table: string, act: ToldRow['act']): ToldRow[] | null {
    const taken = this.#rows.filter((row) => namesOf(row).includes(table) && row.act === act);
    this.#rows = this.#rows.filter((row) => !taken.includes(row));
    return taken.length === 0 ? null : taken;
  }

  /** What is left: done by triggers and functions of the database. */
  rest(): readonly ToldRow[] {
    return this.#rows;
  }
}

/** How statements may call its table: with the schema, or without. */
export function namesOf({ schema, table }: ToldRow): readonly [full: string, short: string] {
  return [`${schema}.${table}`, table];
}

/** What the change of a row is, of which no statement speaks. */
export function toldEffects(table: Table, { act, key, changed, step }: ToldRow): Effect[] {
  const before = new Map([...changed].map(([column, each]) => [column, each.before]));
  const after = new Map([...changed].map(([column, each]) => [column, each.after]));
  if (act === 'insert')
    return [
      ...membershipChanges(table, after, null),
      { ...write(table.row(key)), seen: GONE, wrote: THERE, version: step },
    ];
  if (act === 'delete')
    return [
      ...membershipChanges(table, before, null),
      { ...write(table.row(key)), seen: THERE, wrote: GONE, version: step },
    ];
  const columns = new Set(changed.keys());
  return [
    ...membershipChanges(table, new Map([...table.valuesOf(key), ...before]), columns),
    ...membershipChanges(table, new Map([...table.valuesOf(key), ...after]), columns),
    ...[...changed].map(([column, each]) => ({
      ...write(table.column(key, column)),
      seen: { value: each.before },
      wrote: { value: each.after },
      version: step,
    })),
  ];
}

/** The effects of a statement on rows that were told of, with what was told. */
export function withTold(effects: readonly Effect[], rows: readonly ToldRow[]): Effect[] {
  const byRow = new Map(rows.map((row) => [`#${row.key}`, row]));
  return effects.map((effect) => {
    const { variable, act } = effect;
    const row =
      act === 'read'
        ? undefined
        : byRow.get(variable.kind === 'row' ? variable.key : (variable.within ?? ''));
    if (row === undefined) return effect;
    const column = variable.column === undefined ? undefined : row.changed.get(variable.column);
    const known =
      column === undefined ? {} : { seen: { value: column.before }, wrote: { value: column.after } };
    return { ...effect, ...known, version: row.step };
  });
}
