import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { environmentOf, type ProgramOptions } from '../node/loader/program-options.ts';
import { stayAlive } from './scratch.ts';

const REGISTER = new URL('../node/loader/register.js', import.meta.url).href;
const FORWARDED: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** Runs a program with the hooks in it, and with our standard streams; gives its exit code, as a shell would. */
export function runProgram(options: ProgramOptions, args: readonly string[]): Promise<number> {
  const child = spawn(process.execPath, ['--import', REGISTER, options.entry, ...args], {
    stdio: 'inherit',
    env: { ...process.env, ...environmentOf(options) },
  });
  // What is meant for the program reaches it, and we stay to report.
  const end = stayAlive();
  const forward = (signal: NodeJS.Signals) => child.kill(signal);
  for (const signal of FORWARDED) process.on(signal, forward);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code, signal) => {
      for (const name of FORWARDED) process.off(name, forward);
      end();
      resolve(code ?? 128 + (constants.signals[signal!] ?? 0));
    });
  });
}
