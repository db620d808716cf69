import { expect, it } from 'vitest';
import { reduction } from '../../src/analyses/reduction/index.ts';
import { events } from '../support/notation.ts';
import { attempts } from './support.ts';

it('confirms what needs a write to come later that a read before the block has seen', () => {
  const seenBefore = 't0: vw x; t2: vu x, begin A, r x, u x, w x, end';
  const [{ confirmation }] = attempts(reduction, events(seenBefore));
  expect(confirmation.schedule).toMatchObject({ events: expect.arrayContaining([1, 2, 3, 4]) });
  expect(confirmation.schedule?.events.indexOf(1)).toBeGreaterThan(confirmation.schedule!.events.indexOf(4));
});
