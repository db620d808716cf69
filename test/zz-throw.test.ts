import { it } from 'vitest';
import { block } from '../src/analyses/block/index.ts';
import { MemoryTrace } from '../src/trace/memory-trace.ts';
import { tryInterleavings } from './oracle/interleavings.ts';
import { smallProgram } from './support/small-programs.ts';
import { randomTrace } from './support/random-traces.ts';
import { run } from './support/run.ts';
import { hasNoComplaint } from './support/comparing.ts';

const stat = { dead: 0, silentAtomic: 0, alarmTrue: 0, n: 0 };
function complaint(events: any) {
  const blocks = events.filter((e: any) => e.op === 7).length;
  if (blocks > 2) return null;
  if (new Set(events.map((e: any) => e.thread)).size > 2) return null;
  // nothing outside the blocks
  const depth = new Map();
  for (const e of events) { const d = depth.get(e.thread) ?? 0; if (e.op === 7) depth.set(e.thread, d + 1); else if (d === 0) return null; else if (e.op === 8) depth.set(e.thread, d - 1); }
  const { violations } = run(block, MemoryTrace.of(events));
  const truth = tryInterleavings(events);
  stat.n++;
  if (truth.deadlocks) { stat.dead++; return null; }
  if ((violations.length === 0) !== truth.viewAtomic) return `atomic: ${truth.viewAtomic}, reports ${JSON.stringify(violations)}`;
  if (violations.length === 0) stat.silentAtomic++;
  else stat.alarmTrue++;
  return null;
}
const N = Number(process.env.N ?? 2000);
it('small', { timeout: 600000 }, () => {
  for (let s = 1; s <= N; s++) hasNoComplaint([smallProgram(s, { threads: 2, steps: 6 + (s % 9), oneBlockEach: true })], complaint);
  console.log(JSON.stringify(stat));
});
