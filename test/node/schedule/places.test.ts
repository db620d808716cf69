import { expect, it } from 'vitest';
import { Activation, CALLBACK } from '../../../src/node/core/activation.ts';
import { Task } from '../../../src/node/core/task.ts';
import { Places } from '../../../src/node/schedule/point.ts';

const root = () => new Activation(CALLBACK, new Task('test'), null, 0);

/** The first choices that are made in a test of this name, after the others. */
function choices(seed: number, ...names: string[]): number[] {
  const places = new Places(seed);
  let last: number[] = [];
  for (const name of names) {
    const test = root();
    places.begin(test, name);
    last = [places.choice(test), places.choice(test), places.choice(null)].slice(0, 2);
  }
  return last;
}

it('a test has the same choices whether others were run before it or not', () => {
  expect(choices(7, 'pays', 'ships')).toEqual(choices(7, 'ships'));
});

it('tests of other names, and runs with other seeds, have other choices', () => {
  expect(choices(7, 'pays')).not.toEqual(choices(7, 'ships'));
  expect(choices(8, 'ships')).not.toEqual(choices(7, 'ships'));
});
