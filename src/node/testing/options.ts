import { join } from 'node:path';
import {
  MOST_SEED,
  newSchedule,
  SCHEDULES,
  type ScheduleKind,
  type ScheduleOptions,
} from '../../trace/schedule-options.ts';
import { unknownName } from '../../trace/unknown-name.ts';
import type { TracksideConfig } from '../config.ts';
import type { SelectionOptions } from '../loader/selection.ts';
import { type ProofRun, proofRun } from './proof-run.ts';
import type { RunnerCommand } from './runner-command.ts';

/** What a test runner is told. The first ones may also be kept in `trackside.config.ts`, and win over that. */
export interface TestingOptions
  extends Pick<
    TracksideConfig,
    'instrument' | 'atomic' | 'exclude' | 'failOn' | 'baseline' | 'schedule' | 'seed' | 'prove'
  > {
  /** What becomes of a test in which a block was violated: it fails, or there is a warning. */
  mode?: 'fail' | 'warn';
}

/** The same, with nothing left open, in a form that can be handed to another process. */
export interface WorkerOptions {
  /** The folder of the project: what names of files are relative to. */
  root: string;
  /** Where traces are kept while tests run; whoever made it removes it. */
  folder: string;
  instrument: readonly string[];
  atomic: readonly string[];
  exclude: readonly string[];
  failOn: 'error' | 'warning';
  baseline: string | null;
  mode: 'fail' | 'warn';
  /** The order in which the tasks of tests go on; null as they come. */
  schedule: ScheduleOptions | null;
  /** Whether what is found is proved, by runs of the test alone. */
  prove: boolean;
  /** How the runner is started for that; null if it is not known. */
  command: RunnerCommand | null;
  /** The run that the tests belong to if it is itself part of a proof. */
  proofRun: ProofRun | null;
}

const KNOWN: ReadonlyMap<string, readonly string[]> = new Map([
  ['mode', ['fail', 'warn']],
  ['failOn', ['error', 'warning']],
]);

const OPTIONS: readonly (keyof TestingOptions)[] = [
  'instrument',
  'atomic',
  'exclude',
  'failOn',
  'baseline',
  'schedule',
  'seed',
  'prove',
  'mode',
];

/** `given` to the plugin, and what the configuration file says besides. */
export function workerOptions(
  given: TestingOptions,
  config: TracksideConfig,
  root: string,
  folder: string,
): WorkerOptions {
  for (const name of Object.keys(given))
    if (!OPTIONS.includes(name as keyof TestingOptions))
      throw new Error(`trackside: ${unknownName('option of the plugin', name, OPTIONS).message}`);
  const {
    instrument = [],
    atomic = [],
    exclude = [],
    failOn = 'error',
    baseline = null,
    mode = 'fail',
    schedule,
    seed,
    prove = false,
  } = { ...config, ...given } as TestingOptions;
  const values = new Map<string, string>([
    ['mode', mode],
    ['failOn', failOn],
  ]);
  for (const [name, known] of KNOWN) {
    const value = values.get(name) as string;
    if (!known.includes(value))
      throw new Error(`trackside: ${name} is ${JSON.stringify(value)}; expected ${known.join(' or ')}`);
  }
  if (typeof prove !== 'boolean')
    throw new Error(`trackside: prove is ${JSON.stringify(prove)}; expected true or false`);
  const run = proofRun();
  return {
    ...{ root, folder, instrument, atomic, exclude, failOn, baseline, mode, prove },
    schedule: run?.schedule ?? scheduleOf(schedule, seed),
    command: null,
    proofRun: run,
  };
}

/** `TRACKSIDE_SEED` is for having an order again that a failure was seen in. */
function scheduleOf(kind: ScheduleKind | undefined, given: number | undefined): ScheduleOptions | null {
  if (kind === undefined) {
    if (given === undefined) return null;
    throw new Error(`trackside: seed is of a schedule; expected schedule: 'provoke', for example`);
  }
  if (!SCHEDULES.includes(kind))
    throw new Error(`trackside: ${unknownName('schedule', String(kind), SCHEDULES).message}`);
  const { TRACKSIDE_SEED } = process.env;
  const seed = TRACKSIDE_SEED === undefined ? given : Number(TRACKSIDE_SEED);
  if (seed === undefined) return newSchedule(kind);
  if (Number.isInteger(seed) && seed >= 0 && seed <= MOST_SEED) return { kind, seed };
  throw new Error(`trackside: seed is ${TRACKSIDE_SEED ?? seed}; expected a whole number up to ${MOST_SEED}`);
}

/** Which files are instrumented: those of the project, and those that are named. */
export function selectionIn(
  root: string,
  instrument: readonly string[],
  run: ProofRun | null,
): SelectionOptions {
  const turns = run?.turns ?? null;
  return { cwd: root, entry: join(root, 'tests'), instrument, ...(turns === null ? {} : { turns }) };
}
