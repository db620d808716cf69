import { expect, it } from 'vitest';
import { RecordedProgram } from '../../src/check/recorded-program.ts';
import type { AnalysisResult } from '../../src/check/result.ts';

it('a trace that lies about blocks which were left out of it adds none of those', () => {
  const unmet = [
    ['serve', 3],
    ['serve', 2],
    ['other', 7],
    ['bad', -1],
    ['bad', 'x'],
    ['bad', 1e300],
    [],
    5,
    'text',
    null,
  ];
  const program = new RecordedProgram();
  program.take({ name: 'program', version: 1, events: 0, bytes: Buffer.from(JSON.stringify({ unmet })) });
  const result = { blocks: { checked: 1, leftOut: 0 } } as AnalysisResult;
  expect(program.with(result, (label) => label !== 'other').blocks.checked).toBe(6);
});
