import { expect, it } from 'vitest';
import { SharedState } from '../../../src/node/runtime/shared-memory/shared-state.ts';

const alive = () => true;

it('numbers memories in the order in which anybody comes across them', () => {
  const state = new SharedState();
  const other = new SharedState(state.buffer);
  expect(state.memoryNumber(700, 0, alive)).toBe(1);
  expect(other.memoryNumber(2 ** 40, 1, alive)).toBe(2);
  expect(state.memoryNumber(2 ** 40, 0, alive)).toBe(2);
  expect(other.memoryNumber(700, 1, alive)).toBe(1);
});

it('takes over the lock of an isolate that is gone', () => {
  const state = new SharedState();
  state.lock(5, 1, alive);
  state.lock(5, 2, (isolate) => isolate !== 1);
  state.unlock(5);
  state.lock(5, 3, alive);
});

it('gives the same lock to what overlaps, for every size', () => {
  const state = new SharedState();
  for (const offset of [0, 8, 1024, 2 ** 33]) {
    const stripes = [0, 1, 2, 4, 7].map((more) => state.stripeOf(3, offset + more));
    expect(new Set(stripes).size).toBe(1);
  }
});

it('knows whether an access repeats the last one there', () => {
  const state = new SharedState();
  expect(state.isLastAccess(1, 0, 1, 40)).toBe(false);
  expect(state.isLastAccess(1, 0, 1, 40)).toBe(true);
  expect(state.isLastAccess(1, 1, 1, 40)).toBe(false);
  expect(state.isForeign(1, 0)).toBe(true);
  expect(state.isLastAccess(1, 0, 1, 40)).toBe(false);
});

it('keeps names in the order in which they were given, and none that is too long', () => {
  const state = new SharedState();
  const name = { memory: 1, start: 8, size: 4, length: 2, text: 'größe' };
  state.addName(name, 0, alive);
  state.addName({ ...name, text: 'x'.repeat(65) }, 0, alive);
  state.addName({ ...name, start: 0 }, 0, alive);
  expect(new SharedState(state.buffer).names()).toEqual([name, { ...name, start: 0 }]);
});
