import type { Caller, Ledger, Sent } from '../model/ledger.ts';
import { type RowLocks, Session } from '../model/session.ts';
import { valueText } from '../model/variables.ts';
import { Tables } from './effects.ts';
import { Parser, startParser } from './parser.ts';
import type { AdvisoryLock, Control, Dialect, Isolation, Statement } from './plan.ts';
import type { Result } from './result.ts';
import { givenValue, type Parameters } from './tables.ts';
import { type ToldRow, ToldRows } from './told.ts';

/** Why a text has failed. */
export interface Failure {
  /** The columns that have to be unique, and are not, if that was it. */
  readonly violated: readonly string[] | null;
}

/** What a driver knows of the end of a transaction. */
export interface SqlResult extends Result {
  /** For `COMMIT`: whether nothing came of it. */
  readonly isRolledBack?: boolean;
}

const NO_RESULT: SqlResult = { rows: [], fields: null, count: null };

const DEFAULT_ISOLATION: Readonly<Record<Dialect, Isolation>> = {
  postgresql: 'read committed',
  sqlite: 'serializable',
};

/** What never waits for another transaction, unless it says that it wants locks. */
const PROMPT =
  /^[\s;(]*(?:select|begin|start|commit|end|rollback|abort|savepoint|release|set|show|values|with)\b/i;
const LOCKING =
  /\bfor\s+(?:update|no\s+key|share|key\s+share)\b|\badvisory|\b(?:insert|update|delete|merge)\b/i;

const parsers = new Map<Dialect, Parser>();

/** One database that is spoken to in SQL, over any number of connections. */
export class SqlDatabase {
  readonly #ledger: Ledger;
  readonly #dialect: Dialect;
  readonly #store: string;
  readonly #parser: Parser;
  readonly #tables: Tables;
  readonly #rowLocks: RowLocks = new Map();
  /** Those that others may have to wait for. */
  readonly #busy = new Set<Session>();

  constructor(ledger: Ledger, dialect: Dialect, store: string) {
    this.#ledger = ledger;
    this.#dialect = dialect;
    this.#store = store;
    const parser = parsers.get(dialect) ?? new Parser(dialect);
    parsers.set(dialect, parser);
    this.#parser = parser;
    this.#tables = new Tables(ledger, store, dialect === 'sqlite');
    startParser();
  }

  connect(): Session {
    return new Session(this.#ledger, DEFAULT_ISOLATION[this.#dialect], this.#rowLocks);
  }

  /** A text is about to be sent. */
  sending(session: Session, caller: Caller, text: string): Sent | null {
    this.ending(session, caller, text);
    return this.#ledger.send(caller);
  }

  /** The same, if it has been said already that something is sent. */
  ending(session: Session, caller: Caller, text: string): void {
    session.sending(caller, text);
    if (/^[\s;]*(?:commit|end)\b/i.test(text)) session.ending(caller);
  }

  /** Whether what is sent may have to wait for what another connection does next. */
  mayWait(session: Session | null, text: string): boolean {
    const isAlone = this.#busy.size === 1 && session !== null && this.#busy.has(session);
    if (this.#busy.size === 0 || isAlone) return false;
    return !PROMPT.test(text) || LOCKING.test(text);
  }

  #noteBusy(session: Session): void {
    if (session.isInTransaction || session.hasLocks) this.#busy.add(session);
    else this.#busy.delete(session);
  }

  /** A text has been run, and gave one result for each of its statements, as far as the driver tells. */
  done(
    session: Session,
    by: Caller,
    text: string,
    parameters: Parameters,
    results: readonly SqlResult[],
    sent: Sent | null = null,
    rows: readonly ToldRow[] = [],
  ): void {
    this.#ledger.answered(sent);
    const caller = session.senderOf(by);
    this.#ledger.noteStatement(caller, text);
    const told = rows.length === 0 ? null : new ToldRows(rows);
    const plan = this.#parser.plan(text);
    if (plan === null || plan.some(({ isUnderstood }) => !isUnderstood))
      this.#ledger.noteUnknown(this.#dialect, text);
    plan?.forEach((statement, i) => {
      this.#done(session, caller, statement, parameters, results[i] ?? NO_RESULT, sent, told);
    });
    const more = told === null ? [] : this.#tables.told(told.rest());
    if (more.length > 0) session.did(caller, { effects: more, locked: [], early: [] }, sent);
    this.#noteBusy(session);
  }

  failed(
    session: Session,
    by: Caller,
    text: string,
    parameters: Parameters,
    { violated }: Failure,
    sent: Sent | null = null,
  ): void {
    this.#ledger.answered(sent);
    const caller = session.senderOf(by);
    this.#ledger.noteStatement(caller, text);
    const plan = this.#parser.plan(text);
    if (plan === null) return;
    const [only] = plan;
    if (only?.control?.act === 'commit') {
      session.failed(caller, []);
      session.rollback(caller);
      this.#noteBusy(session);
      return;
    }
    const seen = plan.length === 1 ? this.#tables.effects(only, parameters, null, violated).effects : [];
    session.failed(caller, seen);
  }

  #done(
    session: Session,
    caller: Caller,
    statement: Statement,
    parameters: Parameters,
    result: SqlResult,
    sent: Sent | null,
    told: ToldRows | null,
  ): void {
    for (const definition of statement.defines) this.#tables.define(definition);
    if (statement.control !== null) control(session, caller, statement.control, result);
    if (statement.advisory !== null) this.#lock(session, caller, statement.advisory, parameters, result);
    const early = sent === null ? [] : this.#tables.early(statement, parameters, result, sent.place.entry);
    const { effects, locked } = this.#tables.effects(statement, parameters, result, null, told);
    if (effects.length > 0 || locked.length > 0) session.did(caller, { effects, locked, early }, sent);
  }

  #lock(
    session: Session,
    caller: Caller,
    { act, key, isForTransaction }: AdvisoryLock,
    parameters: Parameters,
    result: SqlResult,
  ): void {
    const values = key.map((operand) => valueText(givenValue(operand, parameters)?.value));
    const name = `${this.#store} lock ${values.join()}`;
    if (act === 'unlock all') session.unlock(null);
    else if (act === 'unlock') session.unlock(name);
    else if (act === 'lock' || isTrue(result.rows[0])) session.lock(caller, name, isForTransaction);
  }
}

/** Whether the only value of a row is true. */
function isTrue(row: unknown): boolean {
  const [value] = typeof row === 'object' && row !== null ? Object.values(row) : [row];
  return value === true || value === 't' || value === 1;
}

function control(session: Session, caller: Caller, done: Control, result: SqlResult): void {
  switch (done.act) {
    case 'begin':
      session.begin(caller, done.isolation);
      break;
    case 'commit':
    case 'rollback':
      if (done.act === 'rollback' || result.isRolledBack) session.rollback(caller);
      else session.commit(caller);
      if (done.chains) session.begin(caller, null);
      break;
    case 'savepoint':
      session.savepoint(done.name);
      break;
    case 'rollback to':
      session.rollbackTo(done.name);
      break;
    case 'isolation':
      session.setIsolation(done.isolation, done.isForSession);
      break;
    case 'release':
      break;
  }
}
