import { it } from 'vitest';
import { commitNodeConflict, commitNodeView } from '../../src/analyses/commit-node/index.ts';
import { MemoryTrace, type NamedEvent } from '../../src/trace/memory-trace.ts';
import { Op } from '../../src/trace/operation.ts';
import { tryInterleavings } from '../oracle/interleavings.ts';
import { printEvents } from '../support/notation.ts';
import { type ProgramShape, randomProgram } from '../support/random-programs.ts';
import { Random, randomTrace } from '../support/random-traces.ts';
import { run } from '../support/run.ts';
import { shrink } from '../support/shrink.ts';

const RUNS = Number(process.env.RUNS ?? 2000);
const SEED = Number(process.env.SEED ?? 1);
const MODE = process.env.CNMODE ?? 'two';
const rw = [Op.read, Op.write];
const rwu = [Op.read, Op.write, Op.update];

function shapeFor(seed: number): ProgramShape {
  const r = new Random(seed * 7 + 3);
  if (MODE === 'two')
    return {
      threads: 2,
      variables: r.between(1, 3),
      locks: r.below(4),
      units: 1,
      steps: r.between(2, 8),
      accesses: r.oneIn(2) ? rw : rwu,
      onlyBlocks: true,
      orderedLocks: true,
      nestedLocks: true,
      locksWithinUnits: true,
      forkJoin: false,
    };
  if (MODE === 'twowild')
    return {
      threads: 2,
      variables: r.between(1, 3),
      locks: r.below(4),
      units: 1,
      steps: r.between(2, 8),
      accesses: r.oneIn(2) ? rw : rwu,
      onlyBlocks: true,
      orderedLocks: false,
      nestedLocks: r.oneIn(2),
      locksWithinUnits: true,
      forkJoin: r.oneIn(4),
    };
  if (MODE === 'three')
    return {
      threads: 3,
      variables: r.between(1, 3),
      locks: r.below(3),
      units: 1,
      steps: r.between(1, 4),
      accesses: r.oneIn(2) ? rw : rwu,
      onlyBlocks: true,
      orderedLocks: true,
      nestedLocks: true,
      locksWithinUnits: true,
      forkJoin: false,
    };
  if (MODE === 'po')
    return {
      threads: 3,
      variables: r.between(1, 3),
      locks: r.below(3),
      units: r.between(1, 2),
      steps: r.between(1, 3),
      accesses: rw,
      onlyBlocks: true,
      orderedLocks: true,
      nestedLocks: true,
      locksWithinUnits: true,
      forkJoin: false,
    };
  return {
    threads: r.between(2, 3),
    variables: r.between(1, 3),
    locks: r.below(3),
    units: r.between(1, 2),
    steps: r.between(1, 3),
    accesses: r.oneIn(2) ? rw : rwu,
    onlyBlocks: r.oneIn(3),
    orderedLocks: r.oneIn(2),
    nestedLocks: r.oneIn(2),
    locksWithinUnits: r.oneIn(2),
    forkJoin: r.oneIn(2),
  };
}

const exact = MODE === 'two' || MODE === 'twowild';
const falseAlarms = { conflict: 0, view: 0, bad: 0, badView: 0 };
function complaint(events: readonly NamedEvent[], count = false): string | null {
  const truth = tryInterleavings(events);
  for (const [d, atomic] of [
    [commitNodeConflict, truth.conflictAtomic],
    [commitNodeView, truth.viewAtomic],
  ] as const) {
    let said: boolean;
    try {
      said = run(d, MemoryTrace.of(events)).violations.length === 0;
    } catch (e) {
      return `throws ${(e as Error).stack}`;
    }
    if (said && !atomic) return `${d.name} says atomic wrongly`;
    if (exact && !said && atomic) return `${d.name} cries wolf`;
    if (count && !said && atomic) falseAlarms[d === commitNodeConflict ? 'conflict' : 'view']++;
    if (count && !atomic) falseAlarms[d === commitNodeConflict ? 'bad' : 'badView']++;
  }
  return null;
}

const only = process.env.ONLY ?? 'conflict';
it.runIf(process.env.ALARMS)('alarms', { timeout: 1e7 }, () => {
  const d = only === 'conflict' ? commitNodeConflict : commitNodeView;
  const isAlarm = (events: readonly NamedEvent[]) => {
    const truth = tryInterleavings(events);
    return (
      (only === 'conflict' ? truth.conflictAtomic : truth.viewAtomic) &&
      run(d, MemoryTrace.of(events)).violations.length > 0
    );
  };
  let n = 0;
  for (let k = 0; k < RUNS && n < 12; k++) {
    const seed = SEED + k;
    const events =
      MODE === 'trace'
        ? randomTrace(seed, {
            maxEvents: 11,
            threads: 2 + (seed % 2),
            variables: 1 + (seed % 3),
            locks: seed % 3,
            depth: 1 + (seed % 2),
          })
        : randomProgram(seed, shapeFor(seed));
    if (!isAlarm(events)) continue;
    n++;
    const small = shrink(events, isAlarm);
    console.log(
      seed,
      printEvents(small),
      JSON.stringify(run(d, MemoryTrace.of(small)).violations[0].related),
    );
  }
});

it.skipIf(process.env.ALARMS)('fuzz', { timeout: 1e7 }, () => {
  const t0 = Date.now();
  for (let k = 0; k < RUNS; k++) {
    const seed = SEED + k;
    const events =
      MODE === 'trace'
        ? randomTrace(seed, {
            maxEvents: 11,
            threads: 2 + (seed % 2),
            variables: 1 + (seed % 3),
            locks: seed % 3,
            depth: 1 + (seed % 2),
          })
        : randomProgram(seed, shapeFor(seed));
    const c = complaint(events, true);
    if (c === null) continue;
    const twoT = (es: readonly NamedEvent[]) => !exact || es.filter((e) => e.op === Op.begin).length === 2;
    const small = shrink(events, (e) => twoT(e) && complaint(e) === c);
    throw new Error(
      `${c} seed ${seed}\n  ${printEvents(small)}\n${JSON.stringify(tryInterleavings(small))}\nfrom ${printEvents(events)}`,
    );
  }
  console.log(MODE, RUNS, falseAlarms, Date.now() - t0, 'ms');
});
