import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { AnalysisDescription } from '../../src/analyses/analysis.ts';
import { analysesNamed } from '../../src/analyses/registry.ts';
import { type CheckOptions, checkTrace, type TraceCheck } from '../../src/check/check.ts';
import { resultsOf } from '../../src/check/results.ts';
import { explainViolations } from '../../src/check/second-look.ts';
import { TrkEncoder } from '../../src/formats/trk/writer.ts';
import { Specification } from '../../src/spec/specification.ts';
import { BATCH_CAPACITY, EventBatch } from '../../src/trace/batch.ts';
import { NO_LOCATION } from '../../src/trace/location.ts';
import { TraceNames } from '../../src/trace/names.ts';
import { Op } from '../../src/trace/operation.ts';
import { Random } from '../support/random-traces.ts';

/* A server makes and drops variables, locks and threads for ever: what they are called by in memory is used again. */

const folder = mkdtempSync(join(tmpdir(), 'trackside-test-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const THREADS = 4;
/** Alive at a time. */
const VARIABLES = 12;
const ROUNDS = 4 * BATCH_CAPACITY;

/** Blocks of four threads on variables of which one in a hundred is replaced by another after each step. */
function serverTrace(seed: number): string {
  const random = new Random(seed);
  const names = new TraceNames();
  const encoder = new TrkEncoder(names);
  const pieces: Uint8Array[] = [];
  const isInside = new Array<boolean>(THREADS).fill(false);
  for (let thread = 0; thread < THREADS; thread++) names.threads.internText(`t${thread}`);
  const label = names.labels.internText('serve');
  let made = 0;
  /** Names that are numbers, others, and one that comes again and again. */
  const another = () => {
    const name = ['V', 'row.', 'again'][made % 3];
    return names.variables.internText(name === 'again' ? `again${made % 5}` : `${name}${made++}`);
  };
  const alive = Array.from({ length: VARIABLES }, another);
  const locks = alive.map((_, i) => names.locks.internText(`lock ${i}`));
  const add = (thread: number, op: number, operand: number) => {
    const batch = new EventBatch(1);
    batch.push(thread, op, operand, NO_LOCATION, 0);
    pieces.push(...[...encoder.encode(batch)].map((piece) => piece.slice()));
  };
  for (let round = 0; round < ROUNDS; round++) {
    const thread = random.below(THREADS);
    if (random.oneIn(8)) {
      add(thread, isInside[thread] ? Op.end : Op.begin, label);
      isInside[thread] = !isInside[thread];
    } else {
      // Each thread has favourites, so that not everything conflicts with everything.
      const at = random.oneIn(40) ? random.below(VARIABLES) : thread * 3 + random.below(3);
      add(thread, random.oneIn(3) ? Op.write : Op.read, alive[at]);
      if (random.oneIn(10)) for (const op of [Op.acquire, Op.release]) add(thread, op, locks[at]);
      else if (random.oneIn(20)) add(thread, random.oneIn(2) ? Op.notify : Op.wait, locks[at]);
    }
    if (!random.oneIn(100)) continue;
    pieces.push(...[...encoder.flush()].map((piece) => piece.slice()));
    const at = random.below(VARIABLES);
    encoder.retireVariable(alive[at]);
    names.variables.retire(alive[at]);
    encoder.retireLock(locks[at]);
    names.locks.retire(locks[at]);
    locks[at] = names.locks.internText(`lock ${at}`);
    made++;
    alive[at] = another();
  }
  pieces.push(...encoder.finish());
  const path = join(folder, `server-${seed}.trk`);
  writeFileSync(path, Buffer.concat(pieces));
  return path;
}

/** A thread for each request, up to six at a time: most are waited for, and all are retired after their ends. */
function requestsTrace(seed: number): string {
  const random = new Random(seed);
  const names = new TraceNames();
  const encoder = new TrkEncoder(names);
  const pieces: Uint8Array[] = [];
  const push = (chunks: Iterable<Uint8Array>) => pieces.push(...[...chunks].map((piece) => piece.slice()));
  const label = names.labels.internText('serve');
  const variables = ['a', 'b', 'c', 'd'].map((name) => names.variables.internText(name));
  const main = names.threads.internText('main');
  const batch = new EventBatch(1);
  const add = (thread: number, op: number, operand: number) => {
    batch.length = 0;
    batch.push(thread, op, operand, NO_LOCATION, 0);
    push(encoder.encode(batch));
  };
  let running: { id: number; isInside: boolean; left: number }[] = [];
  const turn = (thread: (typeof running)[number]) => {
    add(thread.id, thread.isInside ? Op.end : Op.begin, label);
    thread.isInside = !thread.isInside;
  };
  for (let made = 0; made < 3000; ) {
    if (running.length < 6 && random.oneIn(4)) {
      // Names come again, as those of the threads of a pool.
      const id = names.threads.internText(`worker ${made++ % 40}`);
      if (running.some((thread) => thread.id === id)) continue;
      add(main, Op.fork, id);
      running.push({ id, isInside: false, left: 3 + random.below(8) });
    }
    if (running.length === 0) continue;
    const thread = running[random.below(running.length)];
    if (thread.left-- > 0) {
      if (!random.oneIn(3)) add(thread.id, random.oneIn(2) ? Op.write : Op.read, variables[random.below(4)]);
      else turn(thread);
      continue;
    }
    if (thread.isInside) turn(thread);
    if (!random.oneIn(4)) add(main, Op.join, thread.id);
    push(encoder.flush());
    encoder.retireThread(thread.id);
    names.threads.retire(thread.id);
    running = running.filter((other) => other !== thread);
  }
  push(encoder.finish());
  const path = join(folder, `requests-${seed}.trk`);
  writeFileSync(path, Buffer.concat(pieces));
  return path;
}

/** The same analysis, which cannot forget: then each variable and each thread has a number of its own. */
function unforgetting(description: AnalysisDescription): AnalysisDescription {
  return {
    ...description,
    create: (context) =>
      Object.defineProperties(description.create(context), {
        forgetVariable: { value: undefined },
        canForgetThreads: { value: false },
      }),
  };
}

async function found(
  path: string,
  analyses: readonly AnalysisDescription[],
  forkJoin: CheckOptions['forkJoin'] = 'edge',
) {
  const options: CheckOptions = {
    analyses,
    forkJoin,
    first: false,
    specification: new Specification(),
  };
  const check: TraceCheck = await checkTrace(path, options);
  const ids = check.trace?.names.variables.size;
  const threads = check.trace?.names.threads.size;
  const locks = check.trace?.names.locks.size;
  const explanations = await explainViolations(path, check, { ...options, subtraces: false });
  const [{ violations, serializable }] = await resultsOf(path, check, explanations, null, 0);
  return { ids, threads, locks, violations, serializable };
}

describe.each(['regiontrack', 'atomsanitizer', 'velodrome'])('%s', (name) => {
  it('finds and names the same whether the numbers of variables and locks that are gone are used again or not', async () => {
    let violated = 0;
    for (let seed = 1; seed <= 2; seed++) {
      const path = serverTrace(seed);
      const { ids, locks, ...again } = await found(path, analysesNamed(name));
      const { ids: all, locks: allLocks, ...once } = await found(path, analysesNamed(name).map(unforgetting));
      expect(again).toEqual(once);
      if (name === 'regiontrack') expect(locks).toBeLessThan(allLocks! / 2);
      // As many as are alive, and those that are gone since the last batch.
      expect(ids).toBeLessThan(all! / 2);
      violated += once.violations.length;
    }
    expect(violated).toBeGreaterThan(0);
  });
});

describe('regiontrack with families', () => {
  it('finds and names the same whether the numbers of threads that are over are used again or not', async () => {
    const path = requestsTrace(1);
    const { ids, threads, ...again } = await found(path, analysesNamed('regiontrack'), 'family');
    const {
      ids: _,
      threads: all,
      ...once
    } = await found(path, analysesNamed('regiontrack').map(unforgetting), 'family');
    expect(again).toEqual(once);
    expect(once.violations.length).toBeGreaterThan(100);
    expect(all).toBeGreaterThan(2900);
    expect(threads).toBeLessThan(all! / 2);
  });
});
