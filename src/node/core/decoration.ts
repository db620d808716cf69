/** What features may keep something with. */
export interface Decorated {
  /** By the slots of decorations; null as long as there are none. */
  decorations: unknown[] | null;
}

/** How many decorations there are for each kind of thing. */
const slots = { activation: 0, object: 0 };

/** As many places for them, with nothing in them: no holes, and no spare room. */
const empty: Record<keyof typeof slots, undefined[]> = { activation: [], object: [] };

/**
 * What one feature of the runtime knows of a thing of the core, kept with the thing: the core and other features know nothing
 * of it. As the tools of RoadRunner decorate its shadow state.
 */
export class Decoration<Target extends Decorated, State extends object> {
  readonly #of: keyof typeof slots;
  readonly #slot: number;
  readonly #make: () => State;

  constructor(of: keyof typeof slots, make: () => State) {
    this.#of = of;
    this.#slot = slots[of]++;
    empty[of] = new Array(slots[of]).fill(undefined);
    this.#make = make;
  }

  /** Null as long as the feature has had nothing to note. */
  of(target: Target): State | null {
    const { decorations } = target;
    return decorations === null ? null : ((decorations[this.#slot] as State | undefined) ?? null);
  }

  /** The same, to note something. */
  in(target: Target): State {
    target.decorations ??= empty[this.#of].slice();
    const known = target.decorations[this.#slot] as State | undefined;
    if (known !== undefined) return known;
    const made = this.#make();
    target.decorations[this.#slot] = made;
    return made;
  }
}
