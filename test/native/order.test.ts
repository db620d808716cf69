import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { TraceReader } from '../../src/formats/read.ts';
import { Op } from '../../src/trace/operation.ts';
import { trackside } from '../cli/run.ts';
import { COMPILERS, compiled, folderOf } from './programs.ts';

/** The words of `order.c`. */
const WORDS = ['lonely', 'first', 'second', 'low', 'high', 'busiest'].map((word) => `shared.${word}`);

/** Neighbours that are equal, once. */
function compressed<Value>(values: readonly Value[]): Value[] {
  return values.filter((value, i) => i === 0 || value !== values[i - 1]);
}

/** By thread and word: the values that the thread saw and wrote there, one after the other. */
function valuesSeen(output: string): Map<string, number[]> {
  const seen = new Map<string, number[]>();
  for (const line of output.trim().split('\n')) {
    const [thread, word, , value] = line.split(' ').map(Number);
    const key = `${thread + 1} ${word}`;
    const values = seen.get(key);
    if (values === undefined) seen.set(key, [value]);
    else values.push(value);
  }
  return seen;
}

/** By thread and word: after how many writes to the word each of the thread's accesses stands in the trace. */
async function writesBefore(trace: string): Promise<Map<string, number[]>> {
  const reader = await TraceReader.open(trace);
  const writes = WORDS.map(() => 0);
  const found = new Map<string, number[]>();
  for await (const { op, thread, operand, length } of reader.batches())
    for (let i = 0; i < length; i++) {
      if (op[i] !== Op.read && op[i] !== Op.write) continue;
      const word = WORDS.indexOf(reader.names.variables.text(operand[i]));
      if (word < 0) continue;
      if (op[i] === Op.write) writes[word]++;
      const number = /#(\d+)$/.exec(reader.names.threads.text(thread[i]))![1];
      const key = `${number} ${word}`;
      const accesses = found.get(key);
      if (accesses === undefined) found.set(key, [writes[word]]);
      else accesses.push(writes[word]);
    }
  return found;
}

describe.each(COMPILERS)('the order of accesses that race, compiled by %s', (compiler) => {
  it('is the one that the values tell', async () => {
    const trace = join(folderOf(compiler), 'order.trk');
    const program = compiled('order.c', compiler);
    const { stdout } = trackside([
      'native',
      '--atomic',
      'none',
      '--record',
      trace,
      '--',
      program,
      '3',
      '150000',
    ]);
    const recorded = await writesBefore(trace);
    const valueAfter = WORDS.map(() => new Map<number, number>());
    let told = 0;
    let misplaced = 0;
    for (const [key, values] of valuesSeen(stdout)) {
      const word = Number(key.split(' ')[1]);
      const accesses = compressed(recorded.get(key) ?? []);
      const different = compressed(values);
      // What is not recorded saw what the access before it saw.
      expect(accesses).toHaveLength(different.length);
      for (const [i, writes] of accesses.entries()) {
        const known = valueAfter[word].get(writes) ?? different[i];
        valueAfter[word].set(writes, different[i]);
        if (known === different[i]) told++;
        else misplaced++;
      }
    }
    expect(misplaced).toBe(0);
    expect(told).toBeGreaterThan(20_000);
  });
});
