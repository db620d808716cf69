import type { Ledger } from '../model/ledger.ts';
import { SqlDatabase, type SqlResult } from '../sql/database.ts';
import type { Parameters } from '../sql/tables.ts';

/* What the drivers of PostgreSQL have in common. */

/** A result as node-postgres and those that follow it give it. */
export interface PgResult {
  readonly rows?: readonly unknown[];
  readonly fields?: readonly { readonly name: string; readonly tableID?: number }[];
  readonly rowCount?: number | null;
  readonly command?: string | null;
}

const databases = new WeakMap<Ledger, Map<string, SqlDatabase>>();

/** The database at an address, whichever driver is connected to it. */
export function databaseAt(ledger: Ledger, address: string): SqlDatabase {
  const known = databases.get(ledger) ?? new Map<string, SqlDatabase>();
  databases.set(ledger, known);
  let database = known.get(address);
  if (database === undefined) {
    database = new SqlDatabase(ledger, 'postgresql', address);
    known.set(address, database);
  }
  return database;
}

export function resultOf({ rows = [], fields, rowCount, command }: PgResult): SqlResult {
  return {
    rows,
    fields: fields?.map(({ name, tableID }, index) => ({ name, index, tableId: tableID ?? null })) ?? null,
    count: rowCount ?? null,
    isRolledBack: command === 'ROLLBACK',
  };
}

export function parametersIn(values: readonly unknown[] | undefined): Parameters {
  return (number) => values?.[number - 1];
}

const UNIQUE_VIOLATION = '23505';

/** `Key (email, tenant)=(a@x, 1) already exists.` */
export function violatedIn(error: unknown): string[] | null {
  const { code, detail } = (error ?? {}) as { code?: unknown; detail?: unknown };
  if (code !== UNIQUE_VIOLATION) return null;
  const [, columns] = /^Key \(([^)]*)\)=/.exec(String(detail)) ?? [];
  return columns?.split(', ').map((column) => column.replace(/^"|"$/g, '')) ?? [];
}
