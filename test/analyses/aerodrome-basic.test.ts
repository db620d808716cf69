import { describe, expect, it } from 'vitest';
import { aerodromeBasic } from '../../src/analyses/aerodrome-basic/index.ts';
import { trace } from '../support/notation.ts';
import { run } from '../support/run.ts';

/** What it reports, with the label in place of its id. */
function report(notation: string) {
  const given = trace(notation);
  const { outcome, violations } = run(aerodromeBasic, given);
  return {
    firstEvent: outcome.firstEvent,
    violations: violations.map(({ kind, event, thread, block }) => ({
      kind,
      event,
      thread: given.names.threads.text(thread),
      block: block && `${given.names.labels.text(block.label)} at ${block.begin}`,
    })),
  };
}

describe('what aerodrome-basic reports', () => {
  it('names the outermost block of the transaction in whose check it fell', () => {
    expect(report('t1: r y, begin A, begin B, r x; t2: w x; t1: w x, end, end')).toEqual({
      firstEvent: 6,
      violations: [{ kind: 'trace', event: 6, thread: 't1', block: 'A at 2' }],
    });
  });

  it('may fall at the end of one transaction in the check of another', () => {
    const { firstEvent, violations } = report(
      't1: begin A, w x; t2: begin B, w y; t1: r y; t2: r x; t1: end',
    );
    expect(firstEvent).toBe(7);
    expect(violations).toEqual([{ kind: 'trace', event: 7, thread: 't2', block: 'B at 3' }]);
  });

  it('ends open transactions with the trace', () => {
    expect(report('t1: begin A, w x; t2: begin B, w y; t1: r y; t2: r x').firstEvent).toBe(6);
  });

  it('stops looking after the first violation', () => {
    const twice = 't1: begin A, r x; t2: w x; t1: w x, end, begin B, r x; t2: w x; t1: w x, end';
    expect(report(twice).violations).toHaveLength(1);
  });

  it('gives no order to a child without events', () => {
    expect(report('t1: begin A, fork c, join c, end').violations).toEqual([]);
  });
});
