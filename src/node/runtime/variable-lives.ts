import { type VariableRecord, Variables } from '../core/variable.ts';

/**
 * So many variables are asked about together. The garbage collector keeps what it is asked about until it looks at everything, and most
 * variables are gone long before; so it is asked about something that a few have in common. If one of them stays, so do the numbers of
 * these few.
 */
const TOGETHER = 8;

/** Tells when variables that have numbers are gone. */
export class VariableLives {
  readonly #registry: FinalizationRegistry<readonly number[]>;
  /** Those that are being filled: of what one task has touched, and of what several have, which mostly stays longer. */
  readonly #own = new Together();
  readonly #shared = new Together();

  constructor(areGone: (ids: readonly number[]) => void) {
    this.#registry = new FinalizationRegistry(areGone);
  }

  /** The variable has got its number. */
  follow(variable: VariableRecord): void {
    const together = variable.isShared ? this.#shared : this.#own;
    if (together.variables === null) {
      together.variables = new Variables();
      together.ids = [];
      this.#registry.register(together.variables, together.ids);
    }
    variable.numberedWith = together.variables;
    if (together.ids.push(variable.id) === TOGETHER) together.variables = null;
  }
}

class Together {
  variables: Variables | null = null;
  /** Theirs. */
  ids: number[] = [];
}
