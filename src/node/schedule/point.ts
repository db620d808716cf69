import type { Activation } from '../core/activation.ts';
import { mix } from './hashing.ts';

/** Where an activation goes on when something has happened that it waits for. */
export interface Point {
  readonly activation: Activation;
  /** Where it waits; 0 as long as that is not known. */
  site: number;
  /** The turn in which it began to wait. */
  readonly turn: number;
  /** By the seed, where the activation stands among all, and how far it is: the same whatever others do. */
  readonly choice: number;
}

interface Place {
  readonly hash: number;
  /** How many of those whom it called have a place. */
  children: number;
  /** How many choices were made for it. */
  choices: number;
}

/** Tells activations apart in a way that does not depend on the order in which they run. */
export class Places {
  readonly #seed: number;
  readonly #places = new WeakMap<Activation, Place>();
  /** For code that no activation is known for. */
  readonly #outside: Place;

  constructor(seed: number) {
    this.#seed = seed;
    this.#outside = { hash: mix(seed, 1), children: 0, choices: 0 };
  }

  /** What this activation leads to depends on the seed and on this name only, whatever was run before. */
  begin(root: Activation, name: string): void {
    let hash = mix(this.#seed, 2);
    for (let i = 0; i < name.length; i++) hash = mix(hash, name.charCodeAt(i));
    this.#places.set(root, { hash, children: 0, choices: 0 });
  }

  /** A number for the next choice that is to be made for the activation. */
  choice(activation: Activation | null): number {
    const place = this.#place(activation);
    return mix(place.hash, ++place.choices);
  }

  /** A number for the activation itself. */
  hash(activation: Activation | null): number {
    return this.#place(activation).hash;
  }

  #place(activation: Activation | null): Place {
    if (activation === null) return this.#outside;
    // Callers are few, but in a chain of calls that go on for ever there is no end of them.
    const missing: Activation[] = [];
    let known: Place | undefined;
    for (let at: Activation | null = activation; at !== null; at = at.caller) {
      known = this.#places.get(at);
      if (known !== undefined) break;
      missing.push(at);
    }
    let place = known ?? this.#outside;
    for (const at of missing.reverse()) {
      place = { hash: mix(mix(place.hash, ++place.children), at.site ^ this.#seed), children: 0, choices: 0 };
      this.#places.set(at, place);
    }
    return place;
  }
}
