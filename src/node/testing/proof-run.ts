import { writeFileSync } from 'node:fs';
import { format } from 'node:util';
import type { ScheduleOptions } from '../../trace/schedule-options.ts';
import { type TurnsOptions, turnsFile } from '../runtime/turns/options.ts';
import { Turns } from '../runtime/turns/turns.ts';

/** What the plugin of a run that belongs to a proof is told, as JSON in the environment. */
export interface ProofRun {
  /** Where its trace goes; the rest lies beside it. */
  spool: string;
  turns: TurnsOptions | null;
  schedule: ScheduleOptions;
}

export const PROOF_VARIABLE = 'TRACKSIDE_PROOF';

/** The run that this process belongs to; null for one of the user's own. */
export function proofRun(): ProofRun | null {
  const { [PROOF_VARIABLE]: text } = process.env;
  return text === undefined ? null : JSON.parse(text);
}

/** What was in files before tests changed them. */
export function keptFilesOf({ spool }: ProofRun): string {
  return `${spool}.files`;
}

/** What tests have printed. */
export function outputOf({ spool }: ProofRun): string {
  return `${spool}.output`;
}

/** Methods of `console` that print to standard output. */
const PRINTING = ['log', 'info', 'debug'] as const;

/** The part of such a run that goes on among the tests: who takes turns, and what they print. */
export class ProofRunParts {
  readonly turns: Turns | null;
  readonly #run: ProofRun;
  readonly #printed: string[] = [];
  #isInConsole = false;

  constructor(run: ProofRun) {
    this.#run = run;
    this.turns = run.turns === null ? null : new Turns(run.turns);
    this.#listen();
  }

  /** All tests are over: whoever still waits does so in vain. */
  finish(): void {
    this.turns?.idle();
    writeFileSync(outputOf(this.#run), this.#printed.join(''));
    if (this.turns !== null) writeFileSync(turnsFile(this.#run.spool), JSON.stringify(this.turns.outcome));
  }

  /** Runners have consoles of their own, which print elsewhere or later. */
  #listen(): void {
    for (const method of PRINTING) {
      const print = console[method];
      console[method] = (...args: unknown[]) => {
        this.#printed.push(`${format(...args)}\n`);
        this.#isInConsole = true;
        try {
          print.apply(console, args);
        } finally {
          this.#isInConsole = false;
        }
      };
    }
    const { stdout } = process;
    const write = stdout.write as (...args: unknown[]) => boolean;
    stdout.write = ((...args: unknown[]) => {
      if (!this.#isInConsole) this.#printed.push(String(args[0]));
      return write.apply(stdout, args);
    }) as typeof stdout.write;
  }
}
