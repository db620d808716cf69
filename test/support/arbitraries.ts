import fc from 'fast-check';
import { MemoryTrace, type NamedEvent } from '../../src/trace/memory-trace.ts';
import { type Choice, interpret, type Shape, type TraceConstraints, usualShape } from './choices.ts';
import { print } from './notation.ts';

/** Well-formed traces as lists of events. They shrink by leaving out turns, steps of turns, and parts of shapes. */
export function eventLists(constraints: TraceConstraints = {}): fc.Arbitrary<NamedEvent[]> {
  const { maxEvents = 40, ...fixed } = constraints;
  return fc
    .record({ shape: shapes(fixed), turns: fc.array(turns(), { maxLength: maxEvents, size: 'max' }) })
    .map(({ shape, turns }) => interpret(turns.flatMap(choicesOf).slice(0, maxEvents), shape));
}

/** Well-formed traces, shown in the notation when a property fails. */
export function traces(constraints: TraceConstraints = {}): fc.Arbitrary<MemoryTrace> {
  return eventLists(constraints).map((events) => {
    const trace = MemoryTrace.of(events);
    return Object.assign(trace, { [fc.toStringMethod]: () => print(trace) });
  });
}

function shapes(fixed: Partial<Shape>): fc.Arbitrary<Shape> {
  return fc
    .record({
      threads: fc.integer({ min: 2, max: 8 }),
      roots: fc.integer({ min: 1, max: 8 }),
      variables: fc.integer({ min: 1, max: 3 }),
      locks: fc.integer({ min: 0, max: 2 }),
      messages: fc.integer({ min: 0, max: 2 }),
      volatiles: fc.integer({ min: 0, max: 2 }),
      closed: fc.boolean(),
    })
    .map((varied) => ({ ...usualShape, ...varied, ...fixed }));
}

interface Turn {
  thread: number;
  steps: { op: number; operand: number }[];
}

/** Threads act in turns of a few steps, or hardly any block would be free of others. */
function turns(): fc.Arbitrary<Turn> {
  const step = fc.record({ op: fc.nat(1000), operand: fc.nat(7) });
  return fc.record({ thread: fc.nat(7), steps: fc.array(step, { minLength: 1, maxLength: 4 }) });
}

function choicesOf({ thread, steps }: Turn): Choice[] {
  return steps.map((step) => ({ thread, ...step }));
}
