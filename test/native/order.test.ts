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

/**
 * By thread and word: after how many writes to the word each of the thread's accesses stands in the trace. With `late`, one write out
 * of so many counts only after the next access to its word.
 */
async function writesBefore(trace: string, late: number): Promise<Map<string, number[]>> {
  const reader = await TraceReader.open(trace);
  const writes = WORDS.map(() => 0);
  const delayed = WORDS.map(() => 0);
  const found = new Map<string, number[]>();
  let all = 0;
  for await (const { op, thread, operand, length } of reader.batches())
    for (let i = 0; i < length; i++) {
      if (op[i] !== Op.read && op[i] !== Op.write) continue;
      const word = WORDS.indexOf(reader.names.variables.text(operand[i]));
      if (word < 0) continue;
      const known = delayed[word];
      delayed[word] = 0;
      if (op[i] === Op.write && ++all % late === 0) delayed[word] = 1;
      else if (op[i] === Op.write) writes[word]++;
      const number = /#(\d+)$/.exec(reader.names.threads.text(thread[i]))![1];
      const key = `${number} ${word}`;
      const accesses = found.get(key);
      if (accesses === undefined) found.set(key, [writes[word]]);
      else accesses.push(writes[word]);
      writes[word] += known;
    }
  return found;
}

/** How many accesses saw what the trace says that they saw, and how many something else. */
async function compared(
  trace: string,
  output: string,
  late = Number.POSITIVE_INFINITY,
): Promise<{ told: number; misplaced: number }> {
  const recorded = await writesBefore(trace, late);
  const valueAfter = WORDS.map(() => new Map<number, number>());
  let told = 0;
  let misplaced = 0;
  for (const [key, values] of valuesSeen(output)) {
    const word = Number(key.split(' ')[1]);
    const accesses = compressed(recorded.get(key) ?? []);
    const different = compressed(values);
    // What is not recorded saw what the access before it saw.
    if (accesses.length !== different.length) misplaced += Math.abs(accesses.length - different.length);
    for (const [i, writes] of accesses.slice(0, different.length).entries()) {
      const known = valueAfter[word].get(writes) ?? different[i];
      valueAfter[word].set(writes, different[i]);
      if (known === different[i]) told++;
      else misplaced++;
    }
  }
  return { told, misplaced };
}

describe.each(COMPILERS)('the order of accesses that race, compiled by %s', (compiler) => {
  it('is the one that the values tell', async () => {
    const trace = join(folderOf(compiler), 'order.trk');
    const program = [compiled('order.c', compiler), '3', '100000'];
    const { stdout } = trackside(['native', '--atomic', 'none', '--record', trace, '--', ...program]);
    const { told, misplaced } = await compared(trace, stdout);
    expect(misplaced).toBe(0);
    expect(told).toBeGreaterThan(10_000);
    // If one write in a thousand were one access too late in the trace, this would show.
    expect((await compared(trace, stdout, 1000)).misplaced).toBeGreaterThan(0);
  });
});
