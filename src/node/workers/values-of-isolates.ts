interface Coming {
  /** How many events of the isolate have come since the values were told. */
  events: number;
  /** How far behind that an event comes, followed by what it read or wrote; and which of these is next. */
  readonly values: readonly (number | string)[];
  next: number;
}

/**
 * What was read and written, of events that get their numbers here. An isolate tells its values before the events that they
 * are of, and counts those from there.
 */
export class ValuesOfIsolates {
  readonly #coming = new Map<number, Coming>();
  #known: (number | string)[] = [];

  begin(isolate: number, values: readonly (number | string)[]): void {
    this.#coming.set(isolate, { events: 0, values, next: 0 });
  }

  /** The value of the next event of the isolate; null if it has none. */
  next(isolate: number): string | null {
    const coming = this.#coming.get(isolate);
    if (coming === undefined) return null;
    const { values, next } = coming;
    if (values[next] !== coming.events++) return null;
    coming.next += 2;
    if (coming.next >= values.length) this.#coming.delete(isolate);
    return String(values[next + 1]);
  }

  /** Another one may get its place. */
  ended(isolate: number): void {
    this.#coming.delete(isolate);
  }

  /** The event of this number has that value. */
  add(event: number, value: string): void {
    this.#known.push(event, value);
  }

  /** Numbers of events, each followed by its value. */
  take(): readonly (number | string)[] {
    const known = this.#known;
    if (known.length > 0) this.#known = [];
    return known;
  }
}
