import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { programsIn, testPrograms } from './expected-programs.ts';

const PROGRAMS = fileURLToPath(new URL('programs/', import.meta.url));

testPrograms(PROGRAMS);

test('half of the programs are healthy', () => {
  const programs = programsIn(PROGRAMS);
  const healthy = programs.filter((name) =>
    readFileSync(join(PROGRAMS, name), 'utf8').includes('expect: ok'),
  );
  expect(healthy.length).toBeGreaterThan(programs.length * 0.4);
});
