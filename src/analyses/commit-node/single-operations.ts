import { Op } from '../../trace/operation.ts';
import { TupleTable } from '../shared/tuple-table.ts';
import { codeOf, HELD, operandOf, opOf } from './codes.ts';
import { LockChains, NO_LOCKS } from './lock-chains.ts';

/** Operations that are units of their own, each with the locks that are held then. */
export class SingleOperations {
  /** The locks that are held, for an acquire with that one. */
  readonly chains = new LockChains();
  readonly #operations = new TupleTable(2);

  get size(): number {
    return this.#operations.size;
  }

  number(chain: number, code: number): number {
    return this.#operations.number(chain, code);
  }

  chainOf(operation: number): number {
    return this.#operations.part(operation, 0);
  }

  codeOf(operation: number): number {
    return this.#operations.part(operation, 1);
  }

  /** Its place after the locks that were held before it. */
  placeOf(operation: number): number {
    const held = this.chains.lengthOf(this.chainOf(operation));
    return opOf(this.codeOf(operation)) === Op.acquire ? held - 1 : held;
  }

  /** All of the unit: the locks held before, and the operation. */
  codesOf(operation: number): Int32Array {
    const held = this.chains.locksOf(this.chainOf(operation)).slice(0, this.placeOf(operation));
    return Int32Array.from([...held.map((lock) => codeOf(HELD, lock)), this.codeOf(operation)]);
  }
}

/** The locks that a thread holds from operation to operation. */
export class HeldChain {
  readonly #chains: LockChains;
  readonly #locks: number[] = [];
  /** The chain up to each of the locks. */
  readonly #upTo: number[] = [];

  constructor(chains: LockChains) {
    this.#chains = chains;
  }

  get chain(): number {
    return this.#upTo.at(-1) ?? NO_LOCKS;
  }

  /** The chain at an operation, after which the locks held are others if it is an acquire or release. */
  step(code: number): number {
    const before = this.chain;
    const lock = operandOf(code);
    if (opOf(code) === Op.release) this.#release(lock);
    else if (opOf(code) === HELD || opOf(code) === Op.acquire) this.#push(lock);
    return opOf(code) === Op.release ? before : this.chain;
  }

  #push(lock: number): void {
    this.#upTo.push(this.#chains.extended(this.chain, lock));
    this.#locks.push(lock);
  }

  #release(lock: number): void {
    const at = this.#locks.lastIndexOf(lock);
    const later = this.#locks.splice(at).slice(1);
    this.#upTo.length = at;
    for (const other of later) this.#push(other);
  }
}
