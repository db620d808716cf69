/** From so many on those are looked for that are over. */
const FEW_YOUNG = 64;
const MOST_YOUNG = 1024;

/** What lasts until something becomes of an object. */
interface Lasting {
  readonly isOver: boolean;
}

/**
 * What lasts until somebody waits for a promise, or calls a callback; the garbage collector tells if nobody can. To ask it about
 * each of them would make it keep them all until it looks at everything there is, so only those are asked about that are not over
 * after a while.
 */
export class Abandoned<T extends Lasting> {
  readonly #registry: FinalizationRegistry<T>;
  #young: { object: object; lasting: T }[] = [];
  /** Those that were young a while ago. */
  #grown: { object: object; lasting: T }[] = [];
  #many = FEW_YOUNG;

  constructor(abandon: (lasting: T) => void) {
    this.#registry = new FinalizationRegistry(abandon);
  }

  add(object: object, lasting: T): void {
    if (this.#young.push({ object, lasting }) < this.#many) return;
    this.#young = this.#young.filter(({ lasting }) => !lasting.isOver);
    if (this.#young.length >= MOST_YOUNG / 2) this.grow();
    this.#many = Math.max(FEW_YOUNG, 2 * this.#young.length);
  }

  /** A while has passed. */
  grow(): void {
    const grown = this.#grown;
    for (const { object, lasting } of grown) if (!lasting.isOver) this.#registry.register(object, lasting);
    grown.length = 0;
    this.#grown = this.#young;
    this.#young = grown;
  }
}
