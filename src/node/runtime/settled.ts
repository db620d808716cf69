import { types } from 'node:util';

/** Schedules are loaded as a bundle of their own, with a class of their own. */
const BRAND = Symbol.for('trackside.settled');

/** The value of a promise, so that nobody looks into it for a `then` once more. */
export class Settled {
  readonly value: unknown;

  constructor(value: unknown) {
    this.value = value;
  }

  get [BRAND](): boolean {
    return true;
  }
}

/** What an `await` has given, of a promise that came from `SchedulingPoints`, or of any other. */
export function settledValue(value: unknown): unknown {
  if (value instanceof Settled) return value.value;
  // Not a question that a program's object could answer, nor a proxy hear of.
  if (typeof value !== 'object' || value === null || types.isProxy(value)) return value;
  const prototype: object | null = Object.getPrototypeOf(value);
  return prototype !== null && Object.hasOwn(prototype, BRAND) ? (value as Settled).value : value;
}
