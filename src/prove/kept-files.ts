import { createHash } from 'node:crypto';
import { copyFile, mkdir, readFile, rm, rmdir, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { KEPT_INDEX } from '../node/runtime/kept-files.ts';

/** A file that a program has changed: what was in it before, and is now; null if there was, or is, none. */
interface ChangedFile {
  path: string;
  /** Where the copy of it is. */
  before: string | null;
  after: Buffer | null;
}

/** Longer lines of a file are cut, and more of them are one text. */
const LONGEST_LINE = 200;
const MOST_LINES = 10_000;

/** The files that a run has changed, by what its process has kept of them (`KeptFiles`). */
export class FilesOfRun {
  readonly #files: readonly ChangedFile[];

  private constructor(files: readonly ChangedFile[]) {
    this.#files = files;
  }

  static async in(folder: string): Promise<FilesOfRun> {
    const index = await readFile(join(folder, KEPT_INDEX), 'utf8').catch(() => '');
    const files: ChangedFile[] = [];
    for (const line of index.split('\n')) {
      if (line === '') continue;
      const [path, copy] = JSON.parse(line) as [string, string | null];
      const before = copy === null ? null : join(folder, copy);
      files.push({ path, before, after: await readFile(path).catch(() => null) });
    }
    return new FilesOfRun(files);
  }

  /** What they hold by now, by how reports call them. */
  get contents(): Map<string, readonly string[]> {
    const changed = this.#files.filter(({ before, after }) => before !== null || after !== null);
    return new Map(changed.map(({ path, after }) => [shown(path), linesOf(after)]));
  }

  /** Makes them what they were, so that the next run begins as this one did. */
  async undo(): Promise<void> {
    // What was made later may be in what was made before.
    for (const { path, before } of this.#files.toReversed()) {
      if (before !== null) await copyFile(before, path).catch(() => {});
      else if (await isGone(rm(path))) await rmdir(path).catch(() => {});
    }
  }

  /** Makes them what this run has left. */
  async redo(): Promise<void> {
    for (const { path, after } of this.#files) {
      if (after === null) {
        await rm(path, { force: true }).catch(() => {});
        continue;
      }
      await mkdir(dirname(path), { recursive: true }).catch(() => {});
      await writeFile(path, after).catch(() => {});
    }
  }
}

/** Whether it could not be removed: a folder, or something that is not there. */
async function isGone(removal: Promise<void>): Promise<boolean> {
  return removal.then(
    () => false,
    () => true,
  );
}

function shown(path: string): string {
  const below = relative(process.cwd(), path);
  return below.startsWith('..') ? path : below;
}

function linesOf(content: Buffer | null): readonly string[] {
  if (content === null) return ['(there is no such file)'];
  if (content.length === 0) return ['(empty)'];
  const lines = content.includes(0) ? [] : content.toString().replace(/\n$/, '').split('\n');
  if (lines.length === 0 || lines.length > MOST_LINES) {
    const digest = createHash('sha256').update(content).digest('hex').slice(0, 12);
    return [`(${content.length} bytes, SHA-256 ${digest}…)`];
  }
  return lines.map((line) => (line.length > LONGEST_LINE ? `${line.slice(0, LONGEST_LINE)}…` : line));
}
