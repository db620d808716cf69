import { describe, expect, it } from 'vitest';
import { Lineages } from '../../../src/analyses/shared/lineages.ts';
import { Random } from '../../support/random-traces.ts';

const NODES = 12;
const PLACES = 5;

/** Nodes that change at random; whatever is said of two of them is compared with what they hold. */
class Nodes {
  readonly #lineages: Lineages;
  readonly #random: Random;
  readonly #held: (number[] | undefined)[] = [];
  known = 0;

  constructor(seed: number, contents: number) {
    this.#lineages = new Lineages(contents);
    this.#lineages.reserve(NODES + 1);
    this.#random = new Random(seed);
  }

  change(now: number): void {
    const random = this.#random;
    const node = 1 + random.below(NODES);
    const [a, b] = [1 + random.below(NODES), 1 + random.below(NODES)];
    const [ofA, ofB] = [this.#held[a], this.#held[b]];
    const own = this.#held[node];
    if (own === undefined || random.oneIn(9)) {
      this.#held[node] = new Array(PLACES).fill(0);
      this.#lineages.start(node);
    } else if (random.oneIn(3)) {
      own[random.below(PLACES)] = now;
      this.#lineages.raise(node);
    } else if (node !== a && node !== b && ofA !== undefined && ofB !== undefined) {
      this.#held[node] = ofA.map((time, place) => Math.max(time, ofB[place]));
      this.#lineages.branch(a, node);
      if (random.oneIn(2)) this.#lineages.goOn(a, b, node);
      else this.#held[node] = [...ofA];
    }
    this.#compare();
  }

  #compare(): void {
    this.#held.forEach((held, node) => {
      this.#held.forEach((other, than) => {
        if (held === undefined || other === undefined || !this.#lineages.isAfter(node, than)) return;
        if (node !== than) this.known++;
        expect(held.every((time, place) => time >= other[place])).toBe(true);
      });
    });
  }
}

describe('what nodes came from', () => {
  it('is never told of two that did not come from each other', () => {
    for (let seed = 1; seed <= 50; seed++) {
      const nodes = new Nodes(seed, 0);
      for (let now = 1; now <= 100; now++) nodes.change(now);
      expect(nodes.known).toBeGreaterThan(0);
    }
  });

  it('is forgotten, not mistaken, when the numbers of contents start anew', () => {
    for (let seed = 1; seed <= 50; seed++) {
      const nodes = new Nodes(seed, 0x7fffffff - 90);
      for (let now = 1; now <= 100; now++) nodes.change(now);
    }
  });

  it('is known of what all have been joined to, however many, that came from the same', () => {
    const lineages = new Lineages();
    lineages.reserve(64);
    const known = 1;
    lineages.start(known);
    let all = 2;
    lineages.branch(known, all);
    for (let thread = 3; thread < 60; thread += 2) {
      lineages.branch(known, thread);
      lineages.goOn(all, thread, thread + 1);
      all = thread + 1;
      expect(lineages.isAfter(all, known)).toBe(true);
    }
  });
});
