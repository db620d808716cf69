import { expect, it } from 'vitest';
import { empty } from '../../src/analyses/empty/index.ts';
import { trace } from '../support/notation.ts';
import { run } from '../support/run.ts';

it('decides nothing and reports nothing', () => {
  expect(run(empty, trace('t1: begin A, r x; t2: w x; t1: w x, end'))).toEqual({
    outcome: { serializable: null, firstEvent: null, statistics: {} },
    violations: [],
  });
});
