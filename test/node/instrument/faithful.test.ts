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
