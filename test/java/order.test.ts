import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { TraceReader } from '../../src/formats/read.ts';
import { locationText } from '../../src/trace/location.ts';
import { Op } from '../../src/trace/operation.ts';
import { trackside } from '../cli/run.ts';
import { javaPrograms, javas } from './jvm.ts';

const programs = javaPrograms('Order');
const SOURCE = readFileSync(new URL('./programs/Order.java', import.meta.url), 'utf8').split('\n');
const THREADS = 3;
/** More of them for a longer look: a million takes a minute. */
const ROUNDS = Number(process.env.ORDER_ROUNDS ?? 20_000);

/** Lines of the program at which something is written that nobody else writes, or read. */
function linesWith(pattern: RegExp): Set<string> {
  const lines = SOURCE.flatMap((line, i) => (pattern.test(line) ? [`Order.java:${i + 1}`] : []));
  return new Set(lines);
}

describe.each(javas())('with %s', (java) => {
  it('what threads read without any lock is what the trace says was written before', async () => {
    const trace = join(programs.classes, 'order.trk');
    const values = join(programs.classes, 'values');
    const command = [java, '-cp', programs.classes, 'Order', String(THREADS), String(ROUNDS), values];
    const run = trackside(['java', '--everything', '--record', trace, '--', ...command]);
    expect(run).toMatchObject({ status: 0, stderr: '' });
    const { reads, misplaced } = await compare(trace, readFileSync(values));
    expect(reads).toBe(3 * THREADS * ROUNDS);
    expect(misplaced).toBe(0);
  }, 600_000);
});

/** Executes the trace, and compares each read with what the program says that it read. */
async function compare(trace: string, values: Buffer): Promise<{ reads: number; misplaced: number }> {
  const writing = linesWith(/= value\+\+;/);
  const reading = linesWith(/seen\[3 \* i/);
  const reader = await TraceReader.open(trace);
  const { names } = reader;
  const content = new Map<number, number>();
  const written = new Array<number>(THREADS).fill(0);
  const read = new Array<number>(THREADS).fill(0);
  const lines = new Map<number, string>();
  let misplaced = 0;
  for await (const { op, thread, operand, location, length } of reader.batches()) {
    for (let i = 0; i < length; i++) {
      const worker = Number(/^worker (\d)$/.exec(names.threads.text(thread[i]))?.[1] ?? -1);
      if (worker < 0) continue;
      let line = lines.get(location[i]);
      if (line === undefined) {
        line = locationText(names.locations, location[i]) ?? '';
        lines.set(location[i], line);
      }
      if (op[i] === Op.write && writing.has(line)) {
        content.set(operand[i], worker * 0x1000000 + ++written[worker]);
      } else if (op[i] === Op.read && reading.has(line)) {
        const value = values.readInt32BE(4 * (3 * ROUNDS * worker + read[worker]++));
        if (value !== (content.get(operand[i]) ?? 0)) misplaced++;
      }
    }
  }
  return { reads: read.reduce((sum, count) => sum + count), misplaced };
}

it('the values are those of the program, so that the comparison can fail', () => {
  const values = join(programs.classes, 'alone');
  spawnSync('java', ['-cp', programs.classes, 'Order', '2', '1000', values]);
  expect(new Set(readFileSync(values)).size).toBeGreaterThan(10);
});
