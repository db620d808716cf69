import fs from 'node:fs';
import path from 'node:path';

/** The program may be using a patched `fs`. */
const { appendFileSync, copyFileSync, mkdirSync, statSync } = fs;

/** Larger files are not kept. */
const LARGEST = 16 << 20;

/** In the folder with the copies: a line of JSON for each file, `[path, name of the copy]`, null for one that was not there. */
export const KEPT_INDEX = 'index.jsonl';

/**
 * Keeps what was in the files that a program changes, as it was before the first change, so that it can be run again from
 * where it began. What it has made must not be there then.
 */
export class KeptFiles {
  readonly #folder: string;
  readonly #known = new Set<string>();

  constructor(folder: string) {
    this.#folder = folder;
    mkdirSync(folder, { recursive: true });
  }

  /** The program is about to change the file, or may be. */
  before(file: string): void {
    if (this.#known.has(file)) return;
    this.#known.add(file);
    const found = statSync(file, { throwIfNoEntry: false });
    if (found !== undefined && (!found.isFile() || found.size > LARGEST)) return;
    const copy = found === undefined ? null : `${this.#known.size}`;
    try {
      if (copy !== null) copyFileSync(file, path.join(this.#folder, copy));
      appendFileSync(path.join(this.#folder, KEPT_INDEX), `${JSON.stringify([file, copy])}\n`);
    } catch {
      // Then it is not there for the next run as it was for this one, which that run is going to show.
    }
  }
}
