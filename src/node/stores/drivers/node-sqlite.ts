import path from 'node:path';
import type { Ledger } from '../model/ledger.ts';
import type { SqlResult } from '../sql/database.ts';
import type { Field } from '../sql/result.ts';
import { type Exports, type Method, patches, takePrototype } from './adapter.ts';
import { fieldsOf, SqliteDatabases } from './sqlite-calls.ts';

interface Statement {
  readonly sourceSQL: string;
}

/** Node's own `DatabaseSync`. */
export function nodeSqlite(exports: Exports, ledger: Ledger): Exports {
  const handles = takePrototype(exports.DatabaseSync);
  const statements = takePrototype(exports.StatementSync);
  if (handles === null || statements === null) return {};
  const databases = new SqliteDatabases(ledger);
  const preparedIn = new WeakMap<object, object>();
  const connected = (handle: object) => databases.of(handle, fileOf(handle));
  const running = (original: Method, resultOf: (statement: object, returned: unknown) => SqlResult): Method =>
    function (this: unknown, ...values: unknown[]) {
      const handle = preparedIn.get(this as object);
      const call = () => Reflect.apply(original, this, values);
      if (handle === undefined) return call();
      const { sourceSQL } = this as Statement;
      return databases.run(connected(handle), sourceSQL, values, call, (returned) =>
        resultOf(this as object, returned),
      );
    };
  patches.replace(
    handles,
    'prepare',
    (original) =>
      function (this: object, ...values: unknown[]) {
        const statement = Reflect.apply(original, this, values) as object;
        preparedIn.set(statement, this);
        return statement;
      },
  );
  patches.replace(
    handles,
    'exec',
    (original) =>
      function (this: object, ...values: unknown[]) {
        return databases.exec(connected(this), String(values[0]), () =>
          Reflect.apply(original, this, values),
        );
      },
  );
  patches.replace(statements, 'run', (original) => running(original as Method, (_, done) => changesIn(done)));
  patches.replace(statements, 'get', (original) =>
    running(original as Method, (of, row) => rowsOf(of, row === undefined ? [] : [row])),
  );
  patches.replace(statements, 'all', (original) =>
    running(original as Method, (of, rows) => rowsOf(of, rows as unknown[])),
  );
  patches.replace(statements, 'iterate', (original) =>
    running(original as Method, () => ({ rows: [], fields: null, count: null })),
  );
  return {};
}

function fileOf(handle: object): string {
  const { location } = handle as { location?: () => string | null };
  try {
    const file = typeof location === 'function' ? Reflect.apply(location, handle, []) : null;
    return file ? path.resolve(file) : '';
  } catch {
    return '';
  }
}

function changesIn(returned: unknown): SqlResult {
  const { changes, lastInsertRowid } = returned as { changes: number | bigint; lastInsertRowid: unknown };
  return { rows: [], fields: null, count: Number(changes), lastId: lastInsertRowid };
}

/** Older versions do not tell the columns; then the names are those of the rows. */
function rowsOf(statement: object, rows: readonly unknown[]): SqlResult {
  const [first] = rows;
  const names = typeof first === 'object' && first !== null ? Object.keys(first) : [];
  const fields: Field[] = fieldsOf(statement) ?? names.map((name, index) => ({ name, index }));
  return { rows, fields, count: rows.length };
}
