import { spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import type { Socket } from 'node:net';
import { dirname, extname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { AnalysisResult } from '../check/result.ts';
import { type ExternalTrace, notesOf, TraceListener } from '../external/trace-listener.ts';
import { printable } from '../trace/printable.ts';
import { InputProblem } from '../trace/problem.ts';
import { checkInput, type StreamOptions } from './check.ts';
import { cannotWrite } from './output.ts';
import { ending } from './program-process.ts';
import type { Progress } from './progress.ts';
import { scratchPath } from './scratch.ts';

/** A program in another language than ours, with what watches it already in it or about to be put there. */
export interface ExternalProgram {
  command: string;
  args: readonly string[];
  /** Added to our own environment. */
  env: Readonly<Record<string, string>>;
  /** Whether its process is left a connection as descriptor 3, which it need not open. */
  inherits?: boolean;
  /** What to install where there is no such command. */
  missing?: string;
}

/** How its traces are checked. */
export interface ExternalCheckOptions extends StreamOptions {
  /** Called as each trace has been checked. */
  onResults: (results: readonly AnalysisResult[]) => Promise<void>;
}

export interface ExternalEnding {
  code: number;
  /** How many processes delivered a trace. */
  traces: number;
}

const STANDARD_STREAMS = 3;

/** A process that is still connected when the command is over is left alone after so much silence. */
const PATIENCE_MS = 2000;

/** Where the processes of a run deliver what they do: to be known before the program is started. */
export async function socketPath(): Promise<string> {
  return join(dirname(await scratchPath()), 'socket');
}

/** Runs a program and checks the trace of each of its processes while that is written. */
export function checkExternal(
  program: ExternalProgram,
  socket: string,
  options: ExternalCheckOptions,
  progress: Progress,
): Promise<ExternalEnding> {
  return runExternal(program, socket, async (trace) => {
    const found = await checkInput(
      { path: trace.name, rereadable: false, stream: trace.stream, problem: null },
      { ...options, format: 'trk' },
      progress,
    );
    // What could not be read to its end must not keep the program waiting for somebody who reads on.
    trace.stream.destroy();
    const notes = await notesOf(socket, trace.pid);
    await options.onResults(found.map((result) => asOfProcess(result, notes)));
  });
}

/** Runs a program and writes the trace of its process to a file; those of further processes beside it. */
export async function recordExternal(
  program: ExternalProgram,
  socket: string,
  file: string,
): Promise<ExternalEnding & { files: string[]; notes: string[] }> {
  const files: string[] = [];
  const notes: string[] = [];
  const ended = await runExternal(program, socket, async (trace) => {
    const path = files.length === 0 ? file : besides(file, trace.pid);
    files.push(path);
    await pipeline(trace.stream, createWriteStream(path)).catch((error: unknown) => {
      throw cannotWrite(error, path);
    });
    notes.push(...(await notesOf(socket, trace.pid)));
  });
  return { ...ended, files, notes };
}

/** `run.trk` of process 17 is `run-17.trk`. */
function besides(file: string, pid: number): string {
  const ending = extname(file);
  return `${file.slice(0, file.length - ending.length)}-${pid}${ending}`;
}

async function runExternal(
  { command, args, env, inherits = false, missing }: ExternalProgram,
  socket: string,
  take: (trace: ExternalTrace) => Promise<void>,
): Promise<ExternalEnding> {
  const taken: Promise<void>[] = [];
  const listener = await TraceListener.open(
    socket,
    (trace) => {
      const done = take(trace);
      // The program goes on all the same: what went wrong is said when it is over.
      done.catch(() => undefined);
      taken.push(done);
    },
    (what) => process.stderr.write(`trackside: an unknown process has connected: ${what}\n`),
  );
  try {
    const stdio: ('inherit' | 'pipe')[] = [
      'inherit',
      'inherit',
      'inherit',
      ...(inherits ? ['pipe' as const] : []),
    ];
    const child = spawn(command, args, { stdio, env: { ...process.env, ...env } });
    // Node would read what is left there for nobody as soon as the process is over, so it must not know of it.
    for (const socket of (child.stdio as unknown[]).splice(STANDARD_STREAMS))
      listener.leave(socket as Socket);
    const { code } = await ending(child).catch((error: NodeJS.ErrnoException) => {
      throw new InputProblem(`${printable(command, 200)} cannot be run`, {
        found: error.code === 'ENOENT' ? 'no such command' : error.message,
        expected: missing ?? 'a program that can be started',
      });
    });
    await listener.settled();
    listener.close(PATIENCE_MS);
    // A process may connect while another is being looked at.
    for (let i = 0; i < taken.length; i++) await taken[i];
    return { code, traces: taken.length };
  } finally {
    listener.close(0);
  }
}

function asOfProcess(result: AnalysisResult, notes: readonly string[]): AnalysisResult {
  // The only thing that is ever repaired here: the checks are strict but for the end.
  const cut = result.repairs.length > 0 ? [UNFINISHED] : [];
  const told = [...(result.notes ?? []), ...cut, ...notes];
  return { ...result, origin: 'process', repairs: [], ...(told.length === 0 ? {} : { notes: told }) };
}

const UNFINISHED =
  'The process ended without finishing its trace, as one does that is killed; this is about what it had written until then.';
