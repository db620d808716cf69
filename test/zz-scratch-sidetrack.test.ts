import { it } from 'vitest';
import { sidetrack, witnessOrder, witnessSchedule } from '/work/main/src/analyses/sidetrack/index.ts';
import { run } from '/work/main/test/support/run.ts';
import { MemoryTrace } from '/work/main/src/trace/memory-trace.ts';
import { Schedules, randomProgram, randomRun, isGuarded } from '/work/main/test/oracle/schedules.ts';
import { Random } from '/work/main/test/support/random-traces.ts';
import { violatedBlocksOf } from '/work/main/test/oracle/oracle.ts';
import { firstProblem } from '/work/main/test/support/well-formed.ts';
import { printEvents } from '/work/main/test/support/notation.ts';
const N = Number(process.env.N ?? 2000), S = Number(process.env.S ?? 1);
it('x', { timeout: 1e9 }, () => {
  let kinds: any = {}, wolves = 0, nowit = 0, ev = 0, stuck=0;
  const t0 = performance.now();
  for (let seed = S; seed < S + N; seed++) {
    const program = randomProgram(seed);
    const events = randomRun(program, new Random(seed ^ 0x5555));
    ev += events.length;
    if (events.length < program.flat().length) stuck++;
    const p = firstProblem(events); if (p) throw new Error(p + printEvents(events));
    if (!isGuarded(events)) throw new Error('race ' + printEvents(events));
    const trace = MemoryTrace.of(events);
    const { violations } = run(sidetrack, trace);
    const s = new Schedules(events);
    for (const v of violations) {
      kinds[v.kind] = (kinds[v.kind] ?? 0) + 1;
      const order = witnessOrder(v)!;
      const lock = events[order.firstAcquire - 1].operand;
      const w = s.find({ block: v.block!.begin, lock });
      if (w === null) { if (wolves++ < 5) console.log('WOLF', seed, printEvents(events), JSON.stringify(v)); continue; }
      const we = w.map((n) => events[n - 1]);
      if (firstProblem(we)) throw new Error('bad ' + firstProblem(we));
      if (!violatedBlocksOf(we, 'edge').some((b) => w[b.begin - 1] === v.block!.begin)) throw new Error('not violated ' + seed + printEvents(we));
      const c = witnessSchedule(() => trace.batches(), order);
      if (c === null) { if (nowit++ < 5) console.log('NOWIT', seed, printEvents(events), JSON.stringify(v)); continue; }
      const ce = c.map((n) => events[n - 1]);
      const why = firstProblem(ce) ?? (violatedBlocksOf(ce, 'edge').some((b) => c[b.begin - 1] === v.block!.begin) ? null : 'not violated');
      if (why) console.log('BADWIT', why, seed, printEvents(events), '\n', printEvents(ce), JSON.stringify(v));
    }
  }
  console.log({ kinds, wolves, nowit, ev: ev / N, stuck, ms: performance.now() - t0 });
});
