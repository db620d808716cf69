import { nativeTimeout } from './native.ts';

/** Lets operations begin one after the other, so that what is outside does them in the same order in each run. */
export class Gate {
  /** Called when the last one is over. */
  onIdle: () => void = () => {};
  /** After so many milliseconds the next operation does not wait for this one: it may wait for something that comes later. */
  readonly #patience: number;
  readonly #waiting: (() => void)[] = [];
  #inFlight = 0;

  constructor(patience: number) {
    this.#patience = patience;
  }

  /** Whether something has begun and is not over, nor has lasted too long. */
  get isBusy(): boolean {
    return this.#inFlight > 0;
  }

  /** Begins an operation when those before it are over. What it returns is nobody's if it has to wait. */
  begin(start: (done: () => void) => unknown): unknown {
    const run = () => start(this.enter());
    if (this.#inFlight === 0) return run();
    this.#waiting.push(run);
    return undefined;
  }

  /** An operation has begun without being asked whether it may; gives what is to be called at its end. */
  enter(): () => void {
    this.#inFlight++;
    let isDone = false;
    const done = () => {
      if (isDone) return;
      isDone = true;
      this.#inFlight--;
      while (this.#inFlight === 0 && this.#waiting.length > 0) this.#waiting.shift()?.();
      if (this.#inFlight === 0) this.onIdle();
    };
    nativeTimeout(done, this.#patience).unref();
    return done;
  }
}
