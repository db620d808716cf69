import type { Caller, Ledger, Sent } from '../model/ledger.ts';
import { type RowLocks, Session } from '../model/session.ts';
import { Tables } from '../sql/effects.ts';
import { Collection } from './collection.ts';
import { type Document, fieldsIn } from './documents.ts';
import { type Answer, refusedSteps, type Step, stepsOf, violatedBy } from './steps.ts';
import { commandText } from './text.ts';

/** A transaction sees all as it was at its begin, and cannot change what others have changed since. */
const ISOLATION = 'repeatable read';

/** Commands that do nothing to documents, or nothing that programs go by. */
const OTHERS: ReadonlySet<string> = new Set(
  (
    'hello ismaster ping buildInfo serverStatus endSessions startSession refreshSessions killSessions killCursors killAllSessions ' +
    'saslStart saslContinue authenticate logout getnonce create createIndexes dropIndexes listIndexes listCollections ' +
    'listDatabases collStats dbStats connectionStatus getParameter setParameter explain validate currentOp killOp ' +
    'createSearchIndexes updateSearchIndex dropSearchIndex createUser updateUser dropUser usersInfo profile whatsmyuri ' +
    'drop dropDatabase renameCollection collMod'
  )
    .toLowerCase()
    .split(' '),
);

/** A command that was given to a driver. */
export interface Command {
  readonly name: string;
  readonly collection: string;
  readonly document: Document;
  readonly caller: Caller;
  readonly session: Session;
  readonly sent: Sent | null;
}

/** A session of the driver, as far as it says whether it is in a transaction. */
export interface DriverSession {
  inTransaction?(): boolean;
  readonly transaction?: { readonly state?: string };
}

/** A cursor of which there is more to come. */
interface Cursor {
  readonly name: string;
  readonly document: Document;
}

const MOST_CURSORS = 1000;

/** Of what one command has found, so many are remembered. */
const MOST_LOOKS = 20;

/** One database of a server, over any number of connections. */
export class MongoDatabase {
  readonly #ledger: Ledger;
  readonly #tables: Tables;
  readonly #collections = new Map<string, Collection>();
  readonly #rowLocks: RowLocks = new Map();
  readonly #sessions = new WeakMap<object, Session>();
  readonly #plain: Session;
  readonly #cursors = new Map<string, Cursor>();
  /** Those that others may have to wait for. */
  readonly #busy = new Set<Session>();

  constructor(ledger: Ledger, store: string) {
    this.#ledger = ledger;
    this.#tables = new Tables(ledger, store, false);
    this.#plain = this.#connect();
  }

  #connect(): Session {
    return new Session(this.#ledger, ISOLATION, this.#rowLocks);
  }

  /** A command is about to be sent; null if it is none of the program's. */
  sending(caller: Caller, document: Document, session: DriverSession | null): Command | null {
    const name = Object.keys(document)[0] ?? '';
    if (OTHERS.has(name.toLowerCase())) return null;
    const named = name === 'getMore' ? document.collection : document[name];
    const own = this.#sessionOf(caller, name, session);
    return {
      ...{ name, document, caller, session: own },
      collection: typeof named === 'string' ? named : '',
      sent: this.#ledger.send(caller),
    };
  }

  /** Whether what is sent may have to wait for a transaction. */
  mayWait({ name, session }: Command): boolean {
    if (session.isInTransaction || this.#busy.size === 0) return false;
    return name === 'update' || name === 'delete' || name === 'insert' || name === 'findAndModify';
  }

  answered(command: Command, answer: Answer): void {
    const { name, caller, session, sent, collection } = command;
    this.#ledger.answered(sent);
    if (name === 'commitTransaction' || name === 'abortTransaction') {
      if (name === 'commitTransaction') session.commit(caller);
      else session.rollback(caller);
      this.#busy.delete(session);
      return;
    }
    const known = name === 'getMore' ? this.#cursors.get(String(command.document.getMore)) : command;
    // The rest of what nobody has understood.
    if (known === undefined || collection === '') {
      if (name !== 'getMore') this.#ledger.noteUnknown('mongodb', name);
      return;
    }
    this.#noteCursor(known, answer);
    const text = commandText(known.name, collection, known.document);
    this.#ledger.noteStatement(caller, text);
    const of = this.#collection(collection);
    const steps = stepsOf(known.name, known.document, of, answer);
    if (steps === null) this.#ledger.noteUnknown('mongodb', text);
    else this.#did(command, of, steps, answer);
  }

  failed({ name, document, caller, session, sent, collection }: Command, error: unknown): void {
    this.#ledger.answered(sent);
    if (name === 'commitTransaction') {
      session.failed(caller, []);
      session.rollback(caller);
      this.#busy.delete(session);
      return;
    }
    const violated = violatedBy(error);
    const of = this.#collection(collection);
    const steps = violated === undefined ? [] : refusedSteps(name, document, of, violated);
    session.failed(
      caller,
      steps.flatMap((step) => this.#effects(step)),
    );
  }

  #sessionOf(caller: Caller, name: string, driven: DriverSession | null): Session {
    const isEnd = name === 'commitTransaction' || name === 'abortTransaction';
    if (driven === null || !(isEnd || driven.inTransaction?.())) return this.#plain;
    let session = this.#sessions.get(driven);
    if (session === undefined) {
      session = this.#connect();
      this.#sessions.set(driven, session);
    }
    // One that was given up before anything was sent for it has no end.
    if (session.isInTransaction && driven.transaction?.state === 'STARTING_TRANSACTION')
      session.rollback(caller);
    if (!isEnd && !session.isInTransaction) session.begin(caller, ISOLATION);
    if (name === 'commitTransaction') session.ending(caller);
    if (session.isInTransaction) this.#busy.add(session);
    return session;
  }

  #collection(name: string): Collection {
    let collection = this.#collections.get(name);
    if (collection === undefined) {
      collection = new Collection(name);
      this.#collections.set(name, collection);
      this.#tables.define({ table: name, columns: [], key: ['_id'] });
    }
    return collection;
  }

  #noteCursor({ name, document }: Cursor, { reply, hasMore }: Answer): void {
    const { cursor } = reply as { cursor?: { id?: unknown } };
    if (!hasMore || cursor === undefined) return;
    if (this.#cursors.size >= MOST_CURSORS) this.#cursors.clear();
    this.#cursors.set(String(cursor.id), { name, document });
  }

  #did(
    { caller, session, sent }: Command,
    collection: Collection,
    steps: readonly Step[],
    answer: Answer,
  ): void {
    for (const step of steps) {
      const news = step.uses.flatMap((use) => [
        ...use.settings.map(({ column }) => column),
        ...(use.act === 'read' ? (step.result?.fields ?? []).map(({ name }) => name) : []),
        ...(use.rows ?? []).flatMap((row) => row.map(({ column }) => column)),
      ]);
      for (const field of news) if (collection.note(field)) this.#missed(collection, field);
      for (const { table } of step.uses) this.#collection(table);
      const effects = this.#effects(step);
      if (step.result === null) session.failed(caller, effects);
      else if (effects.length > 0) session.did(caller, { effects, locked: [], early: [] }, sent);
      this.#noteLooks(caller, collection, step, answer.areGiven);
    }
  }

  #effects({ uses, parameters, result, violated }: Step): ReturnType<Tables['effects']>['effects'] {
    for (const { table } of uses) this.#collection(table);
    const statement = { uses, defines: [], control: null, advisory: null, isUnderstood: true };
    return this.#tables.effects(statement, parameters, result, violated ?? null).effects;
  }

  /** A field that nobody knew: those who had a document without it have seen that it was not there. */
  #missed(collection: Collection, field: string): void {
    for (const { caller, document, isGiven } of collection.looks)
      this.#ledger.earlier(caller, [this.#tables.missed(collection.name, document, field, isGiven)]);
  }

  #noteLooks(caller: Caller, collection: Collection, { isWhole, result }: Step, isGiven: boolean): void {
    if (isWhole !== true) return;
    for (const row of (result?.rows ?? []).slice(0, MOST_LOOKS)) {
      const document = row as Document;
      if (!('_id' in document)) continue;
      this.#tables.noteValues(collection.name, document._id, fieldsIn(document));
      collection.noteLook({ caller, document, isGiven });
    }
  }
}
