import { AT_ONCE } from '../../runtime/scheduling.ts';
import type { Caller, Ledger, Sent } from '../model/ledger.ts';
import type { Session } from '../model/session.ts';
import type { SqlResult } from '../sql/database.ts';
import { type Exports, patches, safely, takePrototype } from './adapter.ts';
import { databaseAt, parametersIn, violatedIn } from './postgres-results.ts';

/** A query of postgres.js is a promise, which is sent when somebody waits for it. */
interface Query {
  executed: boolean;
  /** What stands for the connection, once it has been sent. */
  readonly state: object | null;
  readonly string?: string;
  readonly strings?: readonly string[];
  readonly parameters?: readonly unknown[];
  /** What comes in parts. */
  readonly streaming?: boolean;
  readonly cursorFn?: unknown;
  readonly forEachFn?: unknown;
  /** Finds a connection for it. */
  handler: (query: Query) => unknown;
  resolve(value: unknown): unknown;
  reject(error: unknown): unknown;
}

/** A list of rows with more to it. */
interface Rows extends ReadonlyArray<unknown> {
  readonly count?: number | null;
  readonly command?: string | null;
  readonly columns?: readonly { readonly name: string; readonly table?: number }[];
}

/** `` sql`…` ``, `sql.unsafe(…)`, `sql.begin(…)`: queries of all kinds are of one class. */
export function postgresJs(exports: Exports, ledger: Ledger): Exports {
  const queries = takePrototype(exports.Query);
  if (queries === null) return {};
  const database = databaseAt(ledger, 'postgres');
  const sessions = new WeakMap<object, Session>();
  const sessionOf = (state: object) => {
    const session = sessions.get(state) ?? database.connect();
    sessions.set(state, session);
    return session;
  };

  const watch = (query: Query, caller: Caller) => {
    const { resolve, reject, handler } = query;
    const text = query.string ?? textOf(query);
    const isWhole = !(query.streaming || query.cursorFn || query.forEachFn);
    // Through which connection it goes is not decided yet.
    const turn = isWhole ? ledger.asks(caller, query, database.mayWait(null, text)) : AT_ONCE;
    let onItsWay: Sent | null = null;
    const send = (each: Query) => {
      onItsWay = ledger.send(caller);
      const sent = handler(each);
      // It has a connection at once, unless all are busy.
      if (query.state !== null) database.ending(sessionOf(query.state), caller, query.string ?? text);
      return sent;
    };
    query.handler = Object.assign((each: Query) => turn.send(() => send(each)), handler);
    const note = (run: (session: Session, text: string) => void) => {
      const { state, string } = query;
      if (state !== null && string !== undefined) safely(() => run(sessionOf(state), string));
      else ledger.answered(onItsWay);
    };
    query.resolve = (value) => {
      note((session, text) =>
        database.done(session, caller, text, parametersIn(valuesIn(query)), resultsOf(value), onItsWay),
      );
      turn.answered(() => resolve(value));
    };
    query.reject = (error) => {
      note((session, text) =>
        database.failed(
          session,
          caller,
          text,
          parametersIn(valuesIn(query)),
          { violated: violatedIn(error) },
          onItsWay,
        ),
      );
      turn.answered(() => reject(error));
    };
  };

  patches.replace(
    queries,
    'handle',
    (original) =>
      function (this: Query, ...values: unknown[]) {
        if (!this.executed) watch(this, ledger.caller(textOf(this)));
        return Reflect.apply(original, this, values);
      },
  );
  return {};
}

/** What the program gives as a text need not be one; the driver itself asks it. */
function textOf({ strings = [] }: Query): string {
  return strings.map((part: unknown) => (typeof part === 'string' ? part : '')).join('?');
}

/** Values may be wrapped together with their types. */
function valuesIn({ parameters }: Query): readonly unknown[] | undefined {
  return parameters?.map((value) =>
    typeof value === 'object' && value !== null && 'value' in value && 'type' in value ? value.value : value,
  );
}

function resultsOf(value: unknown): SqlResult[] {
  if (!Array.isArray(value)) return [];
  const isMany = value.length > 0 && value.every((each) => Array.isArray(each) && 'command' in each);
  return (isMany ? (value as Rows[]) : [value as Rows]).map((rows) => ({
    rows,
    fields: rows.columns?.map(({ name, table }, index) => ({ name, index, tableId: table ?? null })) ?? null,
    count: rows.count ?? null,
    isRolledBack: rows.command === 'ROLLBACK',
  }));
}
