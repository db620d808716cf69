import type { FactRecord } from '../../trace/facts.ts';
import { grownInt32 } from '../../trace/growable.ts';
import type { BuiltSources } from '../probes.ts';

/** In place of an index into the texts: a function that is followed, but is no block. */
const NO_BLOCK = -2;

/** The places of the program, by number; 0 is no place. */
export class Sites {
  #count = 1;
  #line = new Int32Array(256);
  #column = new Int32Array(256);
  /** Indices into `#paths` and `#texts`. */
  #path = new Int32Array(256);
  #text = new Int32Array(256);
  readonly #paths: string[] = [''];
  readonly #texts: string[] = [''];
  readonly #files = new Set<string>();
  /** The places of functions that are no blocks. */
  readonly #noBlocks = new Set<number>();
  /** By the numbers of its paths: what is known of the sites of a file, until it has been handed out. */
  readonly #facts = new Map<number, { records: FactRecord[] }>();
  /** The places of reads whose value is only told to somebody. */
  readonly #mentions = new Set<number>();
  /** Numbers of places that were found at run time. */
  readonly #found = new Map<string, number>();

  get count(): number {
    return this.#count;
  }

  /** Adds the sites of a file (`Probes.file`); returns the number of the first. */
  add(
    path: string,
    sites: readonly number[],
    texts: readonly string[],
    facts?: string,
    mentions: readonly number[] = [],
    built: BuiltSources | null = null,
  ): number {
    const base = this.#count;
    for (const site of mentions) this.#mentions.add(base + site);
    const firstText = this.#texts.length;
    const ownPath = this.#paths.length;
    for (const file of [path, ...(built?.paths ?? [])]) {
      this.#files.add(file);
      this.#paths.push(file);
    }
    for (const text of texts) this.#texts.push(text);
    if (facts !== undefined) this.#noteFacts(ownPath, path, sites, facts, built);
    this.#reserve(base + sites.length / 3);
    for (let i = 0; i + 2 < sites.length; i += 3) {
      const text = sites[i + 2];
      if (text === NO_BLOCK) this.#noBlocks.add(this.#count);
      const source = built?.of[i / 3] ?? -1;
      this.#place(ownPath + 1 + source, sites[i], sites[i + 1], text < 0 ? 0 : firstText + text);
    }
    return base;
  }

  #noteFacts(
    ownPath: number,
    path: string,
    sites: readonly number[],
    facts: string,
    built: BuiltSources | null,
  ): void {
    const places = sites.filter((_, i) => i % 3 !== 2);
    const records: FactRecord[] = [['file', path, places, facts]];
    if (built !== null) {
      const { paths, of, contents } = built;
      records[0] = ['file', path, places, facts, { paths, of }];
      const sources = paths.flatMap((name, i) =>
        contents[i] === null ? [] : [[name, contents[i]] as const],
      );
      if (sources.length > 0) records.push(['program', { sources }]);
    }
    const known = { records };
    for (let i = 0; i <= (built?.paths.length ?? 0); i++) this.#facts.set(ownPath + i, known);
  }

  /** The number of a place that was found at run time. */
  find(path: string, line: number, column: number, text = ''): number {
    const name = `${path}:${line}:${column}:${text}`;
    const known = this.#found.get(name);
    if (known !== undefined) return known;
    const site = this.#count;
    this.#reserve(site + 1);
    this.#place(this.#paths.push(path) - 1, line, column, text === '' ? 0 : this.#texts.push(text) - 1);
    this.#found.set(name, site);
    return site;
  }

  /** The line of a site, as a place of its own. */
  lineSite(site: number, text: string): number {
    return site === 0 ? 0 : this.find(this.#paths[this.#path[site]], this.#line[site], 0, text);
  }

  /** The files that have sites, as reports name them. */
  get files(): string[] {
    return [...this.#files];
  }

  /** Whether a file of this name has sites of its own. */
  hasFile(path: string): boolean {
    return this.#files.has(path);
  }

  /** `src/bank.ts:12:3`, without a column if that is not known, or null for no place. */
  location(site: number): string | null {
    if (site === 0 || this.#line[site] === 0) return null;
    const column = this.#column[site];
    return column === 0 ? this.line(site) : `${this.line(site)}:${column}`;
  }

  /** `src/bank.ts:12`. */
  line(site: number): string {
    return `${this.#paths[this.#path[site]]}:${this.#line[site]}`;
  }

  /** Whether a function at this place is a block, as all are unless a comment says otherwise. */
  isBlock(site: number): boolean {
    return this.#noBlocks.size === 0 || !this.#noBlocks.has(site);
  }

  /** Whether what is read there is only told to somebody. */
  isMention(site: number): boolean {
    return this.#mentions.has(site);
  }

  /**
   * What is known of all sites of the file that this one is in, the first time that somebody asks for one of them; and of all
   * other files of the program that have been loaded, as values go through them.
   */
  takeFacts(site: number): readonly FactRecord[] {
    const own = this.#facts.get(this.#path[site]);
    return own === undefined || own.records.length === 0
      ? []
      : [...own.records.splice(0), ...this.takeRest()];
  }

  /** What is known of files of the program that nobody has asked for. */
  takeRest(): readonly FactRecord[] {
    const taken: FactRecord[] = [];
    for (const [path, { records }] of this.#facts)
      if (!/[\\/]node_modules[\\/]/.test(this.#paths[path])) taken.push(...records.splice(0));
    return taken;
  }

  /** The label of a block or the source text of an access; empty if there is none. */
  text(site: number): string {
    return this.#texts[this.#text[site]];
  }

  #place(path: number, line: number, column: number, text: number): void {
    const site = this.#count++;
    this.#path[site] = path;
    this.#line[site] = line;
    this.#column[site] = column;
    this.#text[site] = text;
  }

  #reserve(count: number): void {
    this.#line = grownInt32(this.#line, count);
    this.#column = grownInt32(this.#column, count);
    this.#path = grownInt32(this.#path, count);
    this.#text = grownInt32(this.#text, count);
  }
}
