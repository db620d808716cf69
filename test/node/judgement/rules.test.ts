import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { EXAMPLES } from '../../../src/node/judgement/examples/index.ts';
import { RULES } from '../../../src/node/judgement/rules.ts';
import { lock } from '../../../src/node/markers.ts';
import { record } from '../runtime/support.ts';

/** The rules that have decided about what a program did; it may say what it does under a lock. */
async function rulesIn(program: string, isOfPackage = false): Promise<string[]> {
  const file = isOfPackage ? '/node_modules/app/app.js' : undefined;
  const { judged } = await record(program, { lock }, undefined, file);
  return judged.map(({ because }) => because ?? '');
}

/** What a program in test/stores expects of itself. */
function comments(program: string | undefined): string[] {
  if (program === undefined) return [];
  const text = readFileSync(new URL(`../../stores/${program}`, import.meta.url), 'utf8');
  return text.split('\n').filter((line) => line.startsWith('//'));
}

const SHOWN = RULES.filter(({ name }) => EXAMPLES[name] !== undefined);

describe.each(SHOWN.map((rule) => [rule.name, { ...rule, ...EXAMPLES[rule.name] }] as const))(
  'the rule %s',
  (name, { verdict, example, twin, isOfPackage }) => {
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
      expect(await rulesIn(example, isOfPackage)).toContain(name);
    });
    it('does not decide about its twin', async () => {
      expect(await rulesIn(twin, isOfPackage)).not.toContain(name);
    });
  },
);

it('every rule has a program that shows it, here or with the tests of databases, and a twin', () => {
  for (const { name, example, inStores } of RULES) {
    if (example !== undefined) continue;
    const [shown, twin] = inStores ?? [];
    expect(comments(shown), name).toContain(`// because: ${name}`);
    expect(comments(twin), name).toContain(`// not because: ${name}`);
  }
});

it('every rule has a sentence that goes behind "because"', () => {
  for (const { because } of RULES) expect(because).toMatch(/^[a-z].*[^.]$/);
});

it('no example is left of a rule that is gone', () => {
  const names = RULES.map(({ name }) => name);
  expect(Object.keys(EXAMPLES).filter((name) => !names.includes(name))).toEqual([]);
});
