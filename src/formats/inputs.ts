import { type Dirent, readdirSync, type Stats, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { InputProblem } from '../trace/problem.ts';
import { asInputProblem, STANDARD_INPUT } from './bytes.ts';
import { FORMATS, formatByEnding } from './registry.ts';

/** One trace to be read, or what is wrong with the argument that should have named one. */
export interface TraceInput {
  /** The path as given, or under the folder as given; `-` for standard input. */
  path: string;
  /** Whether it can be read a second time; pipes and standard input cannot. */
  rereadable: boolean;
  /** What is read instead of the file, while a program writes it. */
  stream?: Readable;
  problem: InputProblem | null;
}

/** File name endings by which traces are recognised inside folders; each may have `.gz` behind it. */
export const TRACE_ENDINGS: readonly string[] = FORMATS.flatMap((format) =>
  format.extensions.map((extension) => `.${extension}`),
);

/**
 * Turns arguments into traces, in the order given. A folder stands for the traces in it and below it, sorted
 * by name; a file is a trace whatever its name.
 */
export async function listTraces(paths: readonly string[], format = 'auto'): Promise<TraceInput[]> {
  if (paths.filter((path) => path === STANDARD_INPUT).length > 1) {
    throw new InputProblem("standard input can be read only once, but '-' is given more than once");
  }
  const inputs: TraceInput[] = [];
  for (const path of paths) {
    if (path === STANDARD_INPUT) inputs.push({ path, rereadable: false, problem: null });
    else if (format === 'auto' && PROGRAM.test(path)) inputs.push(programAt(path));
    else inputs.push(...inputsAt(path));
  }
  return inputs;
}

/** A file that nobody would call a trace. */
const PROGRAM = /\.[cm]?[jt]sx?$/i;

function programAt(path: string): TraceInput {
  const [input] = inputsAt(path);
  if (input.problem !== null || !input.rereadable) return input;
  const problem = new InputProblem('this is a program, not a trace', {
    file: path,
    expected: `a trace; to run the program and check what it does: trackside run ${path}`,
  });
  return { ...input, problem };
}

function inputsAt(path: string): TraceInput[] {
  try {
    const stats = statSync(path);
    if (!stats.isDirectory()) return [{ path, rereadable: stats.isFile(), problem: null }];
    const inputs = tracesIn(path, stats, new Set());
    if (inputs.length > 0) return inputs;
    throw new InputProblem('this folder holds no traces', {
      file: path,
      expected: `files ending in ${TRACE_ENDINGS.join(', ')}, each also with .gz`,
    });
  } catch (error) {
    const problem = asInputProblem(error, path);
    if (!(problem instanceof InputProblem)) throw problem;
    return [{ path, rereadable: false, problem }];
  }
}

/** `visited` holds the folders looked into so far, so that links cannot lead round in circles. */
function tracesIn(folder: string, stats: Stats, visited: Set<string>): TraceInput[] {
  const identity = `${stats.dev}:${stats.ino}`;
  if (visited.has(identity)) return [];
  visited.add(identity);
  const inputs: TraceInput[] = [];
  for (const entry of sortedEntries(folder)) {
    const path = join(folder, entry.name);
    const entryStats = statsIfThere(path);
    if (entryStats?.isDirectory()) {
      const skipped = entry.name.startsWith('.') || entry.name === 'node_modules';
      if (!skipped) inputs.push(...tracesIn(path, entryStats, visited));
    } else if (formatByEnding(entry.name) !== null) {
      // Also when it cannot be looked at, such as a broken link: opening it then says what is wrong.
      inputs.push({ path, rereadable: entryStats?.isFile() ?? false, problem: null });
    }
  }
  return inputs;
}

function statsIfThere(path: string): Stats | null {
  try {
    return statSync(path);
  } catch {
    return null;
  }
}

function sortedEntries(folder: string): Dirent[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    throw asInputProblem(error, folder);
  }
}
