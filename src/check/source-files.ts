import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import { basename, extname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * What a location may have shown. A location is hostile text, and reports are mailed: `.env:1` or `id_rsa:1` in a
 * trace must not put a secret into one.
 */
const EXTENSIONS: ReadonlySet<string> = new Set(
  (
    '.js .cjs .mjs .jsx .ts .cts .mts .tsx .vue .svelte .java .kt .kts .scala .groovy .clj .c .h .cc .cpp .cxx ' +
    '.hh .hpp .hxx .m .mm .cs .fs .go .rs .swift .py .rb .php .pl .lua .dart .ex .exs .erl .hs .ml .zig'
  ).split(' '),
);
/** Folders of files that others wrote or that were made from sources. */
const PASSED_OVER: ReadonlySet<string> = new Set(
  'node_modules bower_components vendor dist build target out coverage'.split(' '),
);
const LARGEST_FILE = 4 << 20;
/** So many entries of a root are looked at when a file is looked for by its name. */
const MOST_ENTRIES = 20_000;

/** Folders with sources in them. */
export interface SourceRoots {
  /** Below these a file need not be where its location says: `Bank.java` may be in any folder there. */
  searched: readonly string[];
  others?: readonly string[];
  /** The texts of files that are elsewhere, by the paths that locations have. */
  texts?: ReadonlyMap<string, string>;
}

/**
 * Finds the source files that locations name. A location is only ever looked for below one of the roots: neither
 * `../`, nor an absolute path, nor a link leads out of them.
 */
export class SourceFiles {
  readonly #roots: readonly string[];
  readonly #searched: readonly string[];
  readonly #lines = new Map<string, Promise<readonly string[] | null>>();
  #byName: Promise<ReadonlyMap<string, readonly string[]>> | null = null;

  constructor({ searched, others = [], texts = new Map() }: SourceRoots) {
    for (const [path, text] of texts) this.#lines.set(path, Promise.resolve(linesOf(text)));
    this.#searched = [...new Set(searched.map((root) => resolve(root)))];
    this.#roots = [...new Set([...this.#searched, ...others.map((root) => resolve(root))])];
  }

  /** The lines of the file that locations call `path`; null if there is none, or if it is not text. */
  lines(path: string): Promise<readonly string[] | null> {
    let lines = this.#lines.get(path);
    if (lines === undefined) {
      lines = this.#read(path);
      this.#lines.set(path, lines);
    }
    return lines;
  }

  async #read(path: string): Promise<readonly string[] | null> {
    const plain = plainPath(path);
    if (plain === null || !hasSourceName(plain)) return null;
    const file = (await this.#find(plain)) ?? (await this.#findByName(plain));
    if (file === null) return null;
    try {
      const text = await readFile(file, 'utf8');
      return text.includes('\0') ? null : linesOf(text);
    } catch {
      return null;
    }
  }

  /** The file at this path below one of the roots, the first one that has it. */
  async #find(path: string): Promise<string | null> {
    for (const root of this.#roots) {
      const file = await fileWithin(root, resolve(root, path));
      if (file !== null) return file;
    }
    return null;
  }

  /** The only file below a searched root whose path ends like this. */
  async #findByName(path: string): Promise<string | null> {
    if (resolve(path) === path) return null;
    this.#byName ??= this.#index();
    const named = (await this.#byName).get(basename(path)) ?? [];
    const tail = sep + path.split('/').join(sep);
    const [only, ...others] = named.filter((file) => file.endsWith(tail));
    const root = this.#searched.find((folder) => only !== undefined && isWithin(folder, only));
    return root !== undefined && others.length === 0 ? fileWithin(root, only) : null;
  }

  /** All source files below the searched roots, by name. Links are not followed. */
  async #index(): Promise<Map<string, string[]>> {
    const files = new Map<string, string[]>();
    const seen = new Set<string>();
    for (const root of this.#searched) {
      let entries = 0;
      for (const folders = [root]; folders.length > 0 && entries < MOST_ENTRIES; ) {
        const folder = folders.shift() as string;
        for (const entry of await entriesOf(folder)) {
          if (++entries > MOST_ENTRIES) break;
          const path = join(folder, entry.name);
          if (entry.isDirectory() && !isHidden(entry.name) && !PASSED_OVER.has(entry.name)) {
            folders.push(path);
          } else if (entry.isFile() && hasSourceName(entry.name) && !seen.has(path)) {
            seen.add(path);
            const same = files.get(entry.name);
            if (same === undefined) files.set(entry.name, [path]);
            else same.push(path);
          }
        }
      }
    }
    return files;
  }
}

function linesOf(text: string): string[] {
  return text.split(/\r\n|[\n\r]/);
}

/** The path behind a location, with slashes; null if it is none. */
function plainPath(path: string): string | null {
  if (path.includes('\0')) return null;
  if (!path.startsWith('file:')) return path.replaceAll('\\', '/');
  try {
    return fileURLToPath(path);
  } catch {
    return null;
  }
}

function hasSourceName(path: string): boolean {
  return EXTENSIONS.has(extname(path).toLowerCase());
}

/** The real path of a file that may be shown, if it lies below the root, links resolved. */
async function fileWithin(root: string, path: string): Promise<string | null> {
  if (!isWithin(root, path)) return null;
  try {
    const [realRoot, real] = await Promise.all([realpath(root), realpath(path)]);
    if (!isWithin(realRoot, real) || !hasSourceName(real)) return null;
    if (relative(realRoot, real).split(sep).some(isHidden)) return null;
    const found = await stat(real);
    return found.isFile() && found.size <= LARGEST_FILE ? real : null;
  } catch {
    return null;
  }
}

function isHidden(name: string): boolean {
  return name.startsWith('.');
}

function isWithin(root: string, path: string): boolean {
  return path.startsWith(root.endsWith(sep) ? root : root + sep);
}

async function entriesOf(folder: string) {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    return [];
  }
}
