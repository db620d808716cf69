import { describe, expect, it } from 'vitest';
import { ClockTrees } from '../../../src/analyses/shared/clock-trees.ts';
import { Random } from '../../support/random-traces.ts';

/** A clock, and the times that it should have. */
interface Clock {
  tree: number;
  times: Map<number, number>;
}

/** Some clocks, changed at random; after every change the tree that it gave is compared with plain maps. */
class Clocks {
  readonly trees = new ClockTrees();
  readonly #random: Random;
  readonly #slots: number;
  readonly #clocks: Clock[] = Array.from({ length: 6 }, () => ({ tree: 0, times: new Map() }));
  #now = 0;

  constructor(seed: number, slots: number) {
    this.#random = new Random(seed);
    this.#slots = slots;
  }

  change(): void {
    const clock = this.#any();
    const other = this.#any();
    const choice = this.#random.below(9);
    if (choice < 3) {
      const tree = this.trees.joined(clock.tree, other.tree);
      this.trees.drop(clock.tree);
      clock.tree = tree;
      for (const [slot, time] of other.times)
        clock.times.set(slot, Math.max(time, clock.times.get(slot) ?? 0));
    } else if (choice < 5) {
      const tree = this.trees.keep(other.tree);
      this.trees.drop(clock.tree);
      clock.tree = tree;
      clock.times = new Map(other.times);
    } else {
      const slot = this.#random.oneIn(2) ? this.#random.below(4) : this.#random.below(this.#slots);
      clock.tree = this.trees.with(clock.tree, slot, ++this.#now);
      clock.times.set(slot, this.#now);
    }
    this.#compare(clock, other);
  }

  dropAll(): void {
    for (const { tree } of this.#clocks) this.trees.drop(tree);
  }

  #compare(clock: Clock, other: Clock): void {
    const random = this.#random;
    const slots = [...clock.times.keys(), random.below(this.#slots), random.below(1 << 20)];
    const times = slots.map((slot) => clock.times.get(slot) ?? 0);
    expect(slots.map((slot) => this.trees.at(clock.tree, slot))).toEqual(times);
    const except = slots[random.below(slots.length)];
    const beyond = [...clock.times].filter(
      ([slot, time]) => slot !== except && time > (other.times.get(slot) ?? 0),
    );
    expect(this.trees.latestBeyond(clock.tree, other.tree, except)).toBe(
      Math.max(0, ...beyond.map(([, time]) => time)),
    );
  }

  #any(): Clock {
    return this.#clocks[this.#random.below(this.#clocks.length)];
  }
}

describe('clock trees', () => {
  it.each([8, 9, 64, 65, 5000, 100_000])('are clocks of up to %i slots', (slots) => {
    for (let seed = 0; seed < 40; seed++) {
      const clocks = new Clocks(seed, slots);
      for (let i = 0; i < 100; i++) clocks.change();
      clocks.dropAll();
      expect(clocks.trees.nodes).toBe(0);
    }
  });

  it('join to one of the two if it has all the later times', () => {
    const trees = new ClockTrees();
    const early = trees.with(0, 300, 1);
    const late = trees.with(trees.keep(early), 300, 2);
    expect(trees.joined(early, late)).toBe(late);
    expect(trees.joined(late, early)).toBe(late);
    expect(trees.joined(late, 0)).toBe(late);
  });

  it('share what they have in common', () => {
    const trees = new ClockTrees();
    let clock = 0;
    for (let slot = 0; slot < 1000; slot++) clock = trees.with(clock, slot, 1);
    const before = trees.nodes;
    trees.with(trees.keep(clock), 500, 2);
    expect(trees.nodes - before).toBe(4);
  });
});
