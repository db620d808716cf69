import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { whatCameBetween } from '../../prove/alone.ts';
import { finalValues } from '../../prove/final-values.ts';
import { FilesOfRun } from '../../prove/kept-files.ts';
import type { Execution } from '../../prove/proof.ts';
import { printable } from '../../trace/printable.ts';
import { type ScheduleOptions, STEADY } from '../../trace/schedule-options.ts';
import { type TurnsOptions, type TurnsOutcome, turnsFile } from '../runtime/turns/options.ts';
import { keptFilesOf, outputOf, PROOF_VARIABLE, type ProofRun } from './proof-run.ts';
import { commandFor, type RunnerCommand, type TestPlace } from './runner-command.ts';

/** Milliseconds after which the runner is ended. */
const LONGEST_RUN_MS = 25_000;
/** What a runner tells the processes that it has tests in; ours must not take them for its own. */
const OF_RUNNER = /^(?:VITEST|JEST_|TEST$)/;
/** Longest part of what an assertion says. */
const LONGEST_MESSAGE = 300;

/** Why a test could not be run again. */
export class NotRunAgain extends Error {}

/** One more run of a test, and its trace. */
export interface TestRun {
  spool: string;
  execution: Execution;
}

/** The format of Jest, which Vitest writes as well. */
interface RunnerResults {
  testResults: {
    message?: string;
    assertionResults: { status: string; failureMessages?: string[] | null }[];
  }[];
}

/** Runs of one test in the same order, each in a runner of its own. */
export class TestRuns {
  readonly #command: RunnerCommand;
  readonly #test: TestPlace;
  readonly #folder: string;
  readonly #schedule: ScheduleOptions;
  readonly #known = new Map<string, Promise<TestRun>>();

  constructor(command: RunnerCommand, test: TestPlace, folder: string, schedule: ScheduleOptions | null) {
    this.#command = command;
    this.#test = test;
    this.#folder = folder;
    this.#schedule = schedule ?? STEADY;
  }

  /** A run in the order that the schedule gives it. */
  observed(): Promise<TestRun> {
    return this.#run(null);
  }

  /** One more run; the same turns are not tried twice. */
  async execute(turns: TurnsOptions | null): Promise<Execution> {
    const key = JSON.stringify(turns);
    const known = this.#known.get(key) ?? this.#run(turns);
    this.#known.set(key, known);
    return (await known).execution;
  }

  async #run(turns: TurnsOptions | null): Promise<TestRun> {
    const folder = mkdtempSync(join(this.#folder, 'proof-'));
    const run: ProofRun = { spool: join(folder, 'trace.trk'), turns, schedule: this.#schedule };
    const results = join(folder, 'results.json');
    const started = performance.now();
    const { said, isTimedOut } = await this.#spawn(run, results);
    const milliseconds = performance.now() - started;
    const files = await FilesOfRun.in(keptFilesOf(run));
    const { contents } = files;
    await files.undo();
    const test = isTimedOut ? 'not over in time' : await stateOf(results, said);
    const turnsOutcome: TurnsOutcome = JSON.parse(
      await readFile(turnsFile(run.spool), 'utf8').catch(() => '{ "waited": 0, "givenUp": null }'),
    );
    const output = await readFile(outputOf(run), 'utf8').catch(() => '');
    return {
      spool: run.spool,
      execution: {
        outcome: {
          code: 0,
          error: null,
          test,
          output: output === '' ? [] : output.replace(/\n$/, '').split('\n'),
          values: existsSync(run.spool) ? await finalValues(run.spool) : new Map(),
          files: contents,
        },
        between: (call) => whatCameBetween(run.spool, call),
        waited: turnsOutcome.waited,
        givenUp:
          turnsOutcome.givenUp ??
          (turns?.alone === undefined ? null : await whatCameBetween(run.spool, turns.alone.call)),
        isTimedOut,
        milliseconds,
      },
    };
  }

  #spawn(run: ProofRun, results: string): Promise<{ said: string; isTimedOut: boolean }> {
    const [program, ...args] = commandFor(this.#command, this.#test, results);
    const { cwd, nodeOptions } = this.#command;
    const inherited = Object.entries(process.env).filter(([name]) => !OF_RUNNER.test(name));
    const child = spawn(program, args, {
      cwd,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...Object.fromEntries(inherited),
        ...(nodeOptions === null ? {} : { NODE_OPTIONS: nodeOptions }),
        [PROOF_VARIABLE]: JSON.stringify(run),
      },
    });
    const chunks: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => chunks.push(chunk));
    let isTimedOut = false;
    const timer = setTimeout(() => {
      isTimedOut = true;
      child.kill('SIGKILL');
    }, LONGEST_RUN_MS);
    return new Promise((resolve, reject) => {
      child.on('error', reject);
      child.on('close', () => {
        clearTimeout(timer);
        resolve({ said: Buffer.concat(chunks).toString('utf8'), isTimedOut });
      });
    });
  }
}

/** What became of the test. */
async function stateOf(results: string, said: string): Promise<string> {
  const text = await readFile(results, 'utf8').catch(() => null);
  if (text === null) throw new NotRunAgain(`the test runner did not get to it (${lastLine(said)})`);
  const { testResults } = JSON.parse(text) as RunnerResults;
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults);
  const run = tests.filter(({ status }) => status === 'passed' || status === 'failed');
  if (run.length === 0) {
    const message = testResults.find((file) => (file.message ?? '') !== '')?.message;
    throw new NotRunAgain(
      `the test runner has not found it${message === undefined ? '' : ` (${lastLine(message)})`}`,
    );
  }
  const states = run.map(({ status, failureMessages }) =>
    status === 'passed' ? 'passed' : `failed: ${messageOf(failureMessages?.[0] ?? '')}`,
  );
  return states.join(', ');
}

/** What an error says, without where it came from. */
function messageOf(failure: string): string {
  const [message] = stripVTControlCharacters(failure).split(/\n\s+at /);
  return printable(message.replaceAll(/\s+/g, ' ').trim(), LONGEST_MESSAGE);
}

function lastLine(text: string): string {
  const lines = stripVTControlCharacters(text)
    .split('\n')
    .filter((line) => line.trim() !== '');
  return printable(lines.at(-1)?.trim() ?? 'it said nothing', LONGEST_MESSAGE);
}
