import { printable } from '../trace/printable.ts';
import { InputProblem } from '../trace/problem.ts';

/** Long enough for every message of ours; what is quoted from the input is already short. */
const LONGEST = 2000;

/** The message of a problem, safe to print: paths come from the user's disk, and may hold anything. */
export function problemText(problem: InputProblem): string {
  return printable(problem.describe(), LONGEST);
}

/** Says what is wrong on standard error. */
export function complain(problem: InputProblem): void {
  process.stderr.write(`error: ${problemText(problem)}\n`);
}

/** Says what ended the program, or what failed in it: a problem of the input, or a bug of ours. */
export function complainAbout(error: unknown, what: string | null = null): void {
  if (error instanceof InputProblem) {
    complain(error);
    return;
  }
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  process.stderr.write(
    `error: ${what === null ? 'this is' : `${printable(what, LONGEST)} failed, which is`} a bug in trackside, please report it: ${printable(message, LONGEST)}\n`,
  );
  if (process.env.TRACKSIDE_DEBUG) process.stderr.write(`${stack}\n`);
  else process.stderr.write('Set TRACKSIDE_DEBUG=1 to see where it happened.\n');
}
