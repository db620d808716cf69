import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isMainThread } from 'node:worker_threads';
import { quoted } from '../../trace/printable.ts';
import {
  MOST_SEED,
  newSchedule,
  SCHEDULES,
  type ScheduleKind,
  type ScheduleOptions,
} from '../../trace/schedule-options.ts';
import { configFileIn } from '../config-file.ts';
import type { ProgramOptions } from '../loader/program-options.ts';

/** How our own commands end when they are used wrongly. */
const WRONG = 2;

const COMMAND = fileURLToPath(new URL('../../cli/main.js', import.meta.url));

/** For a program that was started by `node --import trackside/register`, without our command around it. */
export function standaloneOptions(): ProgramOptions {
  return {
    cwd: process.cwd(),
    entry: process.argv[1] ?? '[eval]',
    instrument: (process.env.TRACKSIDE_INSTRUMENT ?? '').split(',').filter((glob) => glob !== ''),
    spool: join(mkdtempSync(join(tmpdir(), 'trackside-')), 'program.trk'),
    schedule: scheduleOf(process.env.TRACKSIDE_SCHEDULE ?? ''),
    order: process.env.TRACKSIDE_ORDER === 'fast' ? 'fast' : 'exact',
    stores: process.env.TRACKSIDE_STORES !== 'off',
    // It may name other analyses, and is read by the command that reports.
    violationsOnly: configFileIn(process.cwd()) === undefined,
  };
}

/** `provoke`, `random:7`: a kind and, if one is to be replayed, its seed. */
function scheduleOf(text: string): ScheduleOptions | null {
  if (text === '') return null;
  const [, name, digits] = /^(\w+)(?::(\d{1,10}))?$/.exec(text) ?? [];
  const kind = SCHEDULES.find((each) => each === name);
  const seed = digits === undefined ? undefined : Number(digits);
  if (kind !== undefined && (seed ?? 0) <= MOST_SEED) return withSeed(kind, seed);
  process.stderr.write(
    `error: TRACKSIDE_SCHEDULE is ${quoted(text)}; expected ${SCHEDULES.join(', ')}, or one of these with a seed, such as random:7\n`,
  );
  process.exit(WRONG);
}

function withSeed(kind: ScheduleKind, seed: number | undefined): ScheduleOptions {
  if (seed !== undefined) return { kind, seed };
  const chosen = newSchedule(kind);
  process.stderr.write(`trackside: running with TRACKSIDE_SCHEDULE=${chosen.kind}:${chosen.seed}\n`);
  return chosen;
}

/**
 * Reports when the program ends. Checking takes many turns of an event loop, and a process that exits has none left;
 * so the command does it in another one.
 */
export function reportAtExit({ spool, entry, schedule, order }: ProgramOptions): void {
  if (!isMainThread) return;
  const scheduled = schedule === null ? [] : ['--schedule', schedule.kind, '--seed', String(schedule.seed)];
  const program = [entry, ...process.argv.slice(2)];
  process.on('exit', (code) => {
    const args = [COMMAND, 'run', '--recorded', spool, '--order', order, ...scheduled, ...program];
    // By which we may have come into this process, and would come into that one.
    const { NODE_OPTIONS: _, ...env } = process.env;
    const { spawnSync } = process.getBuiltinModule('node:child_process');
    const { status } = spawnSync(process.execPath, args, { env, stdio: ['ignore', 'inherit', 'inherit'] });
    rmSync(dirname(spool), { recursive: true, force: true });
    // A program that fails keeps its own exit code.
    if (code === 0 && status) process.exitCode = status;
  });
}
