import { isCalledBy, outermost } from '../../core/ancestry.ts';
import type { Isolation } from '../sql/plan.ts';
import type { Caller, HeldStoreLock, Ledger } from './ledger.ts';
import { type Effect, type StoreVariable, write } from './variables.ts';

/** What one statement of a transaction did. */
interface Done {
  readonly caller: Caller;
  readonly effects: readonly Effect[];
}

/** Which session has locked what of a store, by its name. */
export type RowLocks = Map<string, Session>;

class Transaction {
  readonly beginner: Caller;
  isolation: Isolation;
  /** What nobody else sees before the end. */
  pending: Done[] = [];
  readonly savepoints: { name: string; at: number }[] = [];
  readonly locks: HeldStoreLock[] = [];
  readonly rows = new Set<string>();
  /** Whether a statement of it has failed. */
  hasFailed = false;
  /** Whether others use the same connection meanwhile, and so see everything at once. */
  isShared = false;
  /** Whether its end is on its way. */
  isEnding = false;

  constructor(beginner: Caller, isolation: Isolation) {
    this.beginner = beginner;
    this.isolation = isolation;
  }
}

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
  readonly #locks = new Map<string, HeldStoreLock>();

  constructor(ledger: Ledger, isolation: Isolation, rowLocks: RowLocks) {
    this.#ledger = ledger;
    this.#isolation = isolation;
    this.#rowLocks = rowLocks;
  }

  get isInTransaction(): boolean {
    return this.#transaction !== null;
  }

  /** Whether it has locks that outlast its transactions. */
  get hasLocks(): boolean {
    return this.#locks.size > 0;
  }

  /** A statement is over; it has locked these rows until the end of its transaction. */
  did(caller: Caller, effects: readonly Effect[], locked: readonly StoreVariable[]): void {
    for (const row of locked) this.#overtake(nameOf(row));
    const transaction = this.#transaction;
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
      transaction.pending.push({ caller, effects });
      return;
    }
    if (transaction.isolation === 'serializable') {
      transaction.pending.push({ caller, effects });
      return;
    }
    const own = new Set(
      transaction.pending.flatMap((done) => done.effects.map(({ variable }) => nameOf(variable))),
    );
    const reads = effects.filter(({ act, variable }) => act === 'read' && !own.has(nameOf(variable)));
    this.#ledger.now(caller, reads);
    const changes = effects.filter(({ act }) => act !== 'read');
    if (changes.length > 0) transaction.pending.push({ caller, effects: changes });
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
  }

  /** The end of the transaction has been sent: it may have happened by the time when others see what it leads to. */
  ending(): void {
    if (this.#transaction !== null) this.#transaction.isEnding = true;
  }

  commit(): void {
    const transaction = this.#end();
    if (transaction === null) return;
    if (!transaction.isShared)
      for (const { caller, effects } of transaction.pending) this.#ledger.now(caller, effects);
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
    if (holder !== undefined && holder !== this && holder.#transaction?.isEnding) holder.commit();
  }

  #share(transaction: Transaction): void {
    transaction.isShared = true;
    for (const { caller, effects } of transaction.pending) this.#ledger.now(caller, effects);
  }

  #end(): Transaction | null {
    const transaction = this.#transaction;
    this.#transaction = null;
    for (const row of transaction?.rows ?? [])
      if (this.#rowLocks.get(row) === this) this.#rowLocks.delete(row);
    return transaction;
  }
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
