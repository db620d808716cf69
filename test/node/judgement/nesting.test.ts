import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  commonNesting,
  type Nesting,
  nestedIn,
  nestingAt,
  outermostNesting,
} from '../../../src/node/judgement/nesting.ts';

/** A tree of nestings: each is made in one that is there, mostly in the last one, as in a chain. */
const tree = fc
  .array(fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat() }), {
    minLength: 2,
    maxLength: 120,
  })
  .map((steps) => {
    const all: Nesting<number>[] = [outermostNesting()];
    for (const [i, back] of steps.entries()) all.push(nestedIn(all[all.length - 1 - (back % all.length)], i));
    return all;
  });

const insideOut = (nesting: Nesting<number>): Nesting<number>[] =>
  nesting.depth === 0 ? [nesting] : [nesting, ...insideOut(nesting.parent)];

it('what is around two nestings is found as by walking from the inside out', () => {
  fc.assert(
    fc.property(tree, fc.nat(), fc.nat(), (all, i, j) => {
      const [one, other] = [all[i % all.length], all[j % all.length]];
      expect(commonNesting(one, other)).toBe(insideOut(one).find((at) => insideOut(other).includes(at)));
    }),
    { numRuns: 500 },
  );
});

it('what is around a nesting at a depth is found as by walking from the inside out', () => {
  fc.assert(
    fc.property(tree, fc.nat(), fc.nat(), (all, i, depth) => {
      const nesting = all[i % all.length];
      const at = depth % (nesting.depth + 1);
      expect(nestingAt(nesting, at)).toBe(insideOut(nesting).find((around) => around.depth === at));
    }),
    { numRuns: 500 },
  );
});
