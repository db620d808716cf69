import { createWriteStream } from 'node:fs';
import { rename } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { renamedTrace } from '../formats/trk/renaming.ts';
import { namesOf } from './judge.ts';
import { NativeNames } from './names.ts';

/**
 * Rewrites a trace with names that people can read in the place of addresses, which only this machine understands, and
 * without the blocks that are none, after all.
 */
export async function nameReadably(
  path: string,
  onProgress: (position: number, total: number) => void,
): Promise<void> {
  const names = await namesOf(path);
  const renaming = {
    // What only tells us something has a number like any other name, but no event there.
    renamed: (table: string, text: string) =>
      table === 'locations' && NativeNames.isTold(text) ? '' : isOurs(table) ? names.readable(text) : text,
    isBlock: (label: string) => !names.guessed.has(label),
  };
  const made = `${path}.named`;
  await pipeline(Readable.from(renamedTrace(path, renaming, onProgress)), createWriteStream(made));
  await rename(made, path);
}

/** Threads and labels are in the program's words already. */
function isOurs(table: string): boolean {
  return table !== 'threads' && table !== 'labels';
}
