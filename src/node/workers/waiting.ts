import type { Activation } from '../core/activation.ts';
import type { Recorder } from '../runtime/recorder.ts';
import { define, dressed } from '../support/patching.ts';

/**
 * Who has asked to be told of an event. What comes with it is known to those from then on, by whatever promises they wait
 * for it: of `Promise.all(workers.map((worker) => once(worker, 'exit')))` nobody else knows which events it stands for.
 */
export class Waiting {
  readonly #recorder: Recorder;
  readonly #waiting = new WeakMap<object, Set<Activation>>();

  constructor(recorder: Recorder) {
    this.#recorder = recorder;
  }

  /** Notes who calls these methods of an emitter with this event. */
  watch(prototype: object, methods: readonly string[], event: string): void {
    const waiting = this;
    for (const name of methods) {
      const original: unknown = Reflect.get(prototype, name);
      if (typeof original !== 'function') continue;
      const listening = function (this: object, ...values: unknown[]) {
        if (values[0] === event) waiting.#note(this);
        return Reflect.apply(original, this, values);
      };
      const value = dressed(listening, original);
      define(prototype, name, {
        configurable: true,
        writable: true,
        enumerable: false,
        value,
      });
    }
  }

  /** Those who have asked the emitter since. */
  take(emitter: object): Activation[] {
    const found = this.#waiting.get(emitter);
    this.#waiting.delete(emitter);
    return found === undefined ? [] : [...found];
  }

  #note(emitter: object): void {
    const { current } = this.#recorder.tasks;
    if (current === null) return;
    let found = this.#waiting.get(emitter);
    if (found === undefined) {
      found = new Set();
      this.#waiting.set(emitter, found);
    }
    found.add(current);
  }
}
