import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ProgramOptions } from './program-options.ts';

const COMMAND = fileURLToPath(new URL('../../cli/main.js', import.meta.url));

/** For a program that was started by `node --import trackside/register`, without our command around it. */
export function standaloneOptions(): ProgramOptions {
  return {
    cwd: process.cwd(),
    entry: process.argv[1] ?? '[eval]',
    instrument: (process.env.TRACKSIDE_INSTRUMENT ?? '').split(',').filter((glob) => glob !== ''),
    spool: join(mkdtempSync(join(tmpdir(), 'trackside-')), 'program.trk'),
    live: true,
    order: process.env.TRACKSIDE_ORDER === 'fast' ? 'fast' : 'exact',
  };
}

/**
 * Reports when the program ends. Checking takes many turns of an event loop, and a process that exits has none left;
 * so the command does it in another one.
 */
export function reportAtExit({ spool, entry, order }: ProgramOptions): void {
  process.on('exit', (code) => {
    const args = [COMMAND, 'run', '--recorded', spool, '--order', order, entry];
    const { status } = spawnSync(process.execPath, args, { stdio: ['ignore', 'inherit', 'inherit'] });
    rmSync(dirname(spool), { recursive: true, force: true });
    // A program that fails keeps its own exit code.
    if (code === 0 && status) process.exitCode = status;
  });
}
