import { nativeMicrotask } from './native.ts';

interface Ready {
  readonly rank: number;
  readonly goOn: () => void;
  /** How often others were chosen. */
  passed: number;
}

/**
 * Whoever has been passed over so often is the next: somebody may wait for it without ever leaving the
 * turn.
 */
const PATIENCE = 100;

/**
 * Lets those who can go on in one turn of the event loop do so in another order. It all happens among the microtasks of
 * that turn, and so before any timer, callback of `process.nextTick` or event.
 */
export class ReadyContinuations {
  readonly #ready: Ready[] = [];
  readonly #gathered: number;
  #isChoosing = false;

  /** So many steps of the queue of microtasks it is waited for others. */
  constructor(gathered: number) {
    this.#gathered = gathered;
  }

  /** Resolves when it has been chosen. */
  wait(rank: number): Promise<void> {
    return new Promise((goOn) => {
      this.#ready.push({ rank, goOn, passed: 0 });
      if (this.#isChoosing) return;
      this.#isChoosing = true;
      afterMicrotasks(this.#gathered, this.#choose);
    });
  }

  readonly #choose = () => {
    const ready = this.#ready;
    let best = 0;
    for (let i = 1; i < ready.length && ready[best].passed < PATIENCE; i++)
      if (ready[i].rank < ready[best].rank || ready[i].passed >= PATIENCE) best = i;
    const [chosen] = ready.splice(best, 1);
    for (const other of ready) other.passed++;
    chosen.goOn();
    // It has to get to its next `await`, and who waits for that to go on.
    if (ready.length > 0) afterMicrotasks(2 * this.#gathered, this.#choose);
    else this.#isChoosing = false;
  };
}

function afterMicrotasks(count: number, run: () => void): void {
  if (count === 0) run();
  else nativeMicrotask(() => afterMicrotasks(count - 1, run));
}
