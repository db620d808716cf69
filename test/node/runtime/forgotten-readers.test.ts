import { expect, it } from 'vitest';
import { Activation, ASYNC } from '../../../src/node/core/activation.ts';
import { ObjectRecord } from '../../../src/node/core/object-record.ts';
import { Task } from '../../../src/node/core/task.ts';
import {
  asItIs,
  forgetAllReaders,
  isAs,
  noteChange,
  noteRead,
  wasReadBy,
} from '../../../src/node/runtime/staleness.ts';

/** A variable that an open block has read. */
function readVariable() {
  const block = new Activation(ASYNC, new Task(''), null, 1);
  const variable = new ObjectRecord('object').variable('n', 1);
  noteRead(variable, block, 0, 0, false);
  return { block, variable };
}

it('a forgotten variable does not keep who has read it, though that goes on', () => {
  const { block, variable } = readVariable();
  expect(wasReadBy(variable, block)).toBe(true);
  forgetAllReaders(variable);
  expect(wasReadBy(variable, block)).toBe(false);
});

it('what was seen in a variable is still there when that is forgotten', () => {
  const { block, variable } = readVariable();
  noteChange(variable, block, 1, 0, false);
  const seen = asItIs(variable);
  forgetAllReaders(variable);
  expect(isAs(seen)).toBe(true);
});
