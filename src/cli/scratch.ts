import { rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { InputProblem } from '../trace/problem.ts';

/*
 * Files that must not be left behind, however the program ends: copies of standard input, and outputs that are
 * not finished.
 */
const doomed = new Set<string>();

/** Removes `path` when the program ends, unless it is spared before. */
export function removeAtExit(path: string): void {
  watchForTheEnd();
  doomed.add(path);
}

export function spare(path: string): void {
  doomed.delete(path);
}

/** A path for a temporary file in a folder of its own. */
export async function scratchPath(): Promise<string> {
  const parent = tmpdir();
  const folder = await mkdtemp(join(parent, 'trackside-')).catch((error: NodeJS.ErrnoException) => {
    throw new InputProblem(`nothing can be written to the folder for temporary files (${error.code})`, {
      file: parent,
      expected: 'a folder with room in it; TMPDIR names another one',
      cause: error,
    });
  });
  removeAtExit(folder);
  return join(folder, 'trace');
}

export async function removeScratch(path: string): Promise<void> {
  const folder = join(path, '..');
  await rm(folder, { recursive: true, force: true });
  spare(folder);
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
let watching = false;
let staying = false;

/** Signals no longer end the program, until the returned function is called: somebody else deals with them. */
export function stayAlive(): () => void {
  staying = true;
  return () => {
    staying = false;
  };
}

function watchForTheEnd(): void {
  if (watching) return;
  watching = true;
  process.on('exit', removeAll);
  for (const signal of SIGNALS) {
    process.on(signal, function end() {
      if (staying) return;
      removeAll();
      process.off(signal, end);
      // Now that nobody listens, the signal ends the program, and its parent can see which one it was.
      process.kill(process.pid, signal);
    });
  }
}

function removeAll(): void {
  for (const path of doomed) rmSync(path, { recursive: true, force: true });
  doomed.clear();
}
