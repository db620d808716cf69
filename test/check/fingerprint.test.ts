import { describe, expect, it } from 'vitest';
import { fingerprintOf } from '../../src/check/fingerprint.ts';
import type { AnalysisResult, InterferenceResult, ViolationResult } from '../../src/check/result.ts';
import { event, result, violation } from '../report/results.ts';

/** A lost update by other threads, at other events: the same bug, seen in another run. */
function elsewhere(changes: Partial<ViolationResult> = {}): ViolationResult {
  const first = event(102, 'worker-7', 'r(balance)', 'Bank.java:12');
  const between = event(250, 'worker-9', 'w(balance)', 'Bank.java:20');
  const last = event(251, 'worker-7', 'w(balance)', 'Bank.java:14');
  return violation({
    event: 251,
    thread: 'worker-7',
    block: { label: 'pay', begin: 101, end: 300 },
    cycle: [
      { from: first, to: between },
      { from: between, to: last },
    ],
    interference: { first, between, last },
    message: 'pay (thread worker-7) is not atomic',
    ...changes,
  });
}

const print = (changed: ViolationResult) => fingerprintOf({ analysis: 'regiontrack' }, changed);

const access = violation().interference as InterferenceResult;

const WITHDRAW = `async pay() {
  const left = this.left;
  await null;
  this.left = left - 1;
}`;

/** A lost update in a program, whose function begins at a line of a file that reads as it does. */
function inProgram(
  line: number,
  path = 'bank.ts',
  number = 1,
  text: string | null = WITHDRAW,
): [AnalysisResult, ViolationResult] {
  const at = (offset: number, op: string, thread: string) =>
    event(offset, thread, `${op}(Account#${number}.left)`, `${path}:${line + offset}:5`);
  const [first, between, last] = [at(1, 'r', 'pay#2'), at(3, 'w', 'pay#1'), at(3, 'w', 'pay#2')];
  const found = violation({
    block: { label: 'pay', begin: 1, end: 9, location: `${path}:${line}:1` },
    interference: { first, between, last },
  });
  const sources = text === null ? [] : [{ path, excerpts: [{ firstLine: line, lines: text.split('\n') }] }];
  return [result({ origin: 'program', violations: [found], sources }), found];
}

describe('a fingerprint of a program', () => {
  it.each<[string, Parameters<typeof inProgram>]>([
    ['lines are inserted above', [17]],
    ['it moves to another file', [1, 'src/accounts.ts']],
    ['objects get other numbers', [1, 'bank.ts', 12]],
    ['it is indented', [1, 'bank.ts', 1, WITHDRAW.replace(/^/gm, '    ')]],
  ])('stays the same where %s', (_, changed) => {
    expect(fingerprintOf(...inProgram(...changed))).toBe(fingerprintOf(...inProgram(1)));
  });

  it('goes by the distance from the begin of the block where the source is not at hand', () => {
    expect(fingerprintOf(...inProgram(17, 'a.js', 1, null))).toBe(
      fingerprintOf(...inProgram(1, 'b.js', 1, null)),
    );
  });

  it('differs where the line of an access says something else', () => {
    const other = WITHDRAW.replace('left - 1', 'left - 2');
    expect(fingerprintOf(...inProgram(1, 'bank.ts', 1, other))).not.toBe(fingerprintOf(...inProgram(1)));
  });
});

describe('a fingerprint', () => {
  it('is the same for the same violation in another run', () => {
    expect(print(elsewhere())).toBe(print(violation()));
  });

  it('is the same wherever a cycle without anybody to blame starts', () => {
    const nobody = violation({ kind: 'trace', block: null, interference: null });
    expect(print({ ...nobody, cycle: nobody.cycle.toReversed() })).toBe(print(nobody));
  });

  it.each<[string, Partial<ViolationResult>]>([
    ['kind', { kind: 'trace' }],
    ['pattern', { pattern: 'overwritten-twice' }],
    ['block', { block: { label: 'pay2', begin: 1, end: 5 } }],
    ['lack of a block', { block: null }],
    ['access', { interference: { ...access, between: event(3, 'T1', 'u(balance)', 'Bank.java:20') } }],
    ['line', { interference: { ...access, last: event(4, 'T0', 'w(balance)', 'Bank.java:15') } }],
    ['variable', { interference: { ...access, last: event(4, 'T0', 'w(total)', 'Bank.java:14') } }],
    ['lack of a pattern', { interference: null }],
    ['part in the story', { related: [{ ...event(2, 'T0', 'r(x)'), role: 'first access' }] }],
  ])('differs by %s', (_, changes) => {
    expect(print(violation(changes))).not.toBe(print(violation()));
  });

  it('differs by analysis', () => {
    expect(fingerprintOf({ analysis: 'velodrome' }, violation())).not.toBe(print(violation()));
  });

  it('does not confuse an operation and a location that look like others when put together', () => {
    const named = (op: string, location: string) =>
      print(
        violation({
          interference: null,
          cycle: [{ from: event(2, 'T0', op, location), to: event(3, 'T1', 'w(x)') }],
        }),
      );
    expect(named('r(a)', 'b)c')).not.toBe(named('r(a","b)', ')c'));
    expect(named('r(\ud800)', 'x')).not.toBe(named('r(\ud801)', 'x'));
  });
});
