import { it } from 'vitest';
import { reduction } from '../src/analyses/reduction/index.ts';
import { MemoryTrace } from '../src/trace/memory-trace.ts';
import { tryInterleavings } from './oracle/interleavings.ts';
import { smallProgram } from './support/small-programs.ts';
import { randomTrace } from './support/random-traces.ts';
import { run } from './support/run.ts';
import { hasNoComplaint } from './support/comparing.ts';

const stat = { dead: 0, silentAtomic: 0, alarmTrue: 0, alarmFalse: 0, n: 0 };
function complaint(events: any) {
  const { violations } = run(reduction, MemoryTrace.of(events));
  const truth = tryInterleavings(events);
  stat.n++;
  if (truth.deadlocks) { stat.dead++; return null; }
  if (violations.length === 0 && !truth.conflictAtomic) return 'missed';
  if (violations.length === 0) stat.silentAtomic++;
  else if (truth.conflictAtomic) stat.alarmFalse++;
  else stat.alarmTrue++;
  return null;
}
const N = Number(process.env.N ?? 2000);
it('small', { timeout: 600000 }, () => {
  for (let s = 1; s <= N; s++) hasNoComplaint([smallProgram(s, { threads: 2 + (s % 2), steps: 6 + (s % 7) })], complaint);
  console.log(JSON.stringify(stat));
});
it('random', { timeout: 600000 }, () => {
  for (const k in stat) (stat as any)[k] = 0;
  for (let s = 1; s <= N; s++) {
    const ev = randomTrace(s, { threads: 2 + (s % 3), maxEvents: 14, variables: 2, locks: s % 3, depth: 1 + (s % 2) });
    hasNoComplaint([ev], complaint);
  }
  console.log(JSON.stringify(stat));
});
