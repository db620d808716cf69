import { describe, expect, it } from 'vitest';
import { GENERATE_DEFAULTS, type GenerateOptions, TraceGenerator } from '../../src/generate/generate.ts';
import { MemoryTrace } from '../../src/trace/memory-trace.ts';
import type { Op } from '../../src/trace/operation.ts';
import { WellFormedness } from '../../src/trace/wellformed.ts';
import { judge } from '../oracle/oracle.ts';
import { print } from '../support/notation.ts';

function generated(options: Partial<GenerateOptions>): MemoryTrace {
  const generator = new TraceGenerator({ ...GENERATE_DEFAULTS, ...options });
  const trace = new MemoryTrace();
  for (const batch of generator.batches()) {
    for (let i = 0; i < batch.length; i++) {
      const op = batch.op[i] as Op;
      trace.push(
        trace.names.threads.internText(generator.names.threads.text(batch.thread[i])),
        op,
        trace.names.operandTable(op).internText(generator.names.operandTable(op).text(batch.operand[i])),
        batch.location[i],
      );
    }
  }
  return trace;
}

const SMALL = {
  events: 150,
  threads: 3,
  variables: 12,
  locks: 2,
  sharedVariables: 0.5,
  transactionLength: 3,
  sharing: 0.8,
};

describe('a generated trace', () => {
  it('is well-formed and has at least the events asked for', () => {
    const trace = generated({ events: 50_000, violations: 0.2 });
    const wellFormedness = new WellFormedness(trace.names, { lenient: false });
    for (const batch of trace.copies()) wellFormedness.check(batch);
    expect(trace.length).toBeGreaterThanOrEqual(50_000);
    expect(trace.length).toBeLessThan(50_000 + 8 * 4);
  });

  it('is serializable when no violations are asked for', () => {
    for (let seed = 0; seed < 40; seed++) {
      expect(judge(generated({ ...SMALL, seed, violations: 0 })).serializable).toBe(true);
    }
  });

  it('is mostly not serializable when they are', () => {
    const verdicts = Array.from(
      { length: 40 },
      (_, seed) => judge(generated({ ...SMALL, seed, violations: 1 })).serializable,
    );
    expect(verdicts.filter((serializable) => !serializable).length).toBeGreaterThan(20);
  });

  it('is the same for the same seed, and another for another', () => {
    expect(print(generated({ ...SMALL, seed: 7 }))).toBe(print(generated({ ...SMALL, seed: 7 })));
    expect(print(generated({ ...SMALL, seed: 7 }))).not.toBe(print(generated({ ...SMALL, seed: 8 })));
  });

  it('needs a variable for every thread', () => {
    expect(() => generated({ variables: 4, threads: 8, locks: 1 })).toThrow('there are too few variables');
  });
});
