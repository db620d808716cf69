import type { AskedOfStore } from '../../runtime/scheduling.ts';
import type { Caller, Ledger, Sent } from '../model/ledger.ts';
import type { Session } from '../model/session.ts';
import type { SqlDatabase } from '../sql/database.ts';
import { type ToldRow, toldIn } from '../sql/told.ts';
import { type Exports, type Method, patches, safely, takePrototype } from './adapter.ts';
import { databaseAt, type PgResult, parametersIn, resultOf, violatedIn } from './postgres-results.ts';

interface Client {
  readonly host?: string;
  readonly port?: number;
  readonly database?: string;
  /** Under one of these names, by the version of the package. */
  readonly _queryQueue?: Query[];
  readonly queryQueue?: Query[];
  readonly _activeQuery?: Query | null;
  readonly activeQuery?: Query | null;
  /** Whether it sends what it is asked for before it has the answers to what it was asked for before. */
  readonly pipeline?: boolean;
}

interface Query {
  readonly text?: string;
  readonly name?: string;
  readonly values?: readonly unknown[];
  readonly _results?: PgResult | PgResult[];
}

/** What is known of a query that a client was given. */
interface Asked {
  readonly caller: Caller;
  readonly session: Session;
  readonly database: SqlDatabase;
  sent: Sent | null;
  readonly client: Client;
  turn: AskedOfStore | null;
}

/**
 * `client.query(…)` in all its forms. A query is an object that is submitted when the connection is free, and told when the
 * server is ready for the next one: by then it has its result, and has told nobody.
 */
export function pg(exports: Exports, ledger: Ledger): Exports {
  const clients = takePrototype(exports.Client);
  const queries = takePrototype(exports.Query);
  if (clients === null || queries === null) return {};
  const sessions = new WeakMap<object, { session: Session; database: SqlDatabase }>();
  const asked = new WeakMap<object, Asked>();
  /** What the database tells of rows, if somebody has prepared it so. */
  const told = new WeakMap<object, ToldRow[]>();
  /** For what is submitted at once. */
  let asking: Asked | null = null;

  const connected = (client: Client) => {
    let found = sessions.get(client);
    if (found === undefined) {
      const database = databaseAt(ledger, `${client.host}:${client.port}/${client.database}`);
      found = { database, session: database.connect() };
      sessions.set(client, found);
    }
    return found;
  };

  const note = (query: Query, by: Asked) => {
    if (asked.has(query) || !Object.prototype.isPrototypeOf.call(queries, query)) return;
    asked.set(query, by);
    const { caller, session, database, client } = by;
    if (typeof query.text === 'string')
      by.turn = ledger.asks(caller, client, database.mayWait(session, query.text));
  };

  patches.replace(
    clients,
    'query',
    (original) =>
      function query(this: Client, ...values: unknown[]) {
        const before = asking;
        const { session, database } = connected(this);
        const caller = assigned ?? ledger.caller(textIn(values[0]), query);
        asking = { caller, session, database, client: this, turn: null, sent: null };
        try {
          const returned = Reflect.apply(original, this, values);
          const waiting = (this._queryQueue ?? this.queryQueue)?.at(-1);
          if (waiting !== undefined) note(waiting, asking);
          return returned;
        } finally {
          asking = before;
        }
      },
  );
  patches.replace(
    queries,
    'submit',
    (original) =>
      function (this: Query, ...values: unknown[]) {
        if (asking !== null) note(this, asking);
        const known = asked.get(this);
        const send = () => {
          if (known !== undefined && typeof this.text === 'string')
            known.sent = known.database.sending(known.session, known.caller, this.text);
          return Reflect.apply(original, this, values);
        };
        // What cannot be sent fails at once.
        const isDelayed = known?.turn && !known.client.pipeline && isValid(this);
        return isDelayed ? (known.turn?.send(send) ?? null) : send();
      },
  );
  patches.replace(
    clients,
    '_handleNotice',
    (original) =>
      function (this: Client, ...values: unknown[]) {
        const row = toldIn(values[0]);
        if (row === null) return Reflect.apply(original, this, values);
        const query = '_activeQuery' in this ? this._activeQuery : this.activeQuery;
        if (query) told.set(query, [...(told.get(query) ?? []), row]);
        return undefined;
      },
  );
  const ending =
    (noteEnd: (query: Query, known: Asked, values: readonly unknown[]) => void) => (original: Method) =>
      function (this: Query, ...values: unknown[]) {
        const known = asked.get(this);
        if (known === undefined || typeof this.text !== 'string')
          return Reflect.apply(original, this, values);
        asked.delete(this);
        safely(() => noteEnd(this, known, values));
        const hand = () => ledger.inContextOf(known.caller, () => Reflect.apply(original, this, values));
        if (known.turn === null) return hand();
        known.turn.answered(hand);
        return undefined;
      };
  patches.replace(
    queries,
    'handleReadyForQuery',
    ending((query, { caller, session, database, sent }) => {
      const { text, values, _results } = query;
      const results = (Array.isArray(_results) ? _results : [_results]).flatMap((each) =>
        each ? resultOf(each) : [],
      );
      const rows = told.get(query);
      database.done(session, caller, text as string, parametersIn(values), results, sent, rows);
    }),
  );
  patches.replace(
    queries,
    'handleError',
    ending(({ text, values }, { caller, session, database, sent }, [error]) => {
      const violated = violatedIn(error);
      database.failed(session, caller, text as string, parametersIn(values), { violated }, sent);
    }),
  );
  return {};
}

function isValid({ name, values }: Query): boolean {
  return !name && (values === undefined || values === null || Array.isArray(values));
}

/** Who has asked a pool for a connection, while it is handed over: that happens when somebody else has given it back. */
let assigned: Caller | null = null;
/** Who asks a pool to find a connection for a query. */
let pooled: Caller | null = null;

function textIn(query: unknown): string {
  if (typeof query === 'string') return query;
  const { text } = (query ?? {}) as { text?: unknown };
  return typeof text === 'string' ? text : '';
}

/** `pool.query(…)`, `pool.connect((error, client) => …)`. */
export function pgPool(exports: Exports, ledger: Ledger): Exports {
  const pools = takePrototype(exports.default);
  if (pools === null) return {};
  patches.replace(
    pools,
    'query',
    (original) =>
      function query(this: unknown, ...values: unknown[]) {
        const before = pooled;
        pooled = ledger.caller(textIn(values[0]), query);
        try {
          return Reflect.apply(original, this, values);
        } finally {
          pooled = before;
        }
      },
  );
  patches.replace(
    pools,
    'connect',
    (original) =>
      function connect(this: unknown, ...values: unknown[]) {
        const [callback] = values;
        if (typeof callback !== 'function') return Reflect.apply(original, this, values);
        const isOfQuery = pooled !== null;
        const caller = pooled ?? ledger.caller('', connect);
        values[0] = function (this: unknown, ...given: unknown[]) {
          const before = assigned;
          assigned = isOfQuery ? caller : null;
          try {
            return ledger.inContextOf(caller, () => Reflect.apply(callback, this, given));
          } finally {
            assigned = before;
          }
        };
        return Reflect.apply(original, this, values);
      },
  );
  return {};
}
