import { grownFloat64, grownInt32 } from '../../trace/growable.ts';
import { PairTable } from './pair-table.ts';

const KIND_BITS = 3;

/**
 * Accesses of variables, or operations on locks, told apart by object, operation and context: the period they are
 * in and the locks held. One stands for all that are alike. Accesses are numbered from 0.
 */
export class DistinctAccesses {
  readonly #numbers = new PairTable();
  /** Per object: the access that was asked for last, plus one. */
  #latest = new Int32Array(256);
  #objects = 0;
  /* Per access. */
  #count = 0;
  #object = new Int32Array(256);
  /** Context and operation. */
  #manner = new Int32Array(256);
  #firstEvent = new Float64Array(256);

  get count(): number {
    return this.#count;
  }

  /** One more than the largest object. */
  get objects(): number {
    return this.#objects;
  }

  numberOf(object: number, kind: number, context: number, event: number): number {
    const manner = (context << KIND_BITS) | kind;
    const latest = object < this.#latest.length ? this.#latest[object] - 1 : -1;
    if (latest >= 0 && this.#manner[latest] === manner) return latest;
    let access = this.#numbers.get(object, manner);
    if (access < 0) access = this.#create(object, manner, event);
    this.#latest[object] = access + 1;
    return access;
  }

  object(access: number): number {
    return this.#object[access];
  }

  kind(access: number): number {
    return this.#manner[access] & ((1 << KIND_BITS) - 1);
  }

  context(access: number): number {
    return this.#manner[access] >>> KIND_BITS;
  }

  /** The number of the first event that is such an access. */
  firstEvent(access: number): number {
    return this.#firstEvent[access];
  }

  #create(object: number, manner: number, event: number): number {
    const access = this.#count++;
    this.#object = grownInt32(this.#object, access + 1);
    this.#manner = grownInt32(this.#manner, access + 1);
    this.#firstEvent = grownFloat64(this.#firstEvent, access + 1);
    this.#object[access] = object;
    this.#manner[access] = manner;
    this.#firstEvent[access] = event;
    this.#numbers.set(object, manner, access);
    this.#latest = grownInt32(this.#latest, object + 1);
    this.#objects = Math.max(this.#objects, object + 1);
    return access;
  }
}
