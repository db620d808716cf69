import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { TraceReader } from '../../src/formats/read.ts';
import { locationText } from '../../src/trace/location.ts';
import { accessKind, isAccess, Op } from '../../src/trace/operation.ts';
import { trackside } from '../cli/run.ts';
import { javaPrograms, javas } from './jvm.ts';

const programs = javaPrograms('Order', 'Owned', 'Scattered', 'Virtual');
const SOURCE = readFileSync(new URL('./programs/Order.java', import.meta.url), 'utf8').split('\n');
const THREADS = 3;
/** In a round of a thread. */
const READS = 5;
/** More of them for a longer look: a million takes a minute. */
const ROUNDS = Number(process.env.ORDER_ROUNDS ?? 4_000);

/** Of what one thread has to itself, and another reads. */
const HANDOVERS = Number(process.env.ORDER_HANDOVERS ?? 200);

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
    const seen = readFileSync(values);
    expect(await compare(trace, seen)).toEqual({ reads: READS * THREADS * ROUNDS, misplaced: 0 });
    // If writes were sometimes one access too late in the trace, this would show.
    expect((await compare(trace, seen, 100)).misplaced).toBeGreaterThan(0);
  }, 600_000);

  it('what a thread writes that it has to itself is cut where another thread reads it', async () => {
    const trace = join(programs.classes, 'owned.trk');
    const values = join(programs.classes, 'owned');
    const command = [java, '-cp', programs.classes, 'Owned', String(HANDOVERS), '7', values];
    const run = trackside(['java', '--record', trace, '--', ...command]);
    expect(run).toMatchObject({ status: 0, stderr: '' });
    const { reads, after, misplaced } = await handovers(trace, readFileSync(values));
    expect(misplaced).toBe(0);
    expect(reads).toBe(HANDOVERS);
    expect(after).toBeGreaterThan(0);
  }, 600_000);

  it('variables of all kinds hold what the trace says, for virtual threads, too', async () => {
    const trace = join(programs.classes, 'scattered.trk');
    const values = join(programs.classes, 'scattered');
    const command = [java, '-cp', programs.classes, 'Scattered', String(ROUNDS), values];
    const run = trackside(['java', '--everything', '--record', trace, '--', ...command]);
    expect(run).toMatchObject({ status: 0, stderr: '' });
    expect(await scattered(trace, readFileSync(values))).toEqual({ accesses: 4 * ROUNDS, misplaced: 0 });
  }, 600_000);

  it('what two threads write in no order is written down, virtual threads included', async () => {
    const trace = join(programs.classes, 'virtual.trk');
    const run = trackside(['java', '--record', trace, '--', java, '-cp', programs.classes, 'Virtual']);
    expect(run).toMatchObject({ status: 0, stderr: '' });
    expect(await writesOf(trace, /^Virtual\.field of /)).toBeGreaterThan(1);
  });
});

/** Executes the trace of `Scattered`, in which each round of a thread is one access, of the kind that its line says. */
async function scattered(trace: string, values: Buffer): Promise<{ accesses: number; misplaced: number }> {
  const source = readFileSync(new URL('./programs/Scattered.java', import.meta.url), 'utf8').split('\n');
  const reader = await TraceReader.open(trace);
  const { names } = reader;
  const content = new Map<number, number>();
  const rounds = [0, 0, 0, 0];
  const figures = { accesses: 0, misplaced: 0 };
  for await (const { op, thread, operand, location, length } of reader.batches())
    for (let i = 0; i < length; i++) {
      if (!isAccess(op[i])) continue;
      const line = /^Scattered\.java:(\d+)/.exec(locationText(names.locations, location[i]) ?? '')?.[1];
      const kind = / \/\/ ([rwx])$/.exec(source[Number(line) - 1] ?? '')?.[1];
      if (kind === undefined) continue;
      const worker = Number(/\d$/.exec(names.threads.text(thread[i])));
      // What reads and writes at once is both in the trace.
      const isHalf = kind === 'x' && accessKind(op[i]) === Op.read;
      const round = isHalf ? rounds[worker] : rounds[worker]++;
      const read = values.readInt32BE(4 * (ROUNDS * worker + round));
      if (!isHalf) figures.accesses++;
      if (kind !== 'w' && read !== (content.get(operand[i]) ?? 0)) figures.misplaced++;
      if (kind !== 'r' && !isHalf) content.set(operand[i], worker * 0x1000000 + round + 1);
    }
  return figures;
}

async function writesOf(trace: string, variable: RegExp): Promise<number> {
  const reader = await TraceReader.open(trace);
  let writes = 0;
  for await (const { op, operand, length } of reader.batches())
    for (let i = 0; i < length; i++) {
      const isWrite = isAccess(op[i]) && accessKind(op[i]) === Op.write;
      if (isWrite && variable.test(reader.names.variables.text(operand[i]))) writes++;
    }
  return writes;
}

/**
 * The last write before each read, and the first one after it, stand in the lines that the value tells. `after`: how often there was
 * one after it.
 */
async function handovers(
  trace: string,
  values: Buffer,
): Promise<{ reads: number; after: number; misplaced: number }> {
  const source = readFileSync(new URL('./programs/Owned.java', import.meta.url), 'utf8').split('\n');
  const reader = await TraceReader.open(trace);
  const { names } = reader;
  const last = new Map<number, number>();
  const next = new Map<number, number>();
  const figures = { reads: 0, after: 0, misplaced: 0 };
  for await (const { op, operand, location, length } of reader.batches())
    for (let i = 0; i < length; i++) {
      if (!isAccess(op[i])) continue;
      const line = /^Owned\.java:(\d+)/.exec(locationText(names.locations, location[i]) ?? '')?.[1];
      const mark = / \/\/ (\d|read)$/.exec(source[Number(line) - 1] ?? '')?.[1];
      const isWrite = accessKind(op[i]) === Op.write;
      if (mark !== undefined && mark !== 'read' && isWrite) {
        last.set(operand[i], Number(mark));
        const expected = next.get(operand[i]);
        next.delete(operand[i]);
        if (expected !== undefined) figures.after++;
        if (expected !== undefined && expected !== Number(mark)) figures.misplaced++;
      } else if (mark === 'read' && /field of|\[299\]/.test(names.variables.text(operand[i]))) {
        const value = values.readInt32BE(4 * figures.reads++);
        if ((value === 0 ? undefined : value % 4) !== last.get(operand[i])) figures.misplaced++;
        next.set(operand[i], value === 0 ? 0 : (value + 1) % 4);
        last.delete(operand[i]);
      }
    }
  return figures;
}

/**
 * Executes the trace, and compares each read with what the program says that it read. With `late`, one write out of so many takes
 * effect only after the next access to its variable.
 */
async function compare(
  trace: string,
  values: Buffer,
  late = Number.POSITIVE_INFINITY,
): Promise<{ reads: number; misplaced: number }> {
  const writing = linesWith(/value\+\+/);
  const reading = linesWith(/seen\[5 \* i/);
  const reader = await TraceReader.open(trace);
  const { names } = reader;
  const content = new Map<number, number>();
  const delayed = new Map<number, number>();
  const written = new Array<number>(THREADS).fill(0);
  const read = new Array<number>(THREADS).fill(0);
  const lines = new Map<number, string>();
  let writes = 0;
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
      const kind = isAccess(op[i]) ? accessKind(op[i]) : null;
      if (kind === Op.write && writing.has(line)) {
        const value = worker * 0x1000000 + ++written[worker];
        if (++writes % late === 0) delayed.set(operand[i], value);
        else content.set(operand[i], value);
      } else if (kind === Op.read && reading.has(line)) {
        const value = values.readInt32BE(4 * (READS * ROUNDS * worker + read[worker]++));
        if (value !== (content.get(operand[i]) ?? 0)) misplaced++;
        const overdue = delayed.get(operand[i]);
        if (overdue !== undefined) content.set(operand[i], overdue);
        delayed.delete(operand[i]);
      }
    }
  }
  return { reads: read.reduce((sum, count) => sum + count), misplaced };
}
