import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { std } from '../../src/formats/std.ts';
import { StdWriter } from '../../src/formats/std-writer.ts';
import { MNEMONICS, Op } from '../../src/trace/operation.ts';
import { decodeAll } from '../support/decode.ts';

const bytes = (text: string) => Buffer.from(text, 'utf8');
const read = (text: string, options = {}) => decodeAll(std, bytes(text), options);
const lines = (text: string, options = {}) => [...read(text, options).trace.events()];

/** Writes what was read back to STD. */
async function rewritten(input: Uint8Array): Promise<Buffer> {
  const { trace, problem } = decodeAll(std, input);
  expect(problem).toBeNull();
  const parts: Uint8Array[] = [];
  const writer = new StdWriter(trace.names, async (part) => void parts.push(part));
  for (const batch of trace.batches()) await writer.write(batch);
  await writer.finish();
  return Buffer.concat(parts);
}

describe('STD reading', () => {
  it('reads thread, operation, operand and location', () => {
    expect(lines('T0|r(V12.3[0])|345\n')).toEqual([
      { thread: 'T0', op: Op.read, operand: 'V12.3[0]', location: '345' },
    ]);
  });

  it('knows every operation', () => {
    const text = MNEMONICS.map((op) => `t|${op}(x)\n`);
    expect(lines(text.join('')).map((event) => event.op)).toEqual([...MNEMONICS.keys()]);
  });

  it('takes operands with parentheses up to the one that ends the field', () => {
    expect(lines('t|begin(Main.run([Ljava/lang/String;)V)|1\n')[0].operand).toBe(
      'Main.run([Ljava/lang/String;)V',
    );
    expect(lines('t|begin(f())\n')[0].operand).toBe('f()');
  });

  it('tells no location from an empty one', () => {
    expect(lines('t|r(x)\nt|r(x)|\n').map((event) => event.location)).toEqual([null, '']);
  });

  it('keeps locations that only look like numbers as they are', () => {
    const locations = ['007', '0', '4294967296', '1e5', '-1', 'Bank.java:12|x'];
    const text = locations.map((location) => `t|r(x)|${location}\n`).join('');
    expect(lines(text).map((event) => event.location)).toEqual(locations);
  });

  it('takes begin and end without a label, as RAPID writes them', () => {
    expect(lines('t|begin|1\nt|end|2\nt|begin\nt|end()\n').map((event) => event.operand)).toEqual([
      '',
      '',
      '',
      '',
    ]);
  });

  it('takes CRLF, blank lines, a byte order mark, and a last line without a newline', () => {
    expect(lines('\ufefft|r(x)|1\r\n\r\n  \nt|w(y)\r\nt|u(z)|3')).toEqual(
      lines('t|r(x)|1\nt|w(y)\nt|u(z)|3\n'),
    );
  });

  it('has no events in an empty file', () => {
    expect(read('')).toMatchObject({ problem: null, positions: [] });
  });

  it('keeps names that are not UTF-8 byte for byte', async () => {
    const input = Buffer.concat([Buffer.from('t|r('), Buffer.from([0xff, 0xfe, 0x80]), Buffer.from(')\n')]);
    expect(await rewritten(input)).toEqual(input);
  });

  it('takes names that are properties of every object', () => {
    expect(lines('__proto__|r(constructor)|toString\n')).toEqual([
      { thread: '__proto__', op: Op.read, operand: 'constructor', location: 'toString' },
    ]);
  });

  it('gives the same events for any window', () => {
    const text = '\ufeffT0|begin(f())|12\r\n\nT1|r(äöü)|Bank.java:3\nT0|end(f())|0\nT1|acq(L)';
    const whole = [...read(text).trace.events()];
    for (let size = 1; size < 20; size++) {
      for (const endsApart of [false, true]) {
        expect(lines(text, { windowSizes: [size], endsApart, batchCapacity: 2 })).toEqual(whole);
      }
    }
  });

  it('says line and column of every event, however it is cut', () => {
    const text = 'T0|r(x)|1\n\nThread-7|w(x)|2\r\nT0|r(x)';
    for (const windowSizes of [[1], [5], [100]]) {
      expect(read(text, { windowSizes }).positions).toEqual([
        { line: 1, column: 4 },
        { line: 3, column: 10 },
        { line: 4, column: 4 },
      ]);
    }
  });
});

describe('STD refusing', () => {
  it.each([
    ['hello', 1, 'this line is not an event', "'hello'"],
    ['|r(x)|1', 1, 'the thread name is missing', "'|'"],
    ['T0|', 4, 'unknown operation', 'nothing'],
    ['T0|read(x)|1', 4, 'unknown operation', "'read'"],
    ['T0|r', 5, 'r lacks its operand', "'T0|r'"],
    ['T0|r|5', 5, 'r lacks its operand', "'T0|r|5'"],
    ['T0|w()|5', 6, 'the operand of w is empty', 'w()'],
    ['T0|r(V1', 8, 'the operand of r does not end', "'T0|r(V1'"],
    ['T0|r(x)y', 9, 'the operand of r does not end', "'T0|r(x)y'"],
    ['T0|beginning(x)', 4, 'unknown operation', "'beginning'"],
    ['T0|r(x\0y)|1', 7, 'a text trace holds no NUL bytes', 'a NUL byte'],
    ['T0|r(x)|1\0', 10, 'a text trace holds no NUL bytes', 'a NUL byte'],
    ['T\x000|r(x)|1', 2, 'a text trace holds no NUL bytes', 'a NUL byte'],
  ])('%j', (line, column, summary, found) => {
    for (const ending of ['', '\n', '\r\n']) {
      const { problem, trace } = read(`T0|r(x)|1\n\n${line}${ending}`);
      expect(problem).toMatchObject({ summary, found, position: { line: 3, column } });
      expect(problem?.expected).toBeTruthy();
      expect(trace.length).toBe(1);
    }
  });

  it('passes over and counts such lines when lenient, leaving no names behind', () => {
    const { trace, repaired, problem } = read('a|r(x)\nghost|r(\nb|q(y)\nb|w(x)', { lenient: true });
    expect(problem).toBeNull();
    expect(repaired).toBe(2);
    expect(trace.length).toBe(2);
    expect(trace.names.threads.size).toBe(2);
    expect(trace.names.variables.size).toBe(1);
  });

  it('shows hostile text escaped', () => {
    const { problem } = read('\u001b[31mred\n');
    expect(problem?.describe()).toContain('\\x1b[31mred');
    expect(problem?.describe()).not.toContain('\u001b');
  });
});

describe('STD writing', () => {
  const name = fc
    .uint8Array({ minLength: 1, maxLength: 8 })
    .filter(
      (bytes) => !bytes.includes(0) && !bytes.includes(10) && !bytes.includes(13) && !bytes.includes(0x7c),
    );
  const mnemonic = fc.constantFrom(...MNEMONICS);
  const line = fc
    .tuple(name, mnemonic, name, fc.option(name))
    .map(([thread, op, operand, location]) =>
      Buffer.concat([
        thread,
        Buffer.from(`|${op}(`),
        operand,
        Buffer.from(')'),
        ...(location === null ? [] : [Buffer.from('|'), location]),
        Buffer.from('\n'),
      ]),
    );

  it('gives back canonical STD byte for byte', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(line, { maxLength: 30 }), async (all) => {
        // A byte order mark at the start is not part of the trace.
        fc.pre(all.length === 0 || !(all[0][0] === 0xef && all[0][1] === 0xbb && all[0][2] === 0xbf));
        const input = Buffer.concat(all);
        expect(await rewritten(input)).toEqual(input);
      }),
      { numRuns: 500 },
    );
  });

  it('writes any STD in canonical form', async () => {
    const input = bytes('\ufefft|begin()|007\r\n\nt|end|');
    expect((await rewritten(input)).toString()).toBe('t|begin|007\nt|end|\n');
  });

  it('refuses names that STD cannot hold', async () => {
    const { trace } = read('t|r(x)\n');
    trace.names.variables.internText('a)|b');
    const writer = new StdWriter(trace.names, async () => undefined);
    await expect(writer.write(trace.batches()[0])).rejects.toThrow(
      "STD cannot hold the variable name 'a)|b'",
    );
  });
});
