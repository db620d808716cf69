import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Evidence, Meeting, Step } from '../../../src/node/join/steps.ts';
import { StoreOrder } from '../../../src/node/join/store-order.ts';
import { valueCode } from '../../../src/trace/evidence.ts';

/*
 * A store is played: steps are done one after the other in an order that only the test knows, and each process learns what it would
 * learn. Whatever is concluded from that has to be so in the true order.
 */

/** What one step does: to which variable, with what. */
interface Played {
  process: number;
  connection: number;
  variable: number;
  act: 'read' | 'write' | 'update' | 'swap';
  value: number;
  /** How many steps are done between sending and doing, and between doing and the answer. */
  before: number;
  after: number;
}

const played = fc.array(
  fc.record({
    process: fc.nat(2),
    connection: fc.nat(1),
    variable: fc.nat(1),
    act: fc.constantFrom<Played['act']>('read', 'write', 'update', 'swap'),
    value: fc.nat(4),
    before: fc.nat(3),
    after: fc.nat(3),
  }),
  { maxLength: 14 },
);

interface Known {
  evidence: Evidence;
  /** When each step was done. */
  times: Map<Step, number>;
}

function play(script: readonly Played[], meetings: readonly Meeting[] = []): Known {
  const values = [0, 0];
  const done = script.map(({ act, variable, value }, time) => {
    const seen = values[variable];
    if (act === 'write' || act === 'swap') values[variable] = value;
    else if (act === 'update') values[variable]++;
    return { time, seen, left: values[variable] };
  });
  const steps: Step[][] = [[], [], []];
  const times = new Map<Step, number>();
  /** What goes through one connection is answered in the order in which it is sent. */
  const answers = new Map<string, number>();
  const spans = script.map(({ process, connection, before, after }, time) => {
    const key = `${process} ${connection}`;
    const sent = time - before - 0.5;
    const answered = Math.max(time + 0.5 + after, (answers.get(key) ?? 0) + 0.01) + time / 10_000;
    answers.set(key, answered);
    return { sent, answered };
  });
  for (const process of [0, 1, 2]) {
    const own = script
      .map((step, i) => ({ ...step, ...spans[i], ...done[i] }))
      .filter((step) => step.process === process)
      .sort((a, b) => a.answered - b.answered);
    own.forEach(({ variable, act, seen, left, time, connection, sent }, i) => {
      const step: Step = {
        process,
        number: i + 1,
        connection: connection + 1,
        sent: own.filter((other) => other.answered <= sent).length,
        accesses: [
          {
            variable,
            event: 10 * i,
            thread: 'main',
            block: null,
            kind: act === 'swap' ? 'write' : act,
            seen: act === 'read' || act === 'swap' ? valueCode(seen, true) : '',
            wrote: act === 'write' || act === 'swap' ? valueCode(left, true) : '',
            version: 0,
          },
        ],
      };
      steps[process].push(step);
      times.set(step, time);
    });
  }
  const variables = ['x', 'y'].map((name) => ({ store: 's', name, within: null, isExpiry: false }));
  return { evidence: { processes: 3, variables, steps, meetings }, times };
}

describe('the order of what several processes did to a store', () => {
  it('holds nothing that was not so, whatever the processes have learned', () => {
    fc.assert(
      fc.property(played, (script) => {
        const { evidence, times } = play(script);
        const order = StoreOrder.of(evidence);
        expect([...order.unexplained]).toEqual([]);
        for (const [one, at] of times)
          for (const [other, then] of times) if (order.isBefore(one, other)) expect(at).toBeLessThan(then);
      }),
      { numRuns: 800, seed: 7 },
    );
  });

  it('takes nothing for impossible that was so', () => {
    fc.assert(
      fc.property(played, (script) => {
        const { evidence, times } = play(script);
        const order = StoreOrder.of(evidence);
        const shared = [...times].filter(([step]) => order.nodes.has(step)).slice(0, 4);
        for (const [one, at] of shared)
          for (const [other, then] of shared)
            if (at < then) expect(order.assuming(one, other)).not.toBeNull();
      }),
      { numRuns: 200, seed: 8 },
    );
  });

  const step = (process: number, act: Played['act'], value = 0): Played => ({
    process,
    connection: 0,
    variable: 0,
    act,
    value,
    before: 9,
    after: 9,
  });

  it('follows from a value that only one has written', () => {
    const { evidence } = play([step(0, 'read'), step(0, 'write', 3), step(1, 'read'), step(0, 'write', 4)]);
    const order = StoreOrder.of(evidence);
    const [[, first, last], [read]] = evidence.steps;
    expect(order.isBefore(first, read)).toBe(true);
    expect(order.isBefore(read, last)).toBe(true);
  });

  it('is unknown for two writes that nobody has seen between', () => {
    const { evidence } = play([step(0, 'write', 3), step(1, 'write', 4)]);
    const order = StoreOrder.of(evidence);
    const [[one], [other]] = evidence.steps;
    expect(order.isBefore(one, other) || order.isBefore(other, one)).toBe(false);
  });

  it('follows from who has started whom', () => {
    const script = [step(0, 'write', 3), step(1, 'write', 3)];
    const started = { cause: { process: 0, step: 2 }, effect: { process: 1, step: null } };
    const { evidence } = play(script, [started]);
    const [[one], [other]] = evidence.steps;
    expect(StoreOrder.of(evidence).isBefore(one, other)).toBe(true);
  });

  it('is not made up where somebody else has written, too', () => {
    const { evidence } = play([step(0, 'write', 3), step(1, 'read'), step(0, 'read')]);
    const [{ accesses }] = evidence.steps[1];
    const [, { accesses: own }] = evidence.steps[0];
    const foreign = evidence.steps.map((steps) => [...steps]);
    foreign[1][0] = { ...foreign[1][0], accesses: [{ ...accesses[0], seen: valueCode(77, true) }] };
    foreign[0][1] = { ...foreign[0][1], sent: 1, accesses: [{ ...own[0], seen: valueCode(78, true) }] };
    expect(StoreOrder.of({ ...evidence, steps: foreign }).unexplained.size).toBe(1);
  });
});
