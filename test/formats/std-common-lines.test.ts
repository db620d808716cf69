import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { std } from '../../src/formats/std.ts';
import { decodeAll } from '../support/decode.ts';

/*
 * Ordinary lines take a fast way through the decoder. A last line that no newline ends never does, so a line must
 * be read alike among others and alone at the end of the input.
 */
const piece = fc.constantFrom(
  ...[
    'T0',
    'T1',
    'main',
    'worker',
    '|',
    '|',
    '(',
    ')',
    ')|',
    'r(',
    'w(',
    'u(',
    'acq(',
    'rel(',
    'begin(',
    'end(',
  ],
  ...[
    'begin',
    'end',
    'fork(',
    'join(',
    'V1',
    'V01',
    'V10',
    'V100000000',
    'L2',
    'x',
    'V',
    '1',
    '0',
    '12',
    '007',
  ],
  ...['999999999', '1073741823', '1073741824', '\r', '\0', '\t', ' ', 'é', 'Bank.java:3', '__proto__'],
);
const wild = fc.array(piece, { maxLength: 8 }).map((parts) => parts.join(''));
const tame = fc
  .tuple(
    fc.constantFrom('T0', 'T1', 'main', 'worker-1', '__proto__'),
    fc.constantFrom('r', 'w', 'u', 'acq', 'rel', 'begin', 'end', 'fork', 'join', 'x'),
    fc.constantFrom(
      'V1',
      'V01',
      'V1)',
      'V10',
      'L1',
      'L1)x',
      'W1',
      'V1048577',
      'V99999999',
      'V123456789',
      'V999999999',
      '',
      'f()',
      'V1x',
      'V3.12345[2]',
      'V1.2[0]',
      'a|b',
      'a\tb',
    ),
    fc.constantFrom(
      '',
      '|',
      '|1',
      '|01',
      '|0',
      '|12345678',
      '|123456789',
      '|1073741824',
      '|a',
      '|a\r',
      '\r',
      '|1\r',
    ),
  )
  .map(([thread, op, operand, rest]) => `${thread}|${op}(${operand})${rest}`);

describe('STD lines', () => {
  it('are read alike the fast way and the plain way', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof({ weight: 3, arbitrary: tame }, { weight: 1, arbitrary: wild }), { maxLength: 40 }),
        fc.integer({ min: 1, max: 80 }),
        (lines, windowSize) => {
          const together = decodeAll(std, Buffer.from(`${lines.join('\n')}\n`), {
            lenient: true,
            windowSizes: [windowSize],
            batchCapacity: 7,
          });
          const apart = lines.map((line) => decodeAll(std, Buffer.from(line), { lenient: true }));
          expect([...together.trace.events()]).toEqual(apart.flatMap(({ trace }) => [...trace.events()]));
          expect(together.repaired).toBe(apart.reduce((sum, { repaired }) => sum + repaired, 0));
          const columns = apart.flatMap(({ positions }, i) =>
            positions.map(({ column }) => ({ line: i + 1, column })),
          );
          expect(together.positions).toEqual(columns);
        },
      ),
      { numRuns: 3000 },
    );
  });
});
