import { describe, expect, it } from 'vitest';
import { EXAMPLES } from '../../../src/node/judgement/examples.ts';
import { RULES } from '../../../src/node/judgement/rules.ts';
import { record } from '../runtime/support.ts';

/** The rules that have decided about what a program did. */
async function rulesIn(program: string): Promise<string[]> {
  const { judged } = await record(program, {});
  return judged.map(({ because }) => because ?? '');
}

const SHOWN = RULES.filter(({ name }) => EXAMPLES[name] !== undefined);

describe.each(SHOWN.map((rule) => [rule.name, { ...rule, ...EXAMPLES[rule.name] }] as const))(
  'the rule %s',
  (name, { verdict, example, twin }) => {
    if (verdict === 'none') {
      it('says nothing of its example', async () => {
        expect(await rulesIn(example)).toEqual([]);
      });
      it('does not keep silent about its twin', async () => {
        expect(await rulesIn(twin)).not.toEqual([]);
      });
      return;
    }
    it('decides about its example', async () => {
      expect(await rulesIn(example)).toContain(name);
    });
    it('does not decide about its twin', async () => {
      expect(await rulesIn(twin)).not.toContain(name);
    });
  },
);

it('every rule has a sentence that goes behind "because"', () => {
  for (const { because } of RULES) expect(because).toMatch(/^[a-z].*[^.]$/);
});

it('no example is left of a rule that is gone', () => {
  const names = RULES.map(({ name }) => name);
  expect(Object.keys(EXAMPLES).filter((name) => !names.includes(name))).toEqual([]);
});
