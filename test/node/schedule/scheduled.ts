import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { environmentOf } from '../../../src/node/loader/program-options.ts';
import type { ScheduleKind, ScheduleOptions } from '../../../src/trace/schedule-options.ts';

const START = fileURLToPath(new URL('../../../dist/node/loader/start.cjs', import.meta.url));

export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface Scheduled extends Ended {
  /** The trace, byte for byte. */
  trace: string;
}

let runs = 0;

/** Runs a program with a schedule, as `trackside record` does. */
export async function scheduled(entry: string, kind: ScheduleKind, seed: number): Promise<Scheduled> {
  const spool = join(dirname(entry), `${basename(entry)}-${++runs}.trk`);
  const schedule: ScheduleOptions = { kind, seed };
  const cwd = dirname(entry);
  const env = environmentOf({
    cwd,
    entry,
    instrument: [],
    spool,

    order: 'exact' as const,
    schedule,
  });
  const ended = await run(['--require', START, entry], cwd, env);
  return { ...ended, trace: readFileSync(spool, 'latin1') };
}

/** Runs it without us. */
export function plain(entry: string): Promise<Ended> {
  return run([entry], dirname(entry), {});
}

function run(args: string[], cwd: string, variables: Record<string, string>): Promise<Ended> {
  const { NODE_OPTIONS: _, FORCE_COLOR: __, ...env } = process.env;
  const child = spawn(process.execPath, args, {
    cwd,
    env: { ...env, ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended: Ended = { code: null, stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text) => {
    ended.stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text) => {
    ended.stderr += text;
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ ...ended, code }));
  });
}
