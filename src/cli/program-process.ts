import { type ChildProcess, spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';
import { declaredFormat, type ModuleFormat } from '../node/loader/module-kind.ts';
import { argumentsFor } from '../node/loader/own-arguments.ts';
import { environmentOf, type ProgramOptions } from '../node/loader/program-options.ts';
import { KeptOutput } from './kept-output.ts';
import { stayAlive } from './scratch.ts';

const REGISTER = new URL('../node/launch/register.js', import.meta.url).href;
const START = fileURLToPath(new URL('../node/loader/start.cjs', import.meta.url));
const FORWARDED: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** What shells add to the number of the signal that ended a process. */
const KILLED = 128;

/** A program that is told to end gets so long to do so. */
const GRACE_MS = 2000;

/** Whether a signal ended the program, which then could not end its trace. */
export function wasKilled(code: number): boolean {
  return code > KILLED;
}

/** Runs a program with the hooks in it, and with our standard streams; gives its exit code, as a shell would. */
export async function runProgram(options: ProgramOptions, args: readonly string[]): Promise<number> {
  const format = await formatOf(options.entry);
  const { code } = await ending(start({ ...options, format }, args, 'inherit'));
  return code;
}

export interface BoundedRun {
  code: number;
  output: KeptOutput;
  /** Whether it had to be ended, as it did not do so in time. */
  isTimedOut: boolean;
  /** Whether somebody has told us to end. */
  isInterrupted: boolean;
}

/** Runs a program without input, keeps what it says to itself unless that is to be shown, and ends it in time. */
export async function runBounded(
  options: ProgramOptions,
  args: readonly string[],
  { milliseconds, shows }: { milliseconds: number; shows: boolean },
): Promise<BoundedRun> {
  const format = await formatOf(options.entry);
  const child = start(
    { ...options, format },
    args,
    shows ? ['ignore', 'inherit', 'inherit'] : ['ignore', 'pipe', 'pipe'],
  );
  const output = new KeptOutput(child);
  let isTimedOut = false;
  const timers = [
    setTimeout(() => {
      isTimedOut = true;
      child.kill('SIGTERM');
    }, milliseconds),
    setTimeout(() => child.kill('SIGKILL'), milliseconds + GRACE_MS),
  ];
  try {
    return { ...(await ending(child)), output, isTimedOut };
  } finally {
    for (const timer of timers) clearTimeout(timer);
  }
}

/** Few programs need a parser to know that. */
async function formatOf(path: string): Promise<ModuleFormat> {
  const declared = declaredFormat(path);
  if (declared !== null) return declared;
  const { formatBySyntax } = await import('../node/loader/module-format.ts');
  return formatBySyntax(path, await readFile(path, 'utf8'));
}

function start(
  options: ProgramOptions & { format: ModuleFormat },
  args: readonly string[],
  stdio: 'inherit' | ('ignore' | 'inherit' | 'pipe')[],
): ChildProcess {
  const { entry, format } = options;
  const hooks = argumentsFor(entry, format, { register: REGISTER, start: START });
  return spawn(process.execPath, [...hooks, entry, ...args], {
    stdio,
    env: { ...process.env, ...environmentOf(options) },
  });
}

/** Waits for a program to end, and passes on the signals that are meant for it. */
export function ending(child: ChildProcess): Promise<{ code: number; isInterrupted: boolean }> {
  // What is meant for the program reaches it, and we stay to report. A terminal tells it of Ctrl-C by itself.
  const end = stayAlive();
  let isInterrupted = false;
  const forward = (signal: NodeJS.Signals) => {
    isInterrupted = true;
    if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal);
  };
  for (const signal of FORWARDED) process.on(signal, forward);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    // Programs that it has started, and that go on, may hold its streams.
    child.on('exit', () => {
      setTimeout(() => {
        child.stdout?.destroy();
        child.stderr?.destroy();
      }, GRACE_MS).unref();
    });
    // `close` and not `exit`: what it has written should have been read, if we read it.
    const isOurs = child.stdout !== null || child.stderr !== null;
    child.on(isOurs ? 'close' : 'exit', (code: number | null, signal: NodeJS.Signals | null) => {
      for (const name of FORWARDED) process.off(name, forward);
      end();
      resolve({ code: code ?? KILLED + (constants.signals[signal!] ?? 0), isInterrupted });
    });
  });
}
