import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { type TurnsOptions, type TurnsOutcome, turnsFile } from '../node/runtime/turns/options.ts';
import { whatCameBetween } from '../prove/alone.ts';
import { finalValues } from '../prove/final-values.ts';
import { FilesOfRun } from '../prove/kept-files.ts';
import { type Execution, Interruption } from '../prove/proof.ts';
import type { ScheduleOptions } from '../trace/schedule-options.ts';
import type { ProgramCheckOptions } from './program-check.ts';
import { runBounded } from './program-process.ts';
import { removeScratch, scratchPath } from './scratch.ts';

interface RunOptions extends ProgramCheckOptions {
  /** Seconds. */
  timeout: number;
}

/** The run that the others are compared with; its trace is still there. */
export interface ObservedRun {
  spool: string;
  execution: Execution;
}

/** Runs of one program in the same order. */
export class RepeatedRuns {
  readonly #entry: string;
  readonly #args: readonly string[];
  readonly #options: RunOptions;
  readonly schedule: ScheduleOptions;
  /** What each way to take turns came to. */
  readonly #known = new Map<string, Promise<Execution>>();
  #observedFiles: FilesOfRun | null = null;
  /** Whether somebody has told us to end: nothing follows from the last run, and no other should begin. */
  isInterrupted = false;
  /** Traces of runs, in which one may have to look. */
  readonly #spools: string[] = [];

  constructor(entry: string, args: readonly string[], options: RunOptions, schedule: ScheduleOptions) {
    this.#entry = entry;
    this.#args = args;
    this.#options = options;
    this.schedule = schedule;
  }

  /** A run whose trace stays, and what it has made of files, once all is over. */
  async observed(turns: TurnsOptions | null = null): Promise<ObservedRun> {
    const spool = await scratchPath();
    const execution = await this.#run(turns, spool);
    this.#observedFiles ??= execution.files;
    return { spool, execution };
  }

  /** Leaves the files as the first run has left them, and nothing else. */
  async finish(): Promise<void> {
    await this.#observedFiles?.redo();
    for (const spool of this.#spools.splice(0)) await removeScratch(spool);
  }

  /** One more run; the same turns are not tried twice. */
  execute(turns: TurnsOptions | null): Promise<Execution> {
    const key = JSON.stringify(turns);
    const known = this.#known.get(key) ?? this.#executeNew(turns);
    this.#known.set(key, known);
    return known;
  }

  async #executeNew(turns: TurnsOptions | null): Promise<Execution> {
    if (this.isInterrupted) throw new Interruption();
    const spool = await scratchPath();
    this.#spools.push(spool);
    const execution = await this.#run(turns, spool);
    if (this.isInterrupted) throw new Interruption();
    return execution;
  }

  async #run(turns: TurnsOptions | null, spool: string): Promise<Execution & { files: FilesOfRun }> {
    const { instrument, atomic, order, stores, values, timeout } = this.#options;
    const started = performance.now();
    const { code, output, isTimedOut, isInterrupted } = await runBounded(
      {
        cwd: process.cwd(),
        entry: this.#entry,
        instrument,
        atomic,
        spool,
        keptFiles: keptFilesOf(spool),
        schedule: this.schedule,
        order,
        stores,
        values,
        ...(turns === null ? {} : { turns }),
      },
      this.#args,
      { milliseconds: timeout * 1000, shows: false },
    );
    this.isInterrupted ||= isInterrupted;
    const milliseconds = performance.now() - started;
    const { givenUp, waited } = turns === null ? NOT_ASKED : await turnsOutcome(spool);
    const between = turns?.alone === undefined ? null : await whatCameBetween(spool, turns.alone.call);
    const error = code === 0 ? null : output.lastError();
    const files = await FilesOfRun.in(keptFilesOf(spool));
    const { contents } = files;
    await files.undo();
    return {
      files,
      outcome: { code, output: output.outputLines(), error, values: await valuesIn(spool), files: contents },
      givenUp: givenUp ?? between,
      between: (call) => whatCameBetween(spool, call),
      isTimedOut,
      waited,
      milliseconds,
    };
  }
}

/** Beside the trace: what was in the files that the program changes. */
function keptFilesOf(spool: string): string {
  return `${spool}.files`;
}

/** None of a program that was killed before it had written anything. */
async function valuesIn(spool: string): Promise<ReadonlyMap<string, string>> {
  return existsSync(spool) ? finalValues(spool) : new Map();
}

const NOT_ASKED: TurnsOutcome = { waited: 0, givenUp: null };

/** A program that was killed has left none. */
async function turnsOutcome(spool: string): Promise<TurnsOutcome> {
  const text = await readFile(turnsFile(spool), 'utf8').catch(() => null);
  return text === null ? { waited: 0, givenUp: 'the program was killed' } : JSON.parse(text);
}
