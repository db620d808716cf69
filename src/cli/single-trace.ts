import { stat } from 'node:fs/promises';
import { STANDARD_INPUT } from '../formats/bytes.ts';
import { listTraces, type TraceInput } from '../formats/inputs.ts';
import { InputProblem } from '../trace/problem.ts';

/* For commands that make one file out of one trace. */

const STANDARD_OUTPUT = '-';

/** Refuses a folder; `done` is what the command does to a trace: `converted`. */
export async function singleTrace(path: string, done: string): Promise<TraceInput> {
  const [input, ...others] = await listTraces([path]);
  if (input.problem !== null) throw input.problem;
  if (others.length > 0 || input.path !== path)
    throw new InputProblem(`this is a folder; one trace is ${done} at a time`, { file: path });
  return input;
}

/** The output must not take the place of the trace, which is still being read. */
export async function refuseSameFile(from: string, to: string): Promise<void> {
  if (from === STANDARD_INPUT || to === STANDARD_OUTPUT) return;
  const [source, target] = await Promise.all([stat(from), stat(to)].map((found) => found.catch(() => null)));
  if (source === null || target === null || source.dev !== target.dev || source.ino !== target.ino) return;
  throw new InputProblem('this file is to be read and written at once', {
    file: to,
    expected: 'another name for the output',
  });
}
