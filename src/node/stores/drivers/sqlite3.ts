import path from 'node:path';
import type { AskedOfStore } from '../../runtime/scheduling.ts';
import type { Caller, Ledger, Sent } from '../model/ledger.ts';
import type { SqlResult } from '../sql/database.ts';
import type { Field } from '../sql/result.ts';
import { MOST_ROWS } from '../sql/tables.ts';
import { type Exports, type Method, patches, safely, takePrototype } from './adapter.ts';
import { type Connected, parametersOf, SqliteDatabases, violatedColumns } from './sqlite-calls.ts';

interface Handle {
  readonly filename: string;
}

interface Statement {
  readonly sql: string;
}

/** A statement that is on its way. */
interface Asked {
  readonly connected: Connected;
  readonly caller: Caller;
  readonly text: string;
  readonly values: readonly unknown[];
  readonly sent: Sent | null;
  readonly turn: AskedOfStore;
}

const UNKNOWN: SqlResult = { rows: [], fields: null, count: null };

/**
 * `db.run(…)`, `get`, `all`, `each`, `map`, `exec` and the same of prepared statements, with callbacks. All of them end up in methods
 * of statements, which do not say of which database they are.
 */
export function sqlite3(exports: Exports, ledger: Ledger): Exports {
  const { Database, Statement } = (exports.default ?? exports) as Exports;
  const handles = takePrototype(Database ?? exports.Database);
  const statements = takePrototype(Statement ?? exports.Statement);
  if (handles === null || statements === null) return {};
  const databases = new SqliteDatabases(ledger);
  const connected = (handle: Handle) =>
    databases.of(handle, /^(?::memory:|)$/.test(handle.filename ?? '') ? '' : path.resolve(handle.filename));
  const prepared = new WeakMap<object, Handle>();
  const bound = new WeakMap<object, readonly unknown[]>();
  /** The database whose method is being called, and who has called it. */
  let asking: { handle: Handle; caller: Caller } | null = null;

  const calling = (original: Method): Method =>
    function (this: unknown, ...values: unknown[]) {
      const before = asking;
      asking = { handle: this as Handle, caller: ledger.caller(String(values[0])) };
      try {
        return Reflect.apply(original, this, values);
      } finally {
        asking = before;
      }
    };
  for (const name of ['run', 'get', 'all', 'each', 'map']) patches.replace(handles, name, calling);
  patches.replace(
    handles,
    'prepare',
    (original) =>
      function (this: unknown, ...values: unknown[]) {
        const statement = Reflect.apply(original, this, values) as object;
        prepared.set(statement, this as Handle);
        const given = values.slice(1).filter((value) => typeof value !== 'function');
        if (given.length > 0) bound.set(statement, given);
        return statement;
      },
  );
  patches.replace(
    statements,
    'bind',
    (original) =>
      function (this: object, ...values: unknown[]) {
        bound.set(
          this,
          values.filter((value) => typeof value !== 'function'),
        );
        return Reflect.apply(original, this, values);
      },
  );

  const ask = (handle: Handle, caller: Caller, text: string, values: readonly unknown[]): Asked => {
    const to = connected(handle);
    const turn = ledger.asks(caller, handle, to.database.mayWait(to.session, text));
    const sent = to.database.sending(to.session, caller, text);
    return { connected: to, caller, text, values, sent, turn };
  };
  /** Notes what came of it before the program knows, and tells the program. */
  const answer = (asked: Asked, error: unknown, result: () => SqlResult, tell: () => unknown): void => {
    const { connected: to, caller, text, values, sent, turn } = asked;
    const { database, session } = to;
    safely(() => {
      const parameters = parametersOf(text, values);
      if (error)
        database.failed(session, caller, text, parameters, { violated: violatedColumns(error) }, sent);
      else database.done(session, caller, text, parameters, [result()], sent);
    });
    turn.answered(() => ledger.inContextOf(caller, tell));
  };

  /** Nobody is told when it is done, or whether it has failed. */
  const unheard = (asked: Asked): void =>
    answer(
      asked,
      null,
      () => UNKNOWN,
      () => undefined,
    );

  const running =
    (resultOf: (of: unknown, rest: readonly unknown[]) => SqlResult) =>
    (original: Method): Method =>
      function (this: unknown, ...values: unknown[]) {
        const statement = this as Statement;
        const handle = asking?.handle ?? prepared.get(statement);
        if (handle === undefined) return Reflect.apply(original, this, values);
        const callback = values.at(-1);
        const isCalledBack = typeof callback === 'function';
        const given = isCalledBack ? values.slice(0, -1) : values;
        const caller = asking?.caller ?? ledger.caller(statement.sql);
        const asked = ask(
          handle,
          caller,
          statement.sql,
          given.length > 0 ? given : (bound.get(statement) ?? []),
        );
        if (isCalledBack) {
          values[values.length - 1] = function (this: unknown, error: unknown, ...rest: unknown[]) {
            answer(
              asked,
              error,
              () => resultOf(this, rest),
              () => Reflect.apply(callback, this, [error, ...rest]),
            );
          };
          return Reflect.apply(original, this, values);
        }
        const returned = Reflect.apply(original, this, values);
        unheard(asked);
        return returned;
      };
  patches.replace(statements, 'run', running(changesIn));
  patches.replace(
    statements,
    'get',
    running((of, [row]) => rowsOf(of, row === undefined ? [] : [row])),
  );
  patches.replace(
    statements,
    'all',
    running((of, [rows]) => rowsOf(of, (rows ?? []) as unknown[])),
  );
  patches.replace(
    statements,
    'each',
    (original) =>
      function (this: unknown, ...values: unknown[]) {
        const functions = values.filter((value) => typeof value === 'function') as Method[];
        const handle = asking?.handle ?? prepared.get(this as Statement);
        const [each, complete] = functions;
        if (handle === undefined || each === undefined) return Reflect.apply(original, this, values);
        const { sql } = this as Statement;
        const caller = asking?.caller ?? ledger.caller(sql);
        const given = values.filter((value) => typeof value !== 'function');
        const asked = ask(
          handle,
          caller,
          sql,
          given.length > 0 ? given : (bound.get(this as Statement) ?? []),
        );
        const rows: unknown[] = [];
        const onRow = function (this: unknown, ...told: unknown[]) {
          if (rows.length <= MOST_ROWS) rows.push(told[1]);
          return ledger.inContextOf(caller, () => Reflect.apply(each, this, told));
        };
        const onEnd = function (this: unknown, error: unknown, ...told: unknown[]) {
          answer(
            asked,
            error,
            () => rowsOf(this, rows),
            () => complete && Reflect.apply(complete, this, [error, ...told]),
          );
        };
        return Reflect.apply(original, this, [...given, onRow, onEnd]);
      },
  );
  patches.replace(
    handles,
    'exec',
    (original) =>
      function (this: unknown, ...values: unknown[]) {
        const text = String(values[0]);
        const asked = ask(this as Handle, ledger.caller(text), text, []);
        const [, callback] = values;
        const done = function (this: unknown, ...told: unknown[]) {
          answer(
            asked,
            told[0],
            () => UNKNOWN,
            () => Reflect.apply(callback as Method, this, told),
          );
        };
        if (typeof callback === 'function') return Reflect.apply(original, this, [text, done]);
        const returned = Reflect.apply(original, this, values);
        unheard(asked);
        return returned;
      },
  );
  return {};
}

function changesIn(of: unknown): SqlResult {
  const { changes, lastID } = (of ?? {}) as { changes?: number; lastID?: number };
  return { rows: [], fields: null, count: changes ?? null, lastId: lastID };
}

/** Of several tables, the rows do not say which column is whose. */
function rowsOf(of: unknown, rows: readonly unknown[]): SqlResult {
  const { sql } = (of ?? {}) as { sql?: string };
  const [first] = rows;
  const isOfOne = typeof first === 'object' && first !== null && !/\bjoin\b/i.test(sql ?? '');
  const fields: Field[] | null = isOfOne
    ? Object.keys(first).map((name, index) => ({ name, index, column: null, table: null }))
    : null;
  return { rows, fields, count: rows.length };
}
