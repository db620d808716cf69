import { describe, expect, it } from 'vitest';
import { atomsanitizer } from '../../src/analyses/atomsanitizer/index.ts';
import { trace } from '../support/notation.ts';
import { run } from '../support/run.ts';

/** What it reports, with names in place of ids. */
function report(notation: string) {
  const given = trace(notation);
  return run(atomsanitizer, given).violations.map(({ kind, event, thread, block }) => ({
    kind,
    event,
    thread: given.names.threads.text(thread),
    block: block && `${given.names.labels.text(block.label)} at ${block.begin}`,
  }));
}

describe('what atomsanitizer reports', () => {
  it('is the outermost block of the transaction that closes the cycle', () => {
    expect(report('t1: r y, begin A, begin B, r x; t2: w x; t1: w x, end, end')).toEqual([
      { kind: 'trace', event: 6, thread: 't1', block: 'A at 2' },
    ]);
  });

  it('is known at the event, while both transactions are open', () => {
    expect(report('t1: begin A, w x; t2: begin B, w y; t1: r y; t2: r x')).toEqual([
      { kind: 'trace', event: 6, thread: 't2', block: 'B at 3' },
    ]);
  });

  it('may be closed by a join', () => {
    expect(report('t1: begin A, fork c; c: w x; t1: join c, end')).toEqual([
      { kind: 'trace', event: 4, thread: 't1', block: 'A at 1' },
    ]);
  });

  it('is never an event outside every block: nothing can be after it yet', () => {
    expect(report('t1: begin A, w x; t2: r x, w y; t3: r y; t1: r z, end')).toEqual([]);
  });

  it('is only the first', () => {
    const twice = 't1: begin A, r x; t2: w x; t1: w x, end, begin B, r x; t2: w x; t1: w x, end';
    expect(report(twice)).toHaveLength(1);
  });
});
