import { isCalledBy, outermost } from '../../core/ancestry.ts';
import type { Place } from '../../core/place.ts';
import type { Isolation } from '../sql/plan.ts';
import type { Caller, HeldStoreLock, Ledger, Sent } from './ledger.ts';
import type { Step } from './steps.ts';
import { type Effect, type StoreVariable, write } from './variables.ts';

/** What one statement of a transaction did. */
interface Done {
  readonly caller: Caller;
  readonly effects: readonly Effect[];
  /** Where it was done, in case that its function is over when the transaction is. */
  readonly place: Place | null;
  /** When its answer came. */
  readonly at: number;
}

/** What came of a statement. */
export interface Outcome {
  readonly effects: readonly Effect[];
  /** The rows that it has locked until the end of its transaction. */
  readonly locked: readonly StoreVariable[];
  /** What it is known to have seen as it was when it was sent, though others have changed it since. */
  readonly early: readonly Effect[];
}

/** Which session has locked what of a store, by its name. */
export type RowLocks = Map<string, Session>;

class Transaction {
  readonly beginner: Caller;
  /** Who has used it last. */
  user: Caller;
  isolation: Isolation;
  /** What nobody else sees before the end. */
  pending: Done[] = [];
  readonly savepoints: { name: string; at: number }[] = [];
  readonly locks: HeldStoreLock[] = [];
  readonly rows = new Set<string>();
  /** Under REPEATABLE READ: where its reads belong, and what it has read. */
  snapshot: Place | null = null;
  snapshotStep: Step | null = null;
  readonly seen = new Set<string>();
  /** Whether a statement of it has failed. */
  hasFailed = false;
  /** Whether others use the same connection meanwhile, and so see everything at once. */
  isShared = false;
  /** Whether its end is on its way, and who has asked for that. */
  isEnding = false;
  ender: Caller | null = null;

  constructor(beginner: Caller, isolation: Isolation) {
    this.beginner = beginner;
    this.user = beginner;
    this.isolation = isolation;
  }
}

/** Those that are going on, of all databases. */
const transactions = new Set<Transaction>();

/**
 * One connection to a database with transactions: when what a statement did is there for others to see, and when what it read was
 * true. docs/explanation/databases.md has the rules.
 */
export class Session {
  readonly #ledger: Ledger;
  readonly #rowLocks: RowLocks;
  /** Of transactions that do not say which. */
  #isolation: Isolation;
  #transaction: Transaction | null = null;
  /** Who has sent what seemed to be sent by others. */
  readonly #senders = new WeakMap<Caller, Caller>();
  readonly #locks = new Map<string, HeldStoreLock>();

  constructor(ledger: Ledger, isolation: Isolation, rowLocks: RowLocks) {
    this.#ledger = ledger;
    this.#isolation = isolation;
    this.#rowLocks = rowLocks;
  }

  /**
   * A statement is about to be sent. A library that collects what is asked for in a tick sends all of it for the first who asked: what
   * goes to the transaction of somebody else then, while that one has another, is for the one who used this transaction last.
   */
  sending(caller: Caller, text: string): void {
    const transaction = this.#transaction;
    if (transaction === null || caller.isDirect || caller.activation === null) return;
    if (!isStranger(caller, transaction.beginner)) {
      if (!caller.activation.isOver) transaction.user = caller;
      return;
    }
    for (const { beginner } of transactions)
      if (beginner !== transaction.beginner && !isStranger(caller, beginner)) {
        this.#senders.set(caller, this.#ledger.sentFor(caller, transaction.user, text));
        return;
      }
  }

  /** Who has sent it. */
  senderOf(caller: Caller): Caller {
    return this.#senders.get(caller) ?? caller;
  }

  get isInTransaction(): boolean {
    return this.#transaction !== null;
  }

  /** Whether it has locks that outlast its transactions. */
  get hasLocks(): boolean {
    return this.#locks.size > 0;
  }

  /** A statement is over. */
  did(caller: Caller, { effects: all, locked, early }: Outcome, sent: Sent | null): void {
    const effects = all.some(({ act }) => act !== 'read') ? all.map(asPart) : all;
    for (const row of locked) this.#overtake(nameOf(row));
    const transaction = this.#transaction;
    if (transaction?.isolation !== 'repeatable read' && transaction?.isolation !== 'serializable')
      if (sent !== null && early.length > 0) this.#ledger.at(sent.place, caller, early.map(asPart));
    if (transaction === null) {
      this.#ledger.now(caller, effects);
      return;
    }
    for (const row of locked) {
      const name = nameOf(row);
      transaction.rows.add(name);
      this.#rowLocks.set(name, this);
    }
    if (!transaction.isShared && isStranger(caller, transaction.beginner)) this.#share(transaction);
    if (transaction.isShared) {
      this.#ledger.now(caller, effects);
      transaction.pending.push({ caller, effects, place: null, at: this.#ledger.time });
      return;
    }
    if (transaction.isolation === 'serializable') {
      transaction.pending.push({ caller, effects, place: null, at: this.#ledger.time });
      return;
    }
    const own = new Set(
      transaction.pending.flatMap((done) => done.effects.map(({ variable }) => nameOf(variable))),
    );
    const reads = effects.filter(({ act, variable }) => act === 'read' && !own.has(nameOf(variable)));
    let changes = effects.filter(({ act }) => act !== 'read');
    if (transaction.isolation === 'repeatable read') {
      // All that it reads is as it was at its first statement; a row that has changed since then it cannot change.
      transaction.snapshot ??= this.#ledger.place(caller);
      transaction.snapshotStep ??= this.#ledger.step(caller);
      this.#ledger.at(transaction.snapshot, caller, reads, transaction.snapshotStep);
      for (const { variable } of reads) transaction.seen.add(nameOf(variable));
      changes = changes.map((effect) => validated(effect, transaction.seen));
    } else {
      this.#ledger.now(caller, reads);
    }
    if (changes.length > 0)
      transaction.pending.push({
        caller,
        effects: changes,
        place: this.#ledger.place(caller),
        at: this.#ledger.time,
      });
  }

  /** A statement has failed: nothing came of it but what it has seen. */
  failed(caller: Caller, seen: readonly Effect[]): void {
    if (this.#transaction !== null) this.#transaction.hasFailed = true;
    this.#ledger.now(caller, seen);
  }

  setIsolation(isolation: Isolation, isForSession: boolean): void {
    if (isForSession) this.#isolation = isolation;
    else if (this.#transaction !== null) this.#transaction.isolation = isolation;
  }

  begin(caller: Caller, isolation: Isolation | null): void {
    this.#transaction ??= new Transaction(caller, isolation ?? this.#isolation);
    transactions.add(this.#transaction);
  }

  /** The end of the transaction has been sent: it may have happened by the time when others see what it leads to. */
  ending(by: Caller): void {
    if (this.#transaction === null) return;
    this.#transaction.isEnding = true;
    this.#transaction.ender = by;
  }

  /** `by`: who has asked for it, which may be the one who goes on when the function that made the changes is over. */
  commit(by: Caller | null): void {
    const transaction = this.#end();
    if (transaction === null) return;
    if (!transaction.isShared) {
      const step = this.#ledger.step(by ?? transaction.beginner);
      for (const { caller, effects, place, at } of transaction.pending) {
        const committer = onBehalf(caller, by);
        const span = {
          sent: by?.sentAt ?? caller.sentAt,
          lockSent: caller.sentAt,
          locked: at,
          connection: caller.connection,
        };
        if (committer.activation?.isOver === false) this.#ledger.now(committer, effects, step, span);
        else this.#ledger.at(place, caller, effects, step);
      }
    }
    release(transaction);
  }

  rollback(caller: Caller): void {
    const transaction = this.#end();
    if (transaction === null) return;
    if (transaction.isShared) {
      // Others have seen it, and now it is as it was before.
      this.#ledger.now(
        caller,
        changesIn(transaction.pending).map(({ variable }) => write(variable)),
      );
    } else if (transaction.isolation === 'repeatable read') {
      // Whoever tries again has seen nothing.
      if (transaction.hasFailed && transaction.snapshot !== null) transaction.snapshot.accesses = [];
    } else if (transaction.isolation === 'serializable' && !transaction.hasFailed) {
      for (const done of transaction.pending)
        this.#ledger.now(
          done.caller,
          done.effects.filter(({ act }) => act === 'read'),
        );
    }
    release(transaction);
  }

  savepoint(name: string): void {
    const transaction = this.#transaction;
    transaction?.savepoints.push({ name, at: transaction.pending.length });
  }

  /** What was done since then has not happened. */
  rollbackTo(name: string): void {
    const transaction = this.#transaction;
    const savepoint = transaction?.savepoints.findLast((each) => each.name === name);
    if (transaction === null || savepoint === undefined) return;
    transaction.pending.length = Math.min(transaction.pending.length, savepoint.at);
    transaction.hasFailed = false;
  }

  /** A lock of the store that is none of a row. It lasts as long as the transaction, or until it is released. */
  lock(caller: Caller, name: string, isForTransaction: boolean): void {
    this.#overtake(name);
    const held = this.#ledger.acquire(caller, name);
    if (isForTransaction && this.#transaction !== null) {
      this.#transaction.locks.push(held);
      this.#transaction.rows.add(name);
      this.#rowLocks.set(name, this);
    } else if (!isForTransaction) {
      this.#locks.set(name, held);
    }
  }

  /** Null for all of them. */
  unlock(name: string | null): void {
    for (const [each, lock] of this.#locks) {
      if (name !== null && name !== each) continue;
      lock.release();
      this.#locks.delete(each);
    }
  }

  /** This session has locked what another one had locked: so the end of that one's transaction has happened. */
  #overtake(name: string): void {
    const holder = this.#rowLocks.get(name);
    if (holder !== undefined && holder !== this && holder.#transaction?.isEnding)
      holder.commit(holder.#transaction.ender);
  }

  #share(transaction: Transaction): void {
    transaction.isShared = true;
    for (const { caller, effects } of transaction.pending) this.#ledger.now(caller, effects);
  }

  #end(): Transaction | null {
    const transaction = this.#transaction;
    this.#transaction = null;
    if (transaction !== null) transactions.delete(transaction);
    for (const row of transaction?.rows ?? [])
      if (this.#rowLocks.get(row) === this) this.#rowLocks.delete(row);
    return transaction;
  }
}

/** The database itself makes sure that nobody has changed the row since it was read. */
function validated(effect: Effect, seen: ReadonlySet<string>): Effect {
  const { kind } = effect.variable;
  const isRow = kind === 'row' || kind === 'column';
  return isRow && seen.has(nameOf(effect.variable)) ? { ...effect, isGuarded: true } : effect;
}

/** What a statement that writes has looked at itself. */
function asPart(effect: Effect): Effect {
  return effect.act === 'read' ? { ...effect, isPart: true } : effect;
}

function onBehalf(caller: Caller, by: Caller | null): Caller {
  if (by === null || caller.activation?.isOver === false) return caller;
  return by.activation === null || by.activation.isOver ? caller : { ...by, site: caller.site };
}

function release({ locks }: Transaction): void {
  for (const lock of locks) lock.release();
}

function changesIn(pending: readonly Done[]): Effect[] {
  return pending.flatMap(({ effects }) => effects.filter(({ act }) => act !== 'read'));
}

function nameOf({ record, key }: StoreVariable): string {
  return `${record.name}${key}`;
}

/** Whether somebody has come to the connection who has nothing to do with the transaction that is going on there. */
function isStranger({ activation }: Caller, beginner: Caller): boolean {
  const owner = beginner.activation;
  if (activation === null || owner === null || activation.task === owner.task) return false;
  return !isCalledBy(activation, outermost(owner));
}
