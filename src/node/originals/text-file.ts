import fs from 'node:fs';

/** What the program does with files is recorded; this is nothing that it does. */
const { closeSync, fstatSync, openSync, readFileSync } = fs;
const { O_NONBLOCK, O_RDONLY } = fs.constants;

/** No map or source is as large. */
const LONGEST = 256 * 1024 * 1024;

/**
 * The text of a file that somebody else has named. Throws if there is none, or if it is none: a device or a pipe may
 * have no end.
 */
export function textOfFile(path: string): string {
  const file = openSync(path, O_RDONLY | O_NONBLOCK);
  try {
    const about = fstatSync(file);
    if (!about.isFile()) throw new Error('it is no regular file');
    if (about.size > LONGEST) throw new Error('it is too large');
    return readFileSync(file, 'utf8');
  } finally {
    closeSync(file);
  }
}
