import type { Ledger } from '../model/ledger.ts';
import type { Session } from '../model/session.ts';
import { SqlDatabase, type SqlResult } from '../sql/database.ts';
import type { Field } from '../sql/result.ts';
import { parameterNames } from '../sql/sqlite-text.ts';
import type { Parameters } from '../sql/tables.ts';
import { safely } from './adapter.ts';

/* What the synchronous drivers of SQLite have in common. */

/** A connection, and the database that it is connected to. */
export interface Connected {
  readonly database: SqlDatabase;
  readonly session: Session;
}

/** Databases by the files that they are in; those in memory have no name that others could use. */
export class SqliteDatabases {
  readonly #ledger: Ledger;
  readonly #byFile = new Map<string, SqlDatabase>();
  readonly #connected = new WeakMap<object, Connected>();

  constructor(ledger: Ledger) {
    this.#ledger = ledger;
  }

  /** `handle` is what the program calls a database: a connection. */
  of(handle: object, file: string): Connected {
    let connected = this.#connected.get(handle);
    if (connected === undefined) {
      const isShared = file !== '' && file !== ':memory:';
      const known = isShared ? this.#byFile.get(file) : undefined;
      const database = known ?? new SqlDatabase(this.#ledger, 'sqlite', isShared ? file : 'memory');
      if (isShared) this.#byFile.set(file, database);
      connected = { database, session: database.connect() };
      this.#connected.set(handle, connected);
    }
    return connected;
  }

  /** Runs a statement at once, and notes what it did. */
  run(
    { database, session }: Connected,
    text: string,
    values: readonly unknown[],
    call: () => unknown,
    resultOf: (returned: unknown) => SqlResult,
  ): unknown {
    const caller = this.#ledger.caller(text);
    let returned: unknown;
    try {
      returned = call();
    } catch (error) {
      const violated = violatedColumns(error);
      safely(() => database.failed(session, caller, text, parametersOf(text, values), { violated }));
      throw error;
    }
    safely(() => database.done(session, caller, text, parametersOf(text, values), [resultOf(returned)]));
    return returned;
  }

  /** Several statements, of which nobody says what came of them. */
  exec({ database, session }: Connected, text: string, call: () => unknown): unknown {
    const caller = this.#ledger.caller(text);
    const returned = call();
    safely(() => database.done(session, caller, text, () => undefined, []));
    return returned;
  }
}

/** `UNIQUE constraint failed: users.email, users.tenant`. */
export function violatedColumns(error: unknown): string[] | null {
  const { message } = (error ?? {}) as { message?: unknown };
  const [, columns] = /UNIQUE constraint failed: ([\w., ]+)/.exec(String(message)) ?? [];
  return columns?.split(', ').map((column) => column.replace(/^.*\./, '')) ?? null;
}

/** Values as drivers take them: one by one, as a list, or by name. */
export function parametersOf(text: string, values: readonly unknown[]): Parameters {
  const flat = values.flatMap((value) => (Array.isArray(value) ? value : [value]));
  const named = flat.find(isNamed) as Record<string, unknown> | undefined;
  const listed = flat.filter((value) => value !== named);
  if (named === undefined) return (number) => listed[number - 1];
  const names = parameterNames(text);
  let positions: number[] | null = null;
  return (number) => {
    const name = names[number - 1];
    if (name != null)
      return [name, `:${name}`, `@${name}`, `$${name}`]
        .map((key) => named[key])
        .find((value) => value !== undefined);
    // Those without a name take what is left.
    positions ??= names.flatMap((each, i) => (each === null ? [i] : []));
    return listed[positions.indexOf(number - 1)];
  };
}

function isNamed(value: unknown): boolean {
  return (
    typeof value === 'object' && value !== null && !ArrayBuffer.isView(value) && !(value instanceof Date)
  );
}

/** The columns of a prepared statement, as `columns()` says it. */
export function fieldsOf(statement: object): Field[] | null {
  try {
    const { columns } = statement as { columns?: () => { name: string; column?: string; table?: string }[] };
    if (typeof columns !== 'function') return null;
    return Reflect.apply(columns, statement, []).map(({ name, column, table }, index) => ({
      name,
      index,
      column: column ?? null,
      table: table ?? null,
    }));
  } catch {
    // It gives no rows.
    return null;
  }
}
