import type { RunOutcome, RunResult, ScheduleResult } from '../check/result.ts';
import { scheduleWords } from '../check/schedules.ts';
import { counted, grouped } from './layout.ts';
import { shown } from './well-formed-text.ts';

/** What results are about: a trace by its name, a program also by the order that it was run in. */
export function titleOf({
  trace,
  schedule,
}: {
  trace: string;
  schedule?: ScheduleResult | undefined;
}): string {
  return schedule === undefined ? shown(trace) : `${shown(trace)} (${scheduleWords(schedule)})`;
}

const WORDS: readonly (readonly [RunOutcome, string])[] = [
  ['violation', 'with violations'],
  ['failure', 'failed'],
  ['timeout', 'not over in time'],
  ['silent', 'silent'],
];

/** `100 runs of app.mjs: 1 with violations, 99 silent`, a line for each program. */
export function runsSummary(runs: readonly RunResult[]): string[] {
  const programs = [...new Set(runs.map(({ trace }) => trace))];
  return programs.map((trace) => {
    const ofProgram = runs.filter((run) => run.trace === trace);
    const parts = WORDS.map(
      ([outcome, words]) => [ofProgram.filter((run) => run.outcome === outcome).length, words] as const,
    ).filter(([count, words]) => count > 0 || words === 'silent');
    const said = parts.map(([count, words]) => `${grouped(count)} ${words}`).join(', ');
    return `${counted(ofProgram.length, 'run')} of ${shown(trace)}: ${said}`;
  });
}
