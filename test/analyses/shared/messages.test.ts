import { describe, expect, it } from 'vitest';
import { trace } from '../../support/notation.ts';
import { run } from '../../support/run.ts';
import { blamed, found, named, serializable } from './verdicts.ts';

describe.each([
  ['a message', 'send', 'receive'],
  ['a condition', 'notify', 'wait'],
])('%s', (_, send, receive) => {
  it('puts what comes before it was sent before what comes after it is received', () => {
    expect(serializable(`t1: begin A, ${send} m; t2: ${receive} m, w x; t1: r x, end`)).toBe(false);
    expect(serializable(`t2: w x, ${send} m; t1: begin A, ${receive} m, r x, end`)).toBe(true);
  });

  it('is received after everybody who has sent it', () => {
    expect(serializable(`t1: begin A, ${send} m; t3: ${send} m; t2: ${receive} m, w x; t1: r x, end`)).toBe(
      false,
    );
  });

  it('orders nothing that is sent after it is received', () => {
    expect(serializable(`t3: ${send} m; t1: begin A, ${receive} m; t2: ${send} m, w x; t1: r x, end`)).toBe(
      true,
    );
  });

  it('orders neither those who send nor those who receive', () => {
    expect(serializable(`t1: begin A, ${send} m; t2: ${send} m, w x; t1: r x, end`)).toBe(true);
    expect(
      serializable(`t3: ${send} m; t1: begin A, ${receive} m; t2: ${receive} m, w x; t1: r x, end`),
    ).toBe(true);
  });

  it('sent and answered in one block lets the other in between, unless it ends the transaction', () => {
    const asks = `t1: begin A, ${send} m; t2: ${receive} m, ${send} n; t1: ${receive} n, end`;
    expect(blamed('regiontrack', asks)).toEqual(['A']);
    expect(serializable(asks)).toBe(false);
    expect(serializable(asks, 'boundary')).toBe(true);
  });

  it.each(['reduction', 'atomizer'])('%s: cannot be sent and then another one received', (name) => {
    const asks = `t1: begin A, ${send} m; t2: ${receive} m, ${send} n; t1: ${receive} n, end`;
    expect(blamed(name, asks)).toEqual(['A']);
    expect(blamed(name, asks, 'boundary')).toEqual([]);
    expect(blamed(name, `t2: ${send} m; t1: begin A, ${receive} m, ${send} n, end`)).toEqual([]);
  });

  const passes = (between: string) =>
    `t1: begin A, r x, w x, end; t2: r y; ${between} t2: begin B, r x, w x, end`;
  const passedOn = `t1: ${send} m; t2: ${receive} m;`;

  it.each(['commit-node-conflict', 'commit-node-view', 'block', 'reduction'])(
    '%s: what is passed on with it is not shared',
    (name) => {
      expect(blamed(name, passes(''))).toEqual(['A', 'B']);
      expect(blamed(name, passes(passedOn))).toEqual([]);
      expect(blamed(name, passes(`t2: ${send} m; t1: ${receive} m;`))).toEqual(['A', 'B']);
    },
  );

  it('commit nodes: cuts a block, and a note says so', () => {
    const torn = `t1: begin A, r x, ${send} m, w x, end; t2: w x`;
    const { violations, outcome } = run(named('commit-node-conflict'), trace(torn));
    expect(violations).toEqual([]);
    expect(outcome.notes).toEqual([expect.stringContaining('1 block has a barrier, message or condition')]);
  });

  it('fasttrack: orders accesses in one direction only', () => {
    expect(found('fasttrack', `t1: w x, ${send} m; t2: ${receive} m, w x`)).toBe(0);
    expect(found('fasttrack', `t1: ${send} m, w x; t2: ${receive} m, w x`)).toBe(1);
    expect(found('fasttrack', `t3: ${send} m; t1: w x, ${receive} m; t2: ${send} m, w x`)).toBe(1);
  });

  it('goodlock: lock orders before it was sent and after it is received cannot meet', () => {
    const cycle = (between: string) =>
      `t1: acq l, acq m, rel m, rel l; ${between} t2: acq m, acq l, rel l, rel m`;
    expect(found('goodlock', cycle(''))).toBe(1);
    expect(found('goodlock', cycle(passedOn))).toBe(0);
  });

  it('sidetrack: a section after it is received cannot come before it was sent', () => {
    const sections = (between: string) =>
      `t1: begin A, acq m, rel m, acq m, rel m, end; ${between} t2: acq m, rel m`;
    expect(blamed('sidetrack', sections(''))).toEqual(['A']);
    expect(blamed('sidetrack', sections(passedOn))).toEqual([]);
  });

  it('sidetrack: a section that receives cannot come before what was sent after the window', () => {
    const sections = (inside: string) =>
      `t1: begin A, acq m, rel m, acq m, ${send} n, rel m, end; t2: acq m, ${inside} rel m`;
    expect(blamed('sidetrack', sections(''))).toEqual(['A']);
    expect(blamed('sidetrack', sections(`${receive} n,`))).toEqual([]);
  });
});

it('a message is told from a condition, a lock and a barrier of the same name', () => {
  expect(serializable('t1: begin A, send m, notify c; t2: wait m, w x; t1: r x, end')).toBe(true);
  expect(serializable('t1: begin A, acq m, rel m; t2: send m, receive m, w x; t1: r x, end')).toBe(true);
  expect(serializable('t1: begin A, arrive m; t2: send m, receive m, w x; t1: r x, end')).toBe(true);
});

it('a wait may come before every notification, and then orders nothing', () => {
  expect(serializable('t1: begin A, wait c; t2: notify c, w x; t1: r x, end')).toBe(true);
});
