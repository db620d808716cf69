/** What features may keep something with. */
export interface Decorated {
  /** By the slots of decorations; null as long as there are none. */
  decorations: unknown[] | null;
}

let slots = 0;

/**
 * What one feature of the runtime knows of a thing of the core, kept with the thing: the core and other features know nothing
 * of it. As the tools of RoadRunner decorate its shadow state.
 */
export class Decoration<Target extends Decorated, State extends object> {
  readonly #slot = slots++;
  readonly #make: () => State;

  constructor(make: () => State) {
    this.#make = make;
  }

  /** Null as long as the feature has had nothing to note. */
  of(target: Target): State | null {
    const { decorations } = target;
    return decorations === null ? null : ((decorations[this.#slot] as State | undefined) ?? null);
  }

  /** The same, to note something. */
  in(target: Target): State {
    target.decorations ??= [];
    const { decorations } = target;
    // No holes: whoever looks at a slot finds something in it.
    while (decorations.length <= this.#slot) decorations.push(undefined);
    const known = decorations[this.#slot] as State | undefined;
    if (known !== undefined) return known;
    const made = this.#make();
    decorations[this.#slot] = made;
    return made;
  }
}
