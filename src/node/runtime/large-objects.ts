import type { ObjectRecord } from '../core/object-record.ts';
import type { TraceSink } from '../core/trace-sink.ts';
import { forgetReaders, isWatched } from './staleness.ts';

/** Objects with many variables, some of which may be forgotten. */
export class LargeObjects {
  readonly #objects = new Set<ObjectRecord>();
  readonly #sinks: readonly TraceSink[];

  constructor(sinks: readonly TraceSink[]) {
    this.#sinks = sinks;
  }

  add(object: ObjectRecord): void {
    this.#objects.add(object);
  }

  /** Forgets variables that nobody has to know of any more by this entry of the log. */
  forgetSettled(entry: number): void {
    for (const object of this.#objects)
      object.forgetSettled(entry, (variable) => {
        forgetReaders(variable);
        return isWatched(variable) || this.#isNeeded(variable.id);
      });
    this.#objects.clear();
  }

  #isNeeded(id: number): boolean {
    return id >= 0 && this.#sinks.some((sink) => sink.needsVariable(id));
  }
}
