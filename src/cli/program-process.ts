import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';
import { moduleFormat } from '../node/loader/module-format.ts';
import { environmentOf, type ProgramOptions } from '../node/loader/program-options.ts';
import { stayAlive } from './scratch.ts';

const REGISTER = new URL('../node/loader/register.js', import.meta.url).href;
const START = fileURLToPath(new URL('../node/loader/start.js', import.meta.url));
const FORWARDED: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** What shells add to the number of the signal that ended a process. */
const KILLED = 128;

/** Whether a signal ended the program, which then could not end its trace. */
export function wasKilled(code: number): boolean {
  return code > KILLED;
}

/** Runs a program with the hooks in it, and with our standard streams; gives its exit code, as a shell would. */
export function runProgram(options: ProgramOptions, args: readonly string[]): Promise<number> {
  const { entry } = options;
  const isModule = moduleFormat(entry, readFileSync(entry, 'utf8')) === 'module';
  const start = isModule ? ['--import', REGISTER] : [START];
  const child = spawn(process.execPath, [...start, entry, ...args], {
    stdio: 'inherit',
    env: { ...process.env, ...environmentOf(options) },
  });
  // What is meant for the program reaches it, and we stay to report. A terminal tells it of Ctrl-C by itself.
  const end = stayAlive();
  const forward = (signal: NodeJS.Signals) => {
    if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal);
  };
  for (const signal of FORWARDED) process.on(signal, forward);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code, signal) => {
      for (const name of FORWARDED) process.off(name, forward);
      end();
      resolve(code ?? KILLED + (constants.signals[signal!] ?? 0));
    });
  });
}
