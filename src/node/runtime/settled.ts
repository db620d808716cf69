/** The value of a promise, so that nobody looks into it for a `then` once more. */
export class Settled {
  readonly value: unknown;

  constructor(value: unknown) {
    this.value = value;
  }
}

/** What an `await` has given, of a promise that came from `SchedulingPoints`, or of any other. */
export function settledValue(value: unknown): unknown {
  return value instanceof Settled ? value.value : value;
}
