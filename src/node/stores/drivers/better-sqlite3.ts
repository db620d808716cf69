import path from 'node:path';
import type { Ledger } from '../model/ledger.ts';
import type { SqlResult } from '../sql/database.ts';
import type { Field } from '../sql/result.ts';
import { type Exports, type Method, patches, takePrototype } from './adapter.ts';
import { fieldsOf, SqliteDatabases } from './sqlite-calls.ts';

interface Statement {
  readonly source: string;
  readonly database: Handle;
}

interface Handle {
  readonly name: string;
  readonly memory: boolean;
}

/** `db.prepare(…).get(…)`, `.all`, `.run`, `.iterate`, `db.exec`, `db.transaction`, whose statements are run in the same way. */
export function betterSqlite3(exports: Exports, ledger: Ledger): Exports {
  const prototype = takePrototype(exports.default);
  if (prototype === null) return {};
  const databases = new SqliteDatabases(ledger);
  const connected = (handle: Handle) => databases.of(handle, handle.memory ? '' : path.resolve(handle.name));
  const bound = new WeakMap<object, readonly unknown[]>();
  const fields = new WeakMap<object, Field[] | null>();
  const fieldsIn = (statement: object) => {
    if (!fields.has(statement)) fields.set(statement, fieldsOf(statement));
    return fields.get(statement) ?? null;
  };

  const running = (original: Method, resultOf: (statement: object, returned: unknown) => SqlResult): Method =>
    function (this: unknown, ...values: unknown[]) {
      const statement = this as Statement;
      const given = bound.get(statement) ?? values;
      return databases.run(
        connected(statement.database),
        statement.source,
        given,
        () => Reflect.apply(original, this, values),
        (returned) => resultOf(statement, returned),
      );
    };

  let isPatched = false;
  /** The class of statements is nowhere but in its objects. */
  const patchStatements = (statement: object): void => {
    isPatched = true;
    const statements = Object.getPrototypeOf(statement) as object;
    patches.replace(statements, 'run', (original) => running(original, (_, returned) => changesIn(returned)));
    patches.replace(statements, 'get', (original) =>
      running(original, (of, row) => rowsOf(row === undefined ? [] : [row], fieldsIn(of))),
    );
    patches.replace(statements, 'all', (original) =>
      running(original, (of, rows) => rowsOf(rows as unknown[], fieldsIn(of))),
    );
    patches.replace(statements, 'iterate', (original) =>
      running(original, () => ({ rows: [], fields: null, count: null })),
    );
    patches.replace(
      statements,
      'bind',
      (original) =>
        function (this: object, ...values: unknown[]) {
          const returned = Reflect.apply(original, this, values);
          bound.set(this, values);
          return returned;
        },
    );
  };
  patches.replace(
    prototype,
    'prepare',
    (original) =>
      function (this: unknown, ...values: unknown[]) {
        const statement = Reflect.apply(original, this, values) as object;
        if (!isPatched) patchStatements(statement);
        return statement;
      },
  );
  patches.replace(
    prototype,
    'exec',
    (original) =>
      function (this: Handle, ...values: unknown[]) {
        return databases.exec(connected(this), String(values[0]), () =>
          Reflect.apply(original, this, values),
        );
      },
  );
  return {};
}

function changesIn(returned: unknown): SqlResult {
  const { changes, lastInsertRowid } = returned as { changes: number; lastInsertRowid: unknown };
  return { rows: [], fields: null, count: Number(changes), lastId: lastInsertRowid };
}

/** Where one value is asked for, that is the row. */
function rowsOf(rows: readonly unknown[], fields: Field[] | null): SqlResult {
  const lists = rows.map((row) => (typeof row === 'object' && row !== null ? row : [row]));
  return { rows: lists, fields, count: rows.length };
}
