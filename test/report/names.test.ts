import { expect, it } from 'vitest';
import { REPORTER_NAMES } from '../../src/report/names.ts';
import { REPORTERS } from '../../src/report/registry.ts';

it('the names that can be asked for are those of all reporters', () => {
  expect(REPORTERS.map(({ name }) => name)).toEqual(REPORTER_NAMES);
});
