import { mkdtemp, open, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TraceReader } from '../../src/formats/read.ts';
import { InputProblem } from '../../src/trace/problem.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trackside-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function file(name: string, content: string | Uint8Array): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, content);
  return path;
}

/** Reads a whole trace; the first event number of each batch shows how it was cut. */
async function readAll(path: string, options = {}) {
  const reader = await TraceReader.open(path, options);
  let events = 0;
  let problem: InputProblem | null = null;
  try {
    for await (const batch of reader.batches()) {
      expect(batch.firstEvent).toBe(events + 1);
      events += batch.length;
    }
  } catch (error) {
    if (!(error instanceof InputProblem)) throw error;
    problem = error;
  }
  return { events, problem, reader };
}

/** Lines of growing length, so that lines, windows and batches end in different places. */
function manyLines(count: number): string {
  const lines: string[] = [];
  for (let i = 0; i < count; i++) lines.push(`T${i % 7}|w(V${i % 1000}${'x'.repeat(i % 50)})|${i}`);
  return `${lines.join('\n')}\n`;
}

describe('reading a trace', () => {
  it('gives every event once, across windows and batches', async () => {
    const { events, reader } = await readAll(await file('many.std', manyLines(100_000)));
    expect(events).toBe(100_000);
    expect(reader.progress).toEqual({ position: reader.progress.total, total: reader.progress.total });
  });

  it('unpacks gzip, whatever the file is called, also in several members', async () => {
    const text = manyLines(50_000);
    const path = await file('packed.std', Buffer.concat([gzipSync(text), gzipSync(text)]));
    expect((await readAll(path)).events).toBe(100_000);
  });

  it('has no events in an empty file, packed or not', async () => {
    expect(await readAll(await file('empty.std', ''))).toMatchObject({ events: 0, problem: null });
    expect(await readAll(await file('empty.std.gz', gzipSync('')))).toMatchObject({
      events: 0,
      problem: null,
    });
  });

  it('copies what it reads if asked to', async () => {
    const text = manyLines(40_000);
    const source = await file('original.std.gz', gzipSync(text));
    const copy = await open(join(folder, 'copy.std'), 'w+');
    await readAll(source, { copyTo: copy });
    await copy.close();
    expect(await readFile(join(folder, 'copy.std'), 'utf8')).toBe(text);
  });

  it('takes a name of a megabyte and refuses a line of a hundred', async () => {
    const path = await file('long.std', `T0|r(${'x'.repeat(1 << 20)})|1\n`);
    expect(await readAll(path)).toMatchObject({ events: 1, problem: null });
    await writeFile(path, 'T0|r(a)|1\nT0|r(');
    await truncate(path, 100 << 20);
    const filled = await open(path, 'r+');
    await filled.write(Buffer.alloc(100 << 20, 'x'), 0, 100 << 20, 15);
    await filled.close();
    const { events, problem } = await readAll(path);
    expect(events).toBe(1);
    expect(problem?.describe()).toMatch(
      /long\.std:2:1: this line is too long; found more than 16777216 bytes/,
    );
  });

  it('yields what came before a problem first', async () => {
    const { events, problem } = await readAll(await file('bad.std', 'T0|r(x)|1\nT0|q(x)|2\n'));
    expect(events).toBe(1);
    expect(problem?.describe()).toBe(
      `${join(folder, 'bad.std')}:2:4: unknown operation; found 'q'; ` +
        'expected one of r, w, u, acq, rel, fork, join, begin, end, arrive, leave, vr, vw, vu, send, receive, notify, wait',
    );
  });
});

describe('input that cannot be read', () => {
  it('says so for a file that is not there', async () => {
    const path = join(folder, 'nowhere.std');
    await expect(TraceReader.open(path)).rejects.toMatchObject({
      summary: 'there is no such file',
      file: path,
    });
  });

  it('says so for a folder', async () => {
    await expect(TraceReader.open(folder)).rejects.toMatchObject({
      summary: 'this is a folder, not a trace',
    });
  });

  it('says so for gzip that is cut or damaged', async () => {
    const packed = gzipSync(manyLines(30_000));
    const cut = await readAll(await file('cut.std.gz', packed.subarray(0, packed.length - 100)));
    expect(cut.problem?.summary).toBe('the gzip data is cut off');
    packed.fill(0xff, 1000, 1100);
    const damaged = await readAll(await file('damaged.std.gz', packed)).catch((error) => ({
      problem: error,
    }));
    expect(damaged.problem?.summary).toBe('the gzip data is damaged');
  });

  it('saves what it can of a cut gzip when lenient', async () => {
    const packed = gzipSync(manyLines(30_000));
    const path = await file('half.std.gz', packed.subarray(0, packed.length / 2));
    const { events, problem, reader } = await readAll(path, { lenient: true });
    expect(problem).toBeNull();
    expect(events).toBeGreaterThan(1000);
    expect(events).toBeLessThan(30_000);
    expect(reader.repaired).toBeGreaterThan(0);
  });
});
