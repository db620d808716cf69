import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Format } from '../../src/formats/format.ts';
import { SentNames, SentTable } from '../../src/formats/sent-names.ts';
import { type FastSettings, StdDecoder, std } from '../../src/formats/std.ts';
import { VariableIds } from '../../src/formats/variable-ids.ts';
import { EventBatch } from '../../src/trace/batch.ts';
import { NameTable } from '../../src/trace/name-table.ts';
import { TraceNames } from '../../src/trace/names.ts';
import { type DecodeAllOptions, decodeAll } from '../support/decode.ts';

/* Ordinary lines take a fast way through the decoder, all others a plain one, which can read ordinary ones, too. */
const withSettings = (settings: FastSettings): Format => ({
  ...std,
  decoder: (options) => new StdDecoder(options, settings),
});
const plain = withSettings({ from: Number.POSITIVE_INFINITY });

/** Sends the names of variables, as soon as there are so many that are not found by number, to a table that gives them ids. */
class Sending {
  readonly format: Format;
  readonly table = new NameTable();
  readonly #ids = VariableIds.for(this.table) as VariableIds;

  constructor(many: number) {
    const sentNames = new SentNames();
    this.format = {
      ...std,
      decoder: (options) => {
        const decoder = new StdDecoder(
          { ...options, sentNames },
          { from: 1, sending: { from: many, to: Number.POSITIVE_INFINITY, part: 2 } },
        );
        const decode = decoder.decode.bind(decoder);
        decoder.decode = (bytes, from, to, last, batch) => {
          try {
            return decode(bytes, from, to, last, batch);
          } finally {
            this.#ids.take(sentNames.bytes.subarray(0, sentNames.length));
            sentNames.clear();
            this.#ids.place(batch.operand.subarray(0, batch.length));
          }
        };
        return decoder;
      },
    };
  }
}

/** Everything that a decoder makes of the lines, ids of names included. */
function whatIsRead(way: Format | Sending, text: string, options: DecodeAllOptions) {
  const format = way instanceof Sending ? way.format : way;
  const { trace, positions, problem, repaired } = decodeAll(format, Buffer.from(text), options);
  if (way instanceof Sending && trace.names.variables instanceof SentTable) trace.names.variables = way.table;
  const { threads, locks, variables, labels, locations } = trace.names;
  const names = [threads, locks, variables, labels, locations].map((table) =>
    Array.from({ length: table.size }, (_, id) => table.text(id)),
  );
  return { events: [...trace.events()], names, positions, problem: problem?.message, repaired };
}

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
  it('are read alike the fast way, also if names are sent, and the plain way', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof({ weight: 3, arbitrary: tame }, { weight: 1, arbitrary: wild }), { maxLength: 40 }),
        fc.integer({ min: 1, max: 300 }),
        fc.constantFrom('\n', '\n', '\r\n'),
        (lines, windowSize, newline) => {
          const text = lines.map((line) => `${line}${newline}`).join('');
          const options = { lenient: true, windowSizes: [windowSize], batchCapacity: 7 };
          const expected = whatIsRead(plain, text, options);
          for (const way of [withSettings({ from: 1 }), new Sending(1), new Sending(4)])
            expect(whatIsRead(way, text, options)).toEqual(expected);
        },
      ),
      { numRuns: 300 },
    );
  });

  it.each([
    ['short', (n: number, i: number) => `V${n % 7}.${n}[${i % 3}]`],
    ['numbered', (n: number) => `V${n * 331}`],
    ['any', (n: number, i: number) => (i % 3 === 0 ? `V${n * 331}` : `${'Object.'.repeat(n % 40)}V${n}`)],
  ])(
    'with thousands of %s names give the same ids, however little memory the fast way may take',
    (_, named) => {
      let text = '';
      for (let i = 0; i < 3000; i++) {
        const n = (i * 7919) % 2500;
        text += `T${n % 600}|${i % 2 === 0 ? 'r' : 'w'}(${named(n, i)})|${i % 5 === 0 ? `File${n}.java:${i}` : i}\n`;
      }
      // Small windows, because each place is looked for from the start of its window.
      const options = { windowSizes: [3000] };
      const expected = whatIsRead(plain, text, options);
      for (const mostBytes of [undefined, 1_000_000, 1_600_000])
        expect(whatIsRead(withSettings({ from: 1, mostBytes }), text, options)).toEqual(expected);
      for (const many of [1, 100]) expect(whatIsRead(new Sending(many), text, options)).toEqual(expected);
    },
  );

  it('have the same variables when so many names are sent that the ids of most are no longer known', () => {
    const lines: string[] = [];
    for (let i = 0; i < 250_000; i++) {
      // Names of which only the first bytes are looked at do not push out those that were accessed lately.
      const name =
        i % 3 === 0 ? `V${i % 13}[1]` : `org.example.Names.${i % 999 === 1 ? 'long'.repeat(99) : 'n'}${i}`;
      lines.push(`T${i % 3}|r(${name})|${i % 50}\n`);
    }
    const bytes = Buffer.from(lines.join(''));
    const operands = (format: Format) => {
      const decoder = format.decoder({ names: new TraceNames(), lenient: false });
      const batch = new EventBatch();
      const found: number[] = [];
      for (let at = 0; at < bytes.length; batch.advance()) {
        at = decoder.decode(bytes, at, bytes.length, true, batch);
        found.push(...batch.operand.subarray(0, batch.length));
      }
      return found;
    };
    expect(operands(new Sending(1).format)).toEqual(operands(plain));
  });
});
