import { isGlob, literalGlob, matchesGlob } from './glob.ts';

interface Entry {
  pattern: string;
  /** Whether a matching label is left out or, after `!`, taken in again. */
  excludes: boolean;
  /** How many entries came before it. */
  index: number;
}

/**
 * Which blocks are meant to be atomic. All are, except those left out: by `--only` (everything else is left
 * out), by `--exclude`, or by a specification file. Leaving a block out drops its begin and end, not its events.
 */
export class Specification {
  readonly #only: string[] = [];
  readonly #globs: Entry[] = [];
  /** The last entry with each pattern that is no glob: there may be a hundred thousand, and as many labels. */
  readonly #plain = new Map<string, Entry>();
  readonly #plainLengths = new Set<number>();
  #entries = 0;
  readonly #exactly = new Set<string>();

  only(pattern: string): this {
    this.#only.push(pattern);
    return this;
  }

  exclude(pattern: string): this {
    this.#add(pattern, true);
    return this;
  }

  /** Leaves out the blocks with just this label, whatever characters it holds. */
  excludeExactly(label: string): this {
    this.#exactly.add(label);
    return this;
  }

  /**
   * Adds the lines of a specification file: one pattern a line for blocks that are *not* atomic, `#` for
   * comments, `!` to take labels in again; the last line that matches a label decides. RAPID's plain lists of
   * excluded methods are such files.
   */
  addFile(text: string): this {
    for (const raw of text.split(/\r?\n/)) {
      // A space behind a backslash belongs to the label.
      const line = raw.trimStart().replace(/(?<!\\)\s+$/, '');
      if (line === '' || line.startsWith('#')) continue;
      const negated = line.startsWith('!');
      const pattern = negated ? line.slice(1).trimStart() : line;
      this.#add(pattern === UNLABELLED ? '' : pattern, !negated);
    }
    return this;
  }

  get isEmpty(): boolean {
    return this.#only.length === 0 && this.#entries === 0 && this.#exactly.size === 0;
  }

  isAtomic(label: string): boolean {
    if (this.#only.length > 0 && !this.#only.some((pattern) => matchesLabel(pattern, label))) return false;
    if (this.#exactly.has(label)) return false;
    let last = this.#lastPlain(label);
    for (const entry of this.#globs)
      if ((last === undefined || entry.index > last.index) && matchesGlob(entry.pattern, label)) last = entry;
    return last === undefined || !last.excludes;
  }

  #add(pattern: string, excludes: boolean): void {
    const entry = { pattern, excludes, index: this.#entries++ };
    if (isGlob(pattern)) {
      this.#globs.push(entry);
    } else {
      this.#plain.set(pattern, entry);
      this.#plainLengths.add(pattern.length);
    }
  }

  /** The last entry that is no glob and matches: by the label itself, or by what stands before a signature. */
  #lastPlain(label: string): Entry | undefined {
    let last = this.#plain.get(label);
    for (let end = label.indexOf('('); end >= 0; end = label.indexOf('(', end + 1)) {
      if (end === 0 || !this.#plainLengths.has(end)) continue;
      const entry = this.#plain.get(label.slice(0, end));
      if (entry !== undefined && (last === undefined || entry.index > last.index)) last = entry;
    }
    return last;
  }
}

/** What a specification is made of: the texts of files, and globs. */
export interface SpecificationParts {
  files: readonly string[];
  only: readonly string[];
  exclude: readonly string[];
}

/** Files come first and `exclude` after them, so that the command line has the last word. */
export function specificationFrom({ files, only, exclude }: SpecificationParts): Specification {
  const specification = new Specification();
  for (const text of files) specification.addFile(text);
  for (const glob of only) specification.only(glob);
  for (const glob of exclude) specification.exclude(glob);
  return specification;
}

/** How a specification file writes the empty label of blocks that have none. */
const UNLABELLED = '\\';

/**
 * The line of a specification file that leaves out, of all labels, which are given in order, exactly the blocks with this
 * label. A plain method name would also stand for its variants with signatures, so where there are any, its first
 * character is escaped, which makes it a pattern.
 */
export function excludingLine(label: string, sorted: readonly string[]): string {
  if (label === '') return UNLABELLED;
  // A line cannot hold a line end, which any character stands for; only then is white space escaped, or it would be that.
  const line = literalGlob(label)
    .replace(/[\r\n]/g, '?')
    .replace(/^[\s#!]|\s$/g, '\\$&');
  if (isGlob(line)) return line;
  return firstFrom(sorted, `${label}(`)?.startsWith(`${label}(`) ? `\\${line}` : line;
}

/** The first of sorted texts that is not before this one. */
function firstFrom(sorted: readonly string[], text: string): string | undefined {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sorted[middle] < text) low = middle + 1;
    else high = middle;
  }
  return sorted[low];
}

/** A plain method name also stands for the method with any signature: `Bank.pay` matches `Bank.pay(I)V`. */
export function matchesLabel(pattern: string, label: string): boolean {
  if (matchesGlob(pattern, label)) return true;
  return pattern !== '' && !isGlob(pattern) && label.startsWith(`${pattern}(`);
}
