import { AT_ONCE } from '../../runtime/scheduling.ts';
import type { Caller, Ledger } from '../model/ledger.ts';
import type { Session } from '../model/session.ts';
import { SqlDatabase, type SqlResult } from '../sql/database.ts';
import { type Exports, inTurn, type Method, patches, safely, takePrototype } from './adapter.ts';
import { parametersIn, violatedIn } from './postgres-results.ts';

interface Results {
  readonly rows?: readonly unknown[];
  readonly fields?: readonly { readonly name: string }[];
  readonly affectedRows?: number;
}

interface Connected {
  readonly database: SqlDatabase;
  readonly session: Session;
}

/** `db.query`, `db.exec`, `db.transaction`: one connection, whose transactions nobody else comes into. */
export function pglite(exports: Exports, ledger: Ledger): Exports {
  const prototype = takePrototype(exports.PGlite);
  if (prototype === null) return {};
  const known = new WeakMap<object, Connected>();
  let count = 0;
  const connected = (handle: object) => {
    let found = known.get(handle);
    if (found === undefined) {
      const database = new SqlDatabase(ledger, 'postgresql', `pglite ${++count}`);
      found = { database, session: database.connect() };
      known.set(handle, found);
    }
    return found;
  };
  /** Whether a call is the program's own, and not one that the package makes for it. */
  let isInside = false;
  const inside = <T>(run: () => T): T => {
    const before = isInside;
    isInside = true;
    try {
      return run();
    } finally {
      isInside = before;
    }
  };

  const running = (original: Method, connect: (self: object) => Connected): Method =>
    function (this: unknown, ...values: unknown[]) {
      const [text, parameters] = values;
      if (isInside || typeof text !== 'string') return Reflect.apply(original, this, values);
      const { database, session } = connect(this as object);
      const caller = ledger.caller(text);
      const turn = ledger.asks(caller, session, database.mayWait(session, text));
      turn.sent();
      const result = inside(() => Reflect.apply(original, this, values)) as Promise<unknown>;
      const given = parametersIn(Array.isArray(parameters) ? parameters : undefined);
      // First of all who wait for it, so that nobody goes on before it is noted.
      result.then(
        (value) => safely(() => database.done(session, caller, text, given, resultsOf(value))),
        (error) =>
          safely(() => database.failed(session, caller, text, given, { violated: violatedIn(error) })),
      );
      if (turn === AT_ONCE) return result;
      const handed = () => inTurn(turn, result);
      return result.then(handed, handed);
    };

  const inTransaction = (original: Method): Method =>
    function (this: unknown, ...values: unknown[]) {
      const [work] = values;
      if (isInside || typeof work !== 'function') return Reflect.apply(original, this, values);
      const self = this as object;
      const caller: Caller = ledger.caller('BEGIN');
      const { session } = connected(self);
      values[0] = function (this: unknown, ...given: unknown[]) {
        safely(() => session.begin(caller, null));
        const transaction = given[0] as Record<string, unknown>;
        for (const name of ['query', 'exec']) {
          const method = transaction[name];
          if (typeof method === 'function')
            transaction[name] = running(method as Method, () => connected(self));
        }
        return ledger.inContextOf(caller, () => Reflect.apply(work, this, given));
      };
      const result = inside(() => Reflect.apply(original, this, values)) as Promise<unknown>;
      result.then(
        () => safely(() => session.commit(caller)),
        () => safely(() => session.rollback(caller)),
      );
      return result;
    };

  for (let holder: object | null = prototype; holder !== null && holder !== Object.prototype; ) {
    for (const name of ['query', 'exec'])
      patches.replace(holder, name, (original) => running(original as Method, connected));
    patches.replace(holder, 'transaction', (original) => inTransaction(original as Method));
    holder = Object.getPrototypeOf(holder);
  }
  return {};
}

function resultsOf(value: unknown): SqlResult[] {
  return (Array.isArray(value) ? (value as Results[]) : [value as Results]).map(
    ({ rows = [], fields, affectedRows }) => ({
      rows,
      fields: fields?.map(({ name }, index) => ({ name, index })) ?? null,
      count: rows.length > 0 ? rows.length : (affectedRows ?? null),
    }),
  );
}
