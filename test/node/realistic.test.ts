import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { record } from './runtime/support.ts';

/*
 * Programs of one screen as people write them, each with a broken twin, whose first line names the rules by which it may be found:
 * what is said of the healthy one must not be an error, and of the broken one it must be an error or a warning.
 */

const FOLDER = new URL('realistic/', import.meta.url);
const read = (file: string) => readFileSync(new URL(file, FOLDER), 'utf8');
const PROGRAMS = readdirSync(FOLDER)
  .filter((file) => file.endsWith('.broken.cjs'))
  .map((file) => {
    const name = file.slice(0, -'.broken.cjs'.length);
    const broken = read(file);
    const rules = broken.slice('// because: '.length, broken.indexOf('\n')).split(' ');
    return { name, healthy: read(`${name}.cjs`), broken, rules };
  });

async function found(program: string): Promise<string[]> {
  const { judged } = await record(program, {});
  return judged.filter(({ severity }) => severity !== 'note').map((one) => `${one.severity} ${one.because}`);
}

const warned: string[] = [];

describe.each(PROGRAMS)('$name', ({ name, healthy, broken, rules }) => {
  it('is healthy', async () => {
    const said = await found(healthy);
    expect(said.filter((one) => one.startsWith('error'))).toEqual([]);
    if (said.length > 0) warned.push(name);
  });

  it(`has a broken twin, because of ${rules.join(' or ')}`, async () => {
    const said = (await found(broken)).map((one) => one.replace(/^\w+ /, ''));
    expect(
      rules.some((rule) => said.includes(rule)),
      said.join(', '),
    ).toBe(true);
  });
});

it('of ten healthy programs at most one is warned about', () => {
  expect(warned.length, warned.join(', ')).toBeLessThanOrEqual(PROGRAMS.length / 10);
});
