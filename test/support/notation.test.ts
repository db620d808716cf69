import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { NamedEvent } from '../../src/trace/memory-trace.ts';
import { OPERATION_COUNT, Op } from '../../src/trace/operation.ts';
import { events, print, printEvents, trace } from './notation.ts';

describe('reading the notation', () => {
  it('reads turns of threads', () => {
    expect(events('t1: begin A, r x; t2: w x; t1: end')).toEqual([
      { thread: 't1', op: Op.begin, operand: 'A' },
      { thread: 't1', op: Op.read, operand: 'x' },
      { thread: 't2', op: Op.write, operand: 'x' },
      { thread: 't1', op: Op.end, operand: 'A' },
    ]);
  });

  it('knows every operation', () => {
    const all = 't: r x, w x, u x, acq l, rel l, fork c, join c, begin A, end A';
    expect(events(all).map((event) => event.op)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
  });

  it('takes a new line for a semicolon, and leaves empty turns out', () => {
    expect(events('\n  t1: r x\n\n  t2: w x;;\n')).toEqual(events('t1: r x; t2: w x'));
  });

  it('gives a bare end the label of the innermost open block of its thread', () => {
    const labels = events('t1: begin A, begin B; t2: begin C; t1: end, end; t2: end').map((e) => e.operand);
    expect(labels).toEqual(['A', 'B', 'C', 'B', 'A', 'C']);
  });

  it('names a block that is given no label', () => {
    const labels = events('t1: begin, begin, end, end').map((event) => event.operand);
    expect(labels).toEqual(['block1', 'block2', 'block2', 'block1']);
  });

  it('reads names in quotes, escaped as in JSON', () => {
    expect(events('"a thread": w "x, \\"y\\"; z:\\u0000"')).toEqual([
      { thread: 'a thread', op: Op.write, operand: 'x, "y"; z:\0' },
    ]);
  });

  it('gives no event for an empty text', () => {
    expect(events('')).toEqual([]);
    expect(trace('').length).toBe(0);
  });
});

describe('refusing bad notation', () => {
  it.each([
    ['t1 r x', 'line 1, column 4: found "r"; expected \':\' after the thread'],
    [': r x', 'column 1: found ":"; expected the name of a thread'],
    ['t1: r x; t2: read x', 'column 14: found "read"; expected an operation'],
    ['t1: r x\nt2: w', "line 2, column 6: found the end of the text; expected a name after 'w'"],
    ['t1: r x y', "column 9: found \"y\"; expected ',' or ';'"],
    ['t1: r x,; t2: w x', 'column 9: found ";"; expected an operation'],
    ['t1: end', 'expected a label: t1 has no open block'],
    ['t1: r "x', 'column 7: found a quote without its end'],
    ['t1: r "\\q"', 'escaped as in JSON'],
  ])('%s', (notation, message) => {
    expect(() => events(notation)).toThrow(message);
  });
});

describe('writing the notation', () => {
  it('joins the events of a thread that follow each other into one turn', () => {
    const notation = 't1: begin A, r x; t2: w x; t1: w x, end';
    expect(print(trace(notation))).toBe(notation);
  });

  it('writes the label of an end only where it is not that of the block it closes', () => {
    expect(printEvents(events('t: begin A, end B, end C'))).toBe('t: begin A, end B, end C');
  });

  it('gives back what it has written, whatever the names are', () => {
    const event: fc.Arbitrary<NamedEvent> = fc.record({
      thread: fc.string({ unit: 'binary' }),
      op: fc.nat(OPERATION_COUNT - 1) as fc.Arbitrary<Op>,
      operand: fc.string({ unit: 'binary' }),
    });
    fc.assert(
      fc.property(fc.array(event), (list) => {
        expect(events(printEvents(list))).toEqual(list);
      }),
    );
  });
});
