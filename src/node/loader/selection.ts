import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import type picomatch from 'picomatch';
import type { TurnsOptions } from '../runtime/turns/options.ts';
import { ownRequire } from '../support/own-require.ts';

/** A file of a package below `node_modules`, whatever it is called there. */
const IN_PACKAGE = /[\\/]node_modules[\\/]/;

const EXTENSIONS = /\.(?:[cm]?[jt]s|[jt]sx)$/;

/** So much of a `data:` URL is told. */
const LONGEST_DATA = 60;

/** Below this folder lies the tool itself, which must not watch itself. */
const OWN_CODE = new URL('../../', import.meta.url).pathname;

export function isOwnCode(path: string): boolean {
  return path.startsWith(OWN_CODE);
}

export function isOfPackage(path: string): boolean {
  return IN_PACKAGE.test(path);
}

export interface SelectionOptions {
  /** Where the command was started. */
  cwd: string;
  /** The program's first file. */
  entry: string;
  /** Globs of more files, relative to the working folder or to the program's; `!glob` leaves files out. */
  instrument: readonly string[];
  /** Globs of labels of plain functions that are meant to be atomic. */
  atomic?: readonly string[];
  /** Blocks whose calls take turns. */
  turns?: TurnsOptions;
  /** A `data:` URL that the program has made a worker of. */
  dataUrl?: string | undefined;
}

/**
 * Which files are instrumented: the program's own, which are those below the working folder and below the folder of
 * the entry's package, but nothing in a `node_modules`; and those that the globs name.
 */
export class Selection {
  readonly #roots: readonly string[];
  readonly #isIncluded: (path: string) => boolean;
  readonly #isExcluded: (path: string) => boolean;
  readonly #dataUrl: string | undefined;

  constructor({ cwd, entry, instrument, dataUrl }: SelectionOptions) {
    this.#dataUrl = dataUrl;
    this.#roots = [...new Set([resolve(cwd), packageFolder(resolve(cwd, entry))])];
    const included = instrument.filter((glob) => !glob.startsWith('!'));
    const excluded = instrument.filter((glob) => glob.startsWith('!')).map((glob) => glob.slice(1));
    this.#isIncluded = matcher(included, this.#roots);
    this.#isExcluded = matcher(excluded, this.#roots);
  }

  selects(path: string): boolean {
    if (path === this.#dataUrl) return true;
    if (!EXTENSIONS.test(path)) return false;
    const below = this.#namesBelowRoots(path);
    const names = [...below, ...packagePath(path), path];
    if (names.some(this.#isExcluded)) return false;
    return (below.length > 0 && !IN_PACKAGE.test(path)) || names.some(this.#isIncluded);
  }

  /** Whether what comes from this source is watched in a file that was built from it: bundles have packages in them. */
  selectsSource(path: string, built: string): boolean {
    const names = [...this.#namesBelowRoots(path), ...packagePath(path), path];
    if (names.some(this.#isExcluded)) return false;
    return !IN_PACKAGE.test(`/${path}`) || IN_PACKAGE.test(built) || names.some(this.#isIncluded);
  }

  /** Whether a glob names the file, which may be as reports name it. */
  isNamed(path: string): boolean {
    const file = resolve(this.#roots[0], path);
    return [...this.#namesBelowRoots(file), ...packagePath(file), file].some(this.#isIncluded);
  }

  /** How reports name a file: relative to the working folder where it lies below it. */
  displayPath(path: string): string {
    if (path.startsWith('data:'))
      return path.length > LONGEST_DATA ? `${path.slice(0, LONGEST_DATA)}…` : path;
    if (!isAbsolute(path)) return path;
    const shown = relative(this.#roots[0], path);
    return shown.startsWith('..') ? path : shown.split(sep).join('/');
  }

  #namesBelowRoots(path: string): string[] {
    return this.#roots
      .map((root) => relative(root, path))
      .filter((name) => name !== '' && !name.startsWith('..') && resolve(name) !== name)
      .map((name) => name.split(sep).join('/'));
  }
}

/** How a glob names a file of a package that lies elsewhere: in a folder above, or in one that pnpm has made for it. */
function packagePath(path: string): string[] {
  const name = path.split(sep).join('/');
  const at = name.lastIndexOf('/node_modules/');
  return at < 0 ? [] : [name.slice(at + 1)];
}

function matcher(globs: readonly string[], roots: readonly string[]): (path: string) => boolean {
  if (globs.length === 0) return () => false;
  const matching = ownRequire('picomatch') as typeof picomatch;
  const patterns = globs.flatMap((given) => {
    const glob = given.replace(/^\.\//, '');
    return [glob, ...roots.flatMap((root) => linked(matching.scan(glob), root))];
  });
  return matching(patterns, { dot: true });
}

/** Node knows a file by where it really is; the packages of a workspace are links in `node_modules`. */
function linked({ base, glob }: { base: string; glob: string }, root: string): string[] {
  const folder = resolve(root, base);
  try {
    const real = realpathSync(folder);
    return real === folder ? [] : [join(escaped(real), glob).split(sep).join('/')];
  } catch {
    return [];
  }
}

/** A path as a glob that matches nothing else. */
function escaped(path: string): string {
  return path.replace(/[$^*+?()[\]{}|!@]/g, '\\$&');
}

/** The folder of the nearest package.json, or the file's own. */
export function packageFolder(path: string): string {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'package.json'))) return folder;
    if (folder === dirname(folder)) return dirname(path);
  }
}

/** What package a file belongs to, by its own package.json: a folder may carry another name than what lies in it. */
export function packageName(path: string): string | null {
  if (!IN_PACKAGE.test(path)) return null;
  for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder)) {
    const name = declaredName(join(folder, 'package.json'));
    if (name !== null) return name;
  }
  return null;
}

const names = new Map<string, string | null>();

function declaredName(path: string): string | null {
  const known = names.get(path);
  if (known !== undefined) return known;
  let name: string | null = null;
  try {
    // Folders such as `dist/cjs` hold a package.json with a type only.
    const found: unknown = JSON.parse(readFileSync(path, 'utf8')).name;
    if (typeof found === 'string') name = found;
  } catch {
    // None here, or one that Node itself will complain about.
  }
  names.set(path, name);
  return name;
}
