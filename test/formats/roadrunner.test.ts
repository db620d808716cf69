import { describe, expect, test } from 'vitest';
import { roadrunner } from '../../src/formats/roadrunner.ts';
import { std } from '../../src/formats/std.ts';
import { MNEMONICS } from '../../src/trace/operation.ts';
import { type DecodeAllOptions, decodeAll } from '../support/decode.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

/** What a log holds, an event a line, as STD would write it. */
function read(text: string | Uint8Array, options?: DecodeAllOptions): string[] {
  const decoded = decodeAll(roadrunner, typeof text === 'string' ? bytes(text) : text, options);
  if (decoded.problem !== null) throw decoded.problem;
  return [...decoded.trace.events()].map(
    ({ thread, op, operand, location }) =>
      `${thread}|${MNEMONICS[op as number]}(${operand})${location == null ? '' : `|${location}`}`,
  );
}

/** The message with which a log is refused. */
function refusal(text: string): string | undefined {
  return decodeAll(roadrunner, bytes(text)).problem?.describe();
}

const LOG = `[main: RoadRunner Begin]
@   Enter(0,test/Test.main([Ljava/lang/String;)V) from null
@    Start(0,1)
@    Acquire(1,@03)
@    ARd(1,null.test/Deadlock.value_I)  Final  Deadlock.java:50:7
@     AWr(1,@05[13])  Final  Functions.java:116:153
@    Rd(1,@04.test/Counter.hits_J)  Counter.java:12:9
@    Wr(1,@04.test/Counter.hits_J)
@    Release(1,@03)
some output of the program
@    Join(0,1)
@   Exit(0,test/Test.main([Ljava/lang/String;)V)
[main: RoadRunner End]
`;

describe('RoadRunner logs', () => {
  test('are read line by line, and what is not an event is passed over', () => {
    expect(read(LOG)).toEqual([
      '0|begin(test/Test.main([Ljava/lang/String;)V)',
      '0|fork(1)',
      '1|acq(@03)',
      '1|r(null.test/Deadlock.value_I)|Deadlock.java:50:7',
      '1|w(@05[13])|Functions.java:116:153',
      '1|r(@04.test/Counter.hits_J)|Counter.java:12:9',
      '1|w(@04.test/Counter.hits_J)',
      '1|rel(@03)',
      '0|join(1)',
      '0|end(test/Test.main([Ljava/lang/String;)V)',
    ]);
  });

  test('give the same events with CRLF, with tabs, with a byte order mark, and without the last newline', () => {
    const expected = read(LOG);
    expect(read(LOG.replaceAll('\n', '\r\n'))).toEqual(expected);
    expect(read(LOG.replaceAll('  ', '\t'))).toEqual(expected);
    expect(read(`\ufeff${LOG.slice(LOG.indexOf('@'))}`)).toEqual(expected);
    expect(read(LOG.slice(0, LOG.lastIndexOf('\n[')))).toEqual(expected);
  });

  test('give the same events through windows of any size', () => {
    const expected = read(LOG);
    for (const windowSizes of [[1], [7, 3], [50]]) {
      expect(read(LOG, { windowSizes, batchCapacity: 3 })).toEqual(expected);
    }
  });

  test('have volatile accesses, without a location', () => {
    expect(read('@   VRd(1,@05.test/A.flag_Z)  Volatile\n@   VWr(2,@05.test/A.flag_Z)\n')).toEqual([
      '1|vr(@05.test/A.flag_Z)',
      '2|vw(@05.test/A.flag_Z)',
    ]);
  });

  test('hold other events, which are none of ours', () => {
    const others = [
      'Wait(1,@03)',
      'Notify(1,@03)',
      'Notify(1,@03,true)',
      'VolatileRd(1,x)',
      'Sleep(1)',
      'Rdx(1,x)',
      'rd(1,x)',
    ];
    expect(read(others.map((event) => `@   ${event}\n`).join(''))).toEqual([]);
  });

  test('mark events with @ and white space: anything else is output of the program', () => {
    expect(read('@Rd(1,x)\n Rd(1,x)\n @ Rd(1,x)\nRd(1,x)\n@\n@ \n')).toEqual([]);
  });

  test('keep names as they are: commas in the operand, invalid UTF-8, __proto__', () => {
    expect(read('@ Rd(1,Map<K,V>.size)\n@ Wr(__proto__,constructor)\n')).toEqual([
      '1|r(Map<K,V>.size)',
      '__proto__|w(constructor)',
    ]);
    const { trace } = decodeAll(roadrunner, Buffer.from('@ Rd(1,\xff\xfe)\n', 'latin1'));
    expect([...trace.names.variables.bytes(0)]).toEqual([0xff, 0xfe]);
  });

  test('may be empty', () => {
    expect(read('')).toEqual([]);
  });

  test('say where an event stands', () => {
    const { positions } = decodeAll(roadrunner, bytes('banner\n@   Rd(1,x)\n\n@ Wr(1,x)\n'), {
      windowSizes: [5],
    });
    expect(positions).toEqual([
      { line: 2, column: 5 },
      { line: 4, column: 3 },
    ]);
  });
});

describe('a RoadRunner event that cannot be read', () => {
  test.each([
    [
      'lacks its operand',
      '@  Acquire(2)',
      "line 2:13: Acquire lacks its operand; found 'Acquire(2)'; expected Acquire(thread,operand)",
    ],
    [
      'lacks its thread',
      '@  Rd(,x)',
      "line 2:7: Rd lacks its thread; found 'Rd(,x)'; expected Rd(thread,operand)",
    ],
    [
      'has an empty operand',
      '@  Wr(2,)',
      "line 2:9: the operand of Wr is empty; found 'Wr(2,)'; expected Wr(thread,operand)",
    ],
    [
      'does not close',
      '@  Start(0,1',
      "line 2:13: the operand of Start does not end in ')'; found 'Start(0,1'; expected Start(thread,operand)",
    ],
    [
      'has text behind its parenthesis',
      '@  Join(0,1)2',
      "line 2:14: the operand of Join does not end in ')'; found 'Join(0,1)2'; expected Join(thread,operand)",
    ],
    [
      'holds a NUL byte',
      '@  Rd(1,x\0y)',
      'line 2:10: a text trace holds no NUL bytes; found a NUL byte; expected a line of text',
    ],
  ])('is refused when it %s, and passed over and counted when lenient', (_, line, message) => {
    const text = `@ Rd(1,x)\n${line}\n@ Wr(1,x)\n`;
    expect(refusal(text)).toBe(message);
    const { trace, repaired } = decodeAll(roadrunner, bytes(text), { lenient: true });
    expect(`${trace}`).toBe('1|r(x)\n1|w(x)');
    expect(repaired).toBe(1);
  });

  test.each([
    '@',
    '@   ',
    '@   Acq',
    '@   Acquire',
    '@   Acquire(',
    '@   Acquire(2,@0',
    '@ Enter(0,A.main([Ljava/lang/String;)',
  ])('is refused when the log is cut at %j', (end) => {
    const { trace, problem } = decodeAll(roadrunner, bytes(`@ Rd(1,x)\n${end}`));
    expect(`${trace}`).toBe('1|r(x)');
    expect(problem?.position.line).toBe(2);
    expect(problem?.summary).toMatch(/cut|ends there/);
  });

  test('is not seen in output that merely ends without a newline', () => {
    expect(read('@ Rd(1,x)\n@ Notify(1,@03)')).toEqual(['1|r(x)']);
    expect(read('@ Rd(1,x)\n@Acq')).toEqual(['1|r(x)']);
  });

  test('shows no control characters', () => {
    expect(refusal('@ Rd(1,\x1b[31mx\n')).toContain('\\x1b[31mx');
  });
});

describe('RoadRunner detection', () => {
  const detects = (text: string) => roadrunner.detect(bytes(text), text.length);

  test('finds an event behind a banner', () => {
    expect(detects(LOG)).toBe(true);
    expect(detects(`${'[main: loading]\r\n'.repeat(1000)}@  Rd(0,x)\r\n`)).toBe(true);
  });

  test('is not taken in by other text', () => {
    expect(detects('')).toBe(false);
    expect(detects('T0|r(x)|12\nT1|w(@ Rd(0,x))|3\n')).toBe(false);
    expect(detects('@ Notify(0,x)\nRd(0,x)\n')).toBe(false);
    expect(std.detect(bytes(LOG), LOG.length)).toBe(false);
  });
});
