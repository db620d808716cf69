import { inflateRawSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { MemoryTrace } from '../../src/trace/memory-trace.ts';
import type { Op } from '../../src/trace/operation.ts';
import { decodeChunk } from '../../src/view/chunk-codec.ts';
import { readNameIndex, TABLES } from '../../src/view/name-index.ts';
import { type NamesPart, type TraceHeader, traceParts } from '../../src/view/trace-parts.ts';
import { temporaryFolder } from '../cli/run.ts';
import { print } from '../support/notation.ts';

const folder = temporaryFolder();

/** The parts of a page about a trace, taken apart. */
async function partsOf(std: string, range: { from?: number; to?: number } = {}) {
  const total = std.trimEnd().split('\n').length;
  const path = folder.write('trace.std', std);
  const parts: { kind: string; bytes: Buffer }[] = [];
  for await (const part of traceParts(path, { format: 'std', total, from: 1, to: total, ...range })) {
    const [, kind, text] =
      /^<script type="application\/octet-stream" data-part="(\w+)">([A-Za-z0-9+/=]*)<\/script>\n$/.exec(
        part,
      ) as RegExpExecArray;
    parts.push({ kind, bytes: inflateRawSync(Buffer.from(text, 'base64')) });
  }
  const of = (kind: string) => parts.filter((part) => part.kind === kind).map(({ bytes }) => bytes);
  const chunks = of('chunk').map(decodeChunk);
  return {
    chunks,
    header: JSON.parse(of('trace')[0].toString()) as TraceHeader,
    ...(JSON.parse(of('names')[0].toString()) as NamesPart),
    index: readNameIndex(of('operands')[0], chunks.length),
  };
}

type Parts = Awaited<ReturnType<typeof partsOf>>;

/** The events that the parts hold, in the notation of the tests. */
function notation({ chunks, names }: Parts): string {
  const tables = [
    names.variables,
    names.variables,
    names.variables,
    names.locks,
    names.locks,
    names.threads,
    names.threads,
    names.labels,
    names.labels,
  ];
  return print(
    MemoryTrace.of(
      chunks.flatMap(({ length, op, thread, operand }) =>
        Array.from({ length }, (_, i) => ({
          thread: names.threads[thread[i]],
          op: op[i] as Op,
          operand: tables[op[i]][operand[i]],
        })),
      ),
    ),
  );
}

const line = (thread: string, op: string) => `${thread}|${op}|1\n`;

describe('the parts of a page about a trace', () => {
  it('hold every event with its names', async () => {
    const std = [
      't1|begin(A)|1',
      't1|acq(l)|2',
      't1|w(x)|3',
      't1|fork(t2)|4',
      't2|r(x)|5',
      't1|rel(l)|f:6',
      't1|end(A)|7',
      '',
    ];
    const parts = await partsOf(std.join('\n'));
    expect(notation(parts)).toBe('t1: begin A, acq l, w x, fork t2; t2: r x; t1: rel l, end');
    expect(parts.names.locations).toEqual(['f:6']);
    expect(parts.header).toMatchObject({ first: 1, events: 7, total: 7, format: 'std', lanes: 2 });
  });

  it('hold a stretch of the trace only, where that was asked for', async () => {
    const parts = await partsOf(['r(a)', 'r(b)', 'r(c)', 'r(d)'].map((op) => line('t1', op)).join(''), {
      from: 2,
      to: 3,
    });
    expect(notation(parts)).toBe('t1: r b, r c');
    expect(parts.header).toMatchObject({ first: 2, events: 2, total: 4 });
  });

  it('list the blocks that are open where a chunk starts', async () => {
    const inside = Array.from({ length: 100 }, () => line('t1', 'w(x)')).join('');
    const std = `${line('t1', 'begin(outer)')}${line('t1', 'begin(inner)')}${inside}${line('t1', 'end(inner)')}`;
    const { chunks, header, names } = await partsOf(std);
    expect(header.chunkEvents).toBe(64);
    expect(chunks.map(({ open }) => open.map(({ label, begin }) => [names.labels[label], begin]))).toEqual([
      [],
      [
        ['outer', 1],
        ['inner', 2],
      ],
    ]);
  });

  it('say in which chunks a name occurs, how often it does, and what each thread did there', async () => {
    const std = Array.from({ length: 128 }, (_, i) => line(`t${i % 2}`, i === 100 ? 'w(rare)' : 'r(x)')).join(
      '',
    );
    const { index, counts, names } = await partsOf(std);
    const variables = index.map((chunk) =>
      [...chunk.names[TABLES.indexOf('variables')]].map((id) => names.variables[id]),
    );
    expect(variables).toEqual([['x'], ['x', 'rare']]);
    expect(counts.variables).toEqual([127, 1]);
    expect(index.map(({ threadEvents }) => [...threadEvents])).toEqual([
      [32, 32],
      [32, 32],
    ]);
  });

  it('give short threads that follow each other one lane', async () => {
    const lives = Array.from(
      { length: 50 },
      (_, i) => `${line('main', `fork(w${i})`)}${line(`w${i}`, 'w(x)')}${line(`w${i}`, 'r(x)')}`,
    );
    const { header, names } = await partsOf(lives.join(''));
    expect(header.lanes).toBe(2);
    const worker = names.threads.indexOf('w7');
    expect(header.threads.lane[worker]).toBe(1);
    expect([
      header.threads.forked[worker],
      header.threads.first[worker],
      header.threads.last[worker],
    ]).toEqual([22, 23, 24]);
  });

  it('give threads that are there at the same time lanes of their own', async () => {
    const round = ['a', 'b', 'c'].map((thread) => line(thread, 'w(x)')).join('');
    const { header } = await partsOf(`${round}${line('never', 'fork(ghost)')}${round}`);
    expect(header.lanes).toBe(4);
    expect(new Set(header.threads.lane.filter((lane) => lane >= 0)).size).toBe(4);
    expect(header.threads.lane.filter((lane) => lane < 0)).toHaveLength(1);
  });

  it('shorten names that are very long', async () => {
    const { names } = await partsOf(line('t1', `w(${'x'.repeat(1 << 20)})`));
    expect(names.variables[0].length).toBeLessThan(200);
  });
});
