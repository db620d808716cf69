import { it } from 'vitest';
import { commitNodeConflict, commitNodeView } from '../../src/analyses/commit-node/index.ts';
import { MemoryTrace, type NamedEvent } from '../../src/trace/memory-trace.ts';
import { Op } from '../../src/trace/operation.ts';
import { History, structureOf } from '../oracle/history.ts';
import { printEvents } from '../support/notation.ts';
import { type ProgramShape, randomProgram } from '../support/random-programs.ts';
import { Random, randomTrace } from '../support/random-traces.ts';
import { run } from '../support/run.ts';
import { shrink } from '../support/shrink.ts';

const RUNS = Number(process.env.RUNS ?? 2000);
const SEED = Number(process.env.SEED ?? 1);

function cyclic(events: readonly NamedEvent[]): boolean {
  const h = new History(events);
  const { transactionOf, transactions } = structureOf(h, false);
  const succ: Set<number>[] = Array.from({ length: transactions }, () => new Set());
  const lockOp = (o: number) => o === Op.acquire || o === Op.release;
  for (let j = 0; j < h.length; j++) {
    if (!h.counts[j]) continue;
    for (let i = 0; i < j; i++) {
      if (!h.counts[i] || transactionOf[i] === transactionOf[j]) continue;
      if (h.thread[i] !== h.thread[j] && lockOp(h.op[i]) && lockOp(h.op[j])) continue;
      if (h.conflict(i, j)) succ[transactionOf[i]].add(transactionOf[j]);
    }
  }
  const state = new Uint8Array(transactions);
  const visit = (v: number): boolean => {
    state[v] = 1;
    for (const w of succ[v]) if (state[w] === 1 || (state[w] === 0 && visit(w))) return true;
    state[v] = 2;
    return false;
  };
  for (let v = 0; v < transactions; v++) if (state[v] === 0 && visit(v)) return true;
  return false;
}
const missed = (events: readonly NamedEvent[]) =>
  cyclic(events) && run(commitNodeConflict, MemoryTrace.of(events)).violations.length === 0;

it('observed', { timeout: 1e7 }, () => {
  let bad = 0,
    rep = 0,
    viewRep = 0,
    viewMore = 0;
  const t0 = Date.now();
  for (let k = 0; k < RUNS; k++) {
    const seed = SEED + k;
    const r = new Random(seed * 13 + 1);
    const shape: ProgramShape = {
      threads: r.between(2, 6),
      variables: r.between(1, 8),
      locks: r.below(4),
      units: r.between(1, 4),
      steps: r.between(1, 6),
      accesses: r.oneIn(2) ? [Op.read, Op.write] : [Op.read, Op.read, Op.read, Op.write, Op.update],
      onlyBlocks: r.oneIn(3),
      orderedLocks: true,
      nestedLocks: r.oneIn(2),
      locksWithinUnits: r.oneIn(2),
      forkJoin: r.oneIn(2),
    };
    const events = r.oneIn(3) ? randomTrace(seed) : randomProgram(seed, shape);
    if (cyclic(events)) bad++;
    const c = run(commitNodeConflict, MemoryTrace.of(events)).violations.length > 0;
    const v = run(commitNodeView, MemoryTrace.of(events)).violations.length > 0;
    if (c) rep++;
    if (v) viewRep++;
    if (v && !c) viewMore++;
    if (missed(events)) {
      const small = shrink(events, missed);
      throw new Error(`missed seed ${seed}\n ${printEvents(small)}\n from ${printEvents(events)}`);
    }
  }
  console.log({ bad, rep, viewRep, viewMore }, Date.now() - t0);
});
