import type { FactsOfFile, TraceFacts } from '../../trace/facts.ts';
import { type FileFacts, SiteBit } from '../../trace/site-facts.ts';
import type { Access } from './access.ts';

/**
 * How an act depends on a read: the value flows into what is written, or decides whether it is; `maybe` where they are in
 * different functions and the analysis does not see all that lies between.
 */
export type Relation = 'data' | 'control' | 'maybe' | 'none';

/** So many are told; where there are more, one more says nothing. */
const MOST_AWAITS = 4;

/** All sites of a file that have one location. */
interface Place {
  file: IndexedFile;
  line: number;
  column: number;
  sites: number[];
  bits: number;
  /** Which functions they are in. */
  functions: ReadonlySet<number>;
}

/** What is known of the places of a trace, by their locations. */
export class SiteKnowledge {
  readonly #places = new Map<string, Place>();

  constructor(facts: TraceFacts) {
    for (const [path, file] of facts.files) this.#add(path, file, new IndexedFile(file.facts));
  }

  #add(ownPath: string, { places, sources }: FactsOfFile, file: IndexedFile): void {
    for (let site = 0; 2 * site + 1 < places.length; site++) {
      const [line, column] = [places[2 * site], places[2 * site + 1]];
      const path = sources?.paths[sources.of[site]] ?? ownPath;
      const location = column === 0 ? `${path}:${line}` : `${path}:${line}:${column}`;
      const bits = file.facts.bits[site] ?? 0;
      const fn = file.facts.functions[site] ?? -1;
      const known = this.#places.get(location);
      if (known === undefined) {
        this.#places.set(location, { file, line, column, sites: [site], bits, functions: new Set([fn]) });
      } else if (known.file === file) {
        // A source may be in several built files; what is known of one holds for the others.
        known.sites.push(site);
        known.bits |= bits;
        known.functions = new Set([...known.functions, fn]);
      }
    }
  }

  bits({ location }: Access): number {
    return this.#place(location)?.bits ?? 0;
  }

  has(access: Access, bit: number): boolean {
    return (this.bits(access) & bit) !== 0;
  }

  /** Whether the place is in a package that the program uses. */
  isOfPackage(location: string | null): boolean {
    return this.#place(location)?.file.facts.isOfPackage === true;
  }

  /** How what was done depends on what was read. `blockLocation` is where the function of the block begins. */
  relation(act: Access, read: Access, blockLocation: string | null): Relation {
    // `x++`, `x ??= v`: the read is part of it.
    if (act.location !== null && act.location === read.location) return 'data';
    const [to, from] = [this.#place(act.location), this.#place(read.location)];
    if (to === undefined || from === undefined) return 'maybe';
    if (to.file === from.file) {
      const known = to.file.relation(to.sites, from.sites);
      if (known !== 'none') return known;
      if (act.activation === read.activation && isSubset(from.functions, to.functions)) return 'none';
    }
    if ((from.bits & SiteBit.receiver) !== 0) return 'none';
    return this.#isOpen(to, blockLocation) ? 'maybe' : 'none';
  }

  /** In which ways what was done depends on what was read, as far as that is certain. */
  dependsBy(act: Access, read: Access): ('value' | 'decision')[] {
    const [to, from] = [this.#place(act.location), this.#place(read.location)];
    if (to === undefined || from?.file !== to.file) return [];
    const isData = act.location === read.location || to.file.isData(to.sites, from.sites);
    return [
      ...(isData ? (['value'] as const) : []),
      ...(to.file.isControl(to.sites, from.sites) ? (['decision'] as const) : []),
    ];
  }

  /** Whether what was read at the two places is looked at in one test. */
  meet(one: Access, other: Access): boolean {
    const [a, b] = [this.#place(one.location), this.#place(other.location)];
    return a !== undefined && a.file === b?.file && a.file.meet(a.sites, b.sites);
  }

  /** Whether there is a test that has compared what was read at the two places, and that the act is behind. */
  isCompared(act: Access, one: Access, other: Access): boolean {
    const [to, a, b] = [act, one, other].map(({ location }) => this.#place(location));
    if (to === undefined || a?.file !== to.file || b?.file !== to.file) return false;
    return to.file.isCompared(to.sites, a.sites, b.sites);
  }

  /** Whether both stand in one function; two places that are not known do not. */
  areInOneFunction(one: Access, other: Access): boolean {
    const [a, b] = [this.#place(one.location), this.#place(other.location)];
    return a !== undefined && a.file === b?.file && isSubset(a.functions, b.functions);
  }

  /** Where control was given up between two accesses of one function, by where that stands. */
  awaitsBetween(first: Access, last: Access): string[] {
    const [from, to] = [this.#place(first.location), this.#place(last.location)];
    if (from === undefined || to?.file !== from.file || !isSubset(from.functions, to.functions)) return [];
    const isLater = from.line < to.line || (from.line === to.line && from.column < to.column);
    const found: string[] = [];
    for (const [location, place] of this.#places) {
      if (place.file !== from.file || (place.bits & SiteBit.wait) === 0) continue;
      if (!isSubset(place.functions, to.functions)) continue;
      const isAfter = place.line > from.line || (place.line === from.line && place.column > from.column);
      // What is computed for a write is awaited before it is written.
      const isBefore = place.line <= to.line;
      if (isLater ? isAfter && isBefore : isAfter || isBefore) found.push(location);
    }
    return found.slice(0, MOST_AWAITS);
  }

  /** Whether what is done there may depend on things that the analysis has not seen. */
  #isOpen({ bits, file, functions }: Place, blockLocation: string | null): boolean {
    if ((bits & (SiteBit.dataOutside | SiteBit.controlOutside)) !== 0) return true;
    // What the callers of the block itself hand over is nothing that the block has read.
    const block = this.#place(blockLocation);
    if (block?.file === file && isSubset(functions, block.functions)) return false;
    return (bits & (SiteBit.dataFromCaller | SiteBit.calledFromOutside)) !== 0;
  }

  #place(location: string | null): Place | undefined {
    return location === null ? undefined : this.#places.get(location);
  }
}

function isSubset(part: ReadonlySet<number>, whole: ReadonlySet<number>): boolean {
  for (const element of part) if (!whole.has(element)) return false;
  return true;
}

/** The facts of a file, with the acts by their sites. */
class IndexedFile {
  readonly facts: FileFacts;
  readonly #data = new Map<number, readonly number[]>();
  readonly #conditions = new Map<number, readonly number[]>();

  constructor(facts: FileFacts) {
    this.facts = facts;
    for (const [site, data, conditions] of facts.acts) {
      this.#data.set(site, data);
      this.#conditions.set(site, conditions);
    }
  }

  relation(acts: readonly number[], reads: readonly number[]): Relation {
    if (this.isData(acts, reads)) return 'data';
    return this.isControl(acts, reads) ? 'control' : 'none';
  }

  isData(acts: readonly number[], reads: readonly number[]): boolean {
    return acts.some((act) => this.#data.get(act)?.some((site) => reads.includes(site)));
  }

  isControl(acts: readonly number[], reads: readonly number[]): boolean {
    const isIn = (condition: number) =>
      this.facts.conditions[condition]?.some((site) => reads.includes(site));
    return acts.some((act) => this.#conditions.get(act)?.some(isIn));
  }

  meet(one: readonly number[], other: readonly number[]): boolean {
    return this.facts.conditions.some(
      (sites) => sites.some((site) => one.includes(site)) && sites.some((site) => other.includes(site)),
    );
  }

  isCompared(acts: readonly number[], one: readonly number[], other: readonly number[]): boolean {
    const holds = (condition: number) => {
      const sites = this.facts.conditions[condition] ?? [];
      return sites.some((site) => one.includes(site)) && sites.some((site) => other.includes(site));
    };
    return acts.some((act) => this.#conditions.get(act)?.some(holds));
  }
}
