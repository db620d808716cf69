import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { csv } from '../../src/formats/csv.ts';
import { CsvWriter } from '../../src/formats/csv-writer.ts';
import { std } from '../../src/formats/std.ts';
import { MemoryTrace, type NamedEvent } from '../../src/trace/memory-trace.ts';
import { MNEMONICS, Op } from '../../src/trace/operation.ts';
import { InputProblem } from '../../src/trace/problem.ts';
import { type DecodeAllOptions, decodeAll } from '../support/decode.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

/** What a table holds, an event a line, as STD would write it. */
function read(text: string, options?: DecodeAllOptions): string[] {
  const decoded = decodeAll(csv, bytes(text), options);
  if (decoded.problem !== null) throw decoded.problem;
  return [...decoded.trace.events()].map(
    ({ thread, op, operand, location }) =>
      `${thread}|${MNEMONICS[op as number]}(${operand})${location == null ? '' : `|${location}`}`,
  );
}

/** The message with which a table is refused. */
function refusal(text: string): string | undefined {
  return decodeAll(csv, bytes(text)).problem?.describe();
}

/** The parts in which a trace is written. */
async function parts(trace: MemoryTrace): Promise<Uint8Array[]> {
  const threads = new Set<number>();
  for (const batch of trace.batches()) for (let i = 0; i < batch.length; i++) threads.add(batch.thread[i]);
  const written: Uint8Array[] = [];
  const writer = new CsvWriter(trace.names, [...threads], async (part) => void written.push(part));
  for (const batch of trace.batches()) await writer.write(batch);
  await writer.finish();
  return written;
}

async function write(trace: MemoryTrace): Promise<Uint8Array> {
  return Buffer.concat(await parts(trace));
}

describe('CSV', () => {
  test("as RAPID's, has no header and its own words for operations", () => {
    const rows = [
      'start(T1),',
      ',enter(A.m()V)',
      ',acq(l)',
      ',r(x)',
      ',w(x)',
      ',rel(l)',
      ',exit(A.m()V)',
      'join(T1),',
    ];
    expect(read(`${rows.join('\n')}\n`)).toEqual([
      'T0|fork(T1)',
      'T1|begin(A.m()V)',
      'T1|acq(l)',
      'T1|r(x)',
      'T1|w(x)',
      'T1|rel(l)',
      'T1|end(A.m()V)',
      'T0|join(T1)',
    ]);
  });

  test('may name its threads in the first row, with the operations of STD and locations', () => {
    expect(read('main,worker 1\nfork(worker 1)|3,\n,begin\n,u(hits)|Cache.js:12\n,end()|\n')).toEqual([
      'main|fork(worker 1)|3',
      'worker 1|begin()',
      'worker 1|u(hits)|Cache.js:12',
      'worker 1|end()|',
    ]);
  });

  test('quotes names as RFC 4180 does', () => {
    expect(
      read('"a,b","say ""hi""","two\nlines"\n,,"r(m[1,2])"\n"w(a ""x"" y)|f.js, line 3",,\n,r(x),\n'),
    ).toEqual(['two\nlines|r(m[1,2])', 'a,b|w(a "x" y)|f.js, line 3', 'say "hi"|r(x)']);
  });

  test('lets names stand in quotes inside the cell, where they could be read otherwise', () => {
    expect(read('"""r(x)""",plain\n"r(""a)|b"")|loc",\n,"w("""""""")"\n,"u("""")"\n')).toEqual([
      'r(x)|r(a)|b)|loc',
      'plain|w(")',
      'plain|u()',
    ]);
  });

  test('ends an operand at the first parenthesis that ends the cell or comes before a bar', () => {
    expect(read('begin(f(a)(b))|g()|h)\n')).toEqual(['T0|begin(f(a)(b))|g()|h)']);
  });

  test('passes over rows without text, short and long', () => {
    expect(read('\n,,\nA,B\n\n,r(x)\n,,,,\n""\n\r\nw(x)')).toEqual(['B|r(x)', 'A|w(x)']);
  });

  test('gives the same events with CRLF, with a byte order mark, and without the last newline', () => {
    const text = 'A,"B\n"\nr(x)|1,\n,"w(y)"\n"u(z)",\n';
    const expected = read(text);
    expect(expected).toHaveLength(3);
    expect(read(text.replace(/(?<!B)\n/g, '\r\n'))).toEqual(expected);
    expect(read(`\ufeff${text}`)).toEqual(expected);
    expect(read(text.slice(0, -1))).toEqual(expected);
    expect(read(text.slice(0, -2))).toEqual(expected);
  });

  test('gives the same events and places through windows of any size', () => {
    const text = bytes('A,"B\n""",C\nr(x)|1,,\n\n,"w(""y,\n"")",\n,,u(z)\n');
    const whole = decodeAll(csv, text);
    expect(whole.positions).toEqual([
      { line: 3, column: 1 },
      { line: 5, column: 3 },
      { line: 7, column: 3 },
    ]);
    for (const windowSizes of [[1], [2, 5], [11]]) {
      const { trace, positions } = decodeAll(csv, text, { windowSizes, batchCapacity: 1 });
      expect([...trace.events()]).toEqual([...whole.trace.events()]);
      expect(positions).toEqual(whole.positions);
    }
  });

  test('may be empty, or a header only', () => {
    expect(read('')).toEqual([]);
    expect(read('A,B\n')).toEqual([]);
  });

  test('may have its only event far to the right', () => {
    expect(read(`${','.repeat(100_000)}r(x)\n`)).toEqual(['T100000|r(x)']);
  });
});

describe('a CSV row that cannot be read', () => {
  test.each([
    [
      'has two events',
      'r(x),w(y)',
      "2:6: a row with two events, in columns 1 and 2; found 'r(x)' and 'w(y)'; expected one event a row",
    ],
    [
      'has an event beyond the header',
      ',,r(x)',
      "2:3: an event in column 3, which has no thread; found 'r(x)'; expected an event in a column that the header names",
    ],
    ['lacks an operand', 'acq,', "2:4: the operand is missing; found 'acq'; expected operation(operand)"],
    [
      'has an empty operand',
      'acq(),',
      "2:5: the operand is empty; found 'acq()'; expected operation(operand)",
    ],
    [
      'has an operand without an end',
      ',r(x',
      "2:5: the operand does not end; found 'r(x'; expected ')' and then '|' or the end of the cell",
    ],
    [
      'has text behind its operand',
      'r(x)y',
      "2:6: the operand does not end; found 'r(x)y'; expected ')' and then '|' or the end of the cell",
    ],
    [
      'has an unknown operation',
      'read(x)',
      "2:1: unknown operation; found 'read(x)'; expected one of r, w, u, acq, rel, begin, enter, end, exit, fork, start, join, arrive, leave, vr, vw, vu, send, receive, notify, wait",
    ],
    [
      'has text behind quotes',
      '"r(x)"|1,',
      `2:7: text behind the quotes of a cell; found '"r(x)"|'; expected a comma or the row's end`,
    ],
    [
      'has an open quote inside quotes',
      '"r(""x)",',
      `2:2: the quotes around the operand do not end; found 'r("x)'; expected '"' and then ')'`,
    ],
    [
      'holds a NUL byte',
      'r(\0),',
      '2:3: a text trace holds no NUL bytes; found a NUL byte; expected a row of text',
    ],
  ])('is refused when it %s, and passed over and counted when lenient', (_, row, message) => {
    const text = `A,B\n${row}\n,w(x)\n`;
    expect(refusal(text)).toBe(`line ${message}`);
    const { trace, repaired, problem } = decodeAll(csv, bytes(text), { lenient: true });
    expect(problem).toBeNull();
    expect(`${trace}`).toBe('B|w(x)');
    expect(repaired).toBe(1);
  });

  test('is refused in the first place too, not taken for a header', () => {
    expect(refusal('r(x\n')).toContain('1:4: the operand does not end');
    expect(refusal('foo(x),\nr(x),\n')).toContain('1:1: unknown operation');
    expect(refusal('r(x),w(x)\n')).toContain('columns 1 and 2');
  });

  test('is one whose quotes never end', () => {
    expect(refusal('A,B\n,"r(x)\n,w(y)\n')).toBe(
      `line 2:2: the quotes of this cell do not end; found '"r(x)\\x0a,w(y)\\x0a'; expected a closing '"'`,
    );
    const lenient = decodeAll(csv, bytes('A,B\n,"r(x)\n,w(y)\n'), { lenient: true, windowSizes: [3] });
    expect(`${lenient.trace}`).toBe('B|w(y)');
    expect(lenient.repaired).toBe(1);
  });

  test('is a header with two columns for one thread, or with quotes that end too soon', () => {
    expect(refusal('A,B,A\n')).toBe(
      "line 1:5: two columns for one thread; found 'A'; expected one column a thread",
    );
    expect(refusal('A,"""B""c"\n')).toContain('1:4: the quotes around a thread name do not end with it');
    const { trace, repaired } = decodeAll(csv, bytes('A,A,B\nr(x),,\n,r(x),\n,,r(x)\n'), { lenient: true });
    expect(`${trace}`).toBe('A|r(x)\nB|r(x)');
    expect(repaired).toBe(2);
  });

  test('is only counted once, however the bytes come in', () => {
    const text = bytes('A,B\n"r(x)"z,\n,"r(x)"z');
    for (const windowSizes of [[1], [4], [100]]) {
      expect(decodeAll(csv, text, { lenient: true, windowSizes }).repaired).toBe(2);
    }
  });
});

describe('CSV detection', () => {
  const detects = (text: string) => csv.detect(bytes(text), text.length);

  test('looks for a row with one event, first or behind a header', () => {
    expect(detects('r(x),,\n')).toBe(true);
    expect(detects('\n\nA,B\n,start(T1)\n')).toBe(true);
    expect(detects('"a\nb"\n"r(x,y)"')).toBe(true);
    expect(detects('r(x)')).toBe(true);
  });

  test('is not taken in by other text', () => {
    expect(detects('')).toBe(false);
    expect(detects('T0|r(x)|12\nT1|w(x)|13\n')).toBe(false);
    expect(detects('begin|r(x)|12\nend|w(x)|13\n')).toBe(false);
    expect(detects('@ Rd(0,x)\n@ Wr(0,x)\n')).toBe(false);
    expect(detects('name,age\nBob,12\nr(x)\n')).toBe(false);
    expect(detects('r(x),w(x)\n"')).toBe(false);
    expect(std.detect(bytes('A,B\n,r(x)|12\n'), null)).toBe(false);
  });
});

describe('the CSV writer', () => {
  test('writes a header, and one event a row in the column of its thread', async () => {
    const trace = MemoryTrace.of([
      { thread: 'main', op: Op.fork, operand: 'worker', location: '1' },
      { thread: 'worker', op: Op.begin, operand: '' },
      { thread: 'worker', op: Op.update, operand: 'hits', location: 'Cache.js:12' },
      { thread: 'main', op: Op.write, operand: 'a,b' },
    ]);
    expect(Buffer.from(await write(trace)).toString()).toBe(
      'main,worker\nfork(worker)|1,\n,begin()\n,u(hits)|Cache.js:12\n"w(a,b)",\n',
    );
  });

  test('writes nothing for a trace without events', async () => {
    expect(await write(new MemoryTrace())).toHaveLength(0);
  });

  test('refuses names with NUL bytes, which no text format holds', async () => {
    const trace = MemoryTrace.of([{ thread: 'a', op: Op.read, operand: 'x\0' }]);
    await expect(write(trace)).rejects.toThrow(InputProblem);
  });

  test('writes what is read back to the same events, whatever the names', async () => {
    const pieces = [
      'a',
      'r',
      '(',
      ')',
      '|',
      ',',
      '"',
      '\n',
      '\r',
      ' ',
      'begin',
      'w(x)',
      'é',
      '😀',
      '\ufeff',
      '__proto__',
      '7',
    ];
    const name = fc.array(fc.constantFrom(...pieces), { maxLength: 5 }).map((parts) => parts.join(''));
    const event = fc.record<NamedEvent>({
      thread: name,
      op: fc.constantFrom(...MNEMONICS.map((_, op) => op as Op)),
      operand: name,
      location: fc.option(name, { nil: null }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(event, { maxLength: 12 }), async (events) => {
        const written = await write(MemoryTrace.of(events));
        const { trace, problem } = decodeAll(csv, written, { windowSizes: [13] });
        expect(problem).toBeNull();
        expect([...trace.events()]).toEqual(events);
      }),
      { numRuns: 2000 },
    );
  });

  test('keeps invalid UTF-8 byte for byte', async () => {
    const original = Buffer.from('\xff,\xfe\xc0\n,r(\x80\x81)|\xf5\n', 'latin1');
    expect(Buffer.from(await write(decodeAll(csv, original).trace))).toEqual(
      Buffer.from('\xfe\xc0\nr(\x80\x81)|\xf5\n', 'latin1'),
    );
  });

  test('hands over long output in parts', async () => {
    const events = Array.from({ length: 3000 }, (_, i) => ({
      thread: `t${i % 3}`,
      op: Op.write,
      operand: 'x'.repeat(1000),
    }));
    const written = await parts(MemoryTrace.of(events));
    expect(written.length).toBeGreaterThan(1);
    const { trace, problem } = decodeAll(csv, Buffer.concat(written), { windowSizes: [1 << 14] });
    expect(problem).toBeNull();
    expect(trace.length).toBe(3000);
  });
});
