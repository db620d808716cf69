import { describe, expect, test } from 'vitest';
import { instrumented, logOf } from '../../support/run-snippet.ts';
import { controlPrograms } from './snippets-control.ts';
import { valuePrograms } from './snippets-values.ts';

describe('an instrumented program does what the plain one does', () => {
  for (const [name, source] of [...valuePrograms, ...controlPrograms]) {
    test(name, async () => {
      const plain = await logOf(source);
      let probes = 0;
      const log = await logOf(instrumented(source), () => probes++);
      expect(log).toEqual(plain);
      expect(plain.length).toBeGreaterThan(0);
      expect(plain.filter((line) => line.startsWith('threw '))).toEqual([]);
      expect(probes).toBeGreaterThan(0);
    });
  }
});

describe('known gaps: a message of V8 that quotes the expression quotes a probe', () => {
  const attempt =
    'const attempt = (f) => { try { f() } catch (e) { log(e.message) } }; const o = { p: { q: { r: {} } } };';
  for (const expression of [
    'o.p.q.r.s()',
    'o?.p.q.f()',
    'o.p.get(1)',
    '[...o.p]',
    '(() => { for (const x of o.p) ; })()',
    '(() => { const { a } = o.x })()',
  ]) {
    test.fails(expression, async () => {
      const source = `${attempt} attempt(() => ${expression})`;
      expect(await logOf(instrumented(source))).toEqual(await logOf(source));
    });
  }
});
