import { EventFlag, type FactsOfFile, type TraceFacts } from '../../trace/facts.ts';
import { type ActFacts, SiteBit } from '../../trace/site-facts.ts';
import type { Access } from './access.ts';
import { type LinkedFile, Linking } from './linking.ts';
import { type ActOrigins, FIRST, LATER, OriginSearch, Origins, type Test, UNMARKED } from './origins.ts';
import { commonCall, type InPhase, type PhasePlace, Phases, phaseOf } from './phases.ts';

/**
 * How an act depends on a read: the value flows into what is written, or decides whether it is; `maybe` where they are in
 * different functions and the analysis does not see all that lies between.
 */
export type Relation = 'data' | 'control' | 'maybe' | 'none';

/** Those of which nothing is guessed. */
export const CERTAIN: ReadonlySet<Relation> = new Set(['data', 'control']);

const TWICE = FIRST | LATER;

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

/** When a read was made, in the activation that it belongs to: bits of what it may be meant by. */
export const ReadTime = {
  unknown: FIRST | LATER | UNMARKED,
  first: FIRST | UNMARKED,
  later: LATER | UNMARKED,
  /** Before the activation has waited, and the same place was read again after that. */
  firstOfSeveral: FIRST,
} as const;

/** What is known of the places of a trace, by their locations. */
export class SiteKnowledge {
  readonly #places = new Map<string, Place>();
  readonly #linking: Linking;
  readonly #searches = new Map<string, OriginSearch>();
  readonly #whole: OriginSearch;
  readonly #phases: Phases;
  /** By file and number of the condition: what it looks at. */
  readonly #tests = new Map<LinkedFile, (readonly Origins[])[]>();

  constructor(facts: TraceFacts) {
    this.#linking = new Linking([...facts.files].map(([path, file]) => [path, file.facts] as const));
    this.#whole = new OriginSearch(this.#linking, null);
    this.#phases = new Phases(this.#linking);
    for (const [path, file] of facts.files)
      this.#add(path, file, new IndexedFile(this.#linking.files.get(path) as LinkedFile));
  }

  #add(ownPath: string, { places, sources }: FactsOfFile, file: IndexedFile): void {
    const { facts } = file.linked;
    for (let site = 0; 2 * site + 1 < places.length; site++) {
      const [line, column] = [places[2 * site], places[2 * site + 1]];
      const path = sources?.paths[sources.of[site]] ?? ownPath;
      const location = column === 0 ? `${path}:${line}` : `${path}:${line}:${column}`;
      const bits = facts.bits[site] ?? 0;
      const fn = facts.functions[site] ?? -1;
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

  bits({ location }: Pick<Access, 'location'>): number {
    return this.#place(location)?.bits ?? 0;
  }

  has(access: Pick<Access, 'location'>, bit: number): boolean {
    return (this.bits(access) & bit) !== 0;
  }

  /** Whether the place is in a package that the program uses. */
  isOfPackage(location: string | null): boolean {
    return this.#place(location)?.file.linked.facts.isOfPackage === true;
  }

  /** How what was done depends on what was read. `blockLocation` is where the function of the block begins. */
  relation(
    act: Access,
    read: Access,
    blockLocation: string | null,
    time: number = ReadTime.unknown,
  ): Relation {
    const isEarlier = time === ReadTime.firstOfSeveral;
    const [to, from] = [this.#place(act.location), this.#place(read.location)];
    // `x++`, `x ??= v`: the read is part of it. Of a line, nobody knows: all statements may go through one function.
    const isOne = to?.column !== 0 || (read.flags & EventFlag.part) !== 0;
    if (act.location !== null && act.location === read.location && isOne) return isEarlier ? 'none' : 'data';
    if (to === undefined || from === undefined) return isEarlier ? 'none' : 'maybe';
    const search = this.#search(blockLocation);
    const origins = to.sites.map((site) => to.file.origins(site, search));
    const reads = from.sites.map((site) => from.file.linked.firstSite + site);
    const isIn = (sites: ReadonlyMap<number, number>) =>
      reads.some((site) => ((sites.get(site) ?? 0) & time) !== 0);
    if (origins.some(({ data }) => isIn(data.certain))) return 'data';
    if (origins.some(({ control }) => isIn(control.certain))) return 'control';
    if (origins.some(({ data, control }) => isIn(data.perhaps) || isIn(control.perhaps))) return 'maybe';
    if (isEarlier) return 'none';
    // Through a function that all statements go through, whatever was read may have come back.
    if (act.location === read.location) return 'maybe';
    if (to.file === from.file && act.activation === read.activation && isSubset(from.functions, to.functions))
      return 'none';
    if ((from.bits & SiteBit.receiver) !== 0) return 'none';
    const both = origins.flatMap(({ data, control }) => [data, control]);
    if (both.some(({ isFromCaller }) => isFromCaller)) return 'maybe';
    // What comes from where nobody looks may be made of what has got there.
    const isLost = [...from.functions].some(
      (fn) => fn < 0 || search.leaks(from.file.linked.firstFunction + fn),
    );
    return isLost && both.some(({ isOutside }) => isOutside) ? 'maybe' : 'none';
  }

  /**
   * Whether a block has decided by an earlier look of one phase to go on to another, which has looked again, but only to build upon
   * that: `if (await isOver(key)) return; await work(); await count(key)`, where `count` adds to what it finds.
   */
  isDecidedInPhases(begin: number, blockLocation: string | null, first: Access, again: Access, act: Access) {
    const block = this.#phasePlace(blockLocation);
    const common = commonCall(again, act);
    const within = common === null || common.begin === begin ? undefined : this.#phasePlace(common.location);
    if (block === undefined || common === null || within === undefined) return false;
    const [from, look, to] = [
      this.#inPhase(begin, first),
      this.#inPhase(common.begin, again),
      this.#inPhase(common.begin, act),
    ];
    const phase = this.#inPhase(begin, act);
    if (from === null || look === null || to === null || phase === null || from.call === null) return false;
    if (this.#phases.relation(block, from, phase)?.isDecided !== true) return false;
    const relation = this.#phases.relation(within, look, to);
    return relation !== null && !relation.mayBeDecided && relation.isData;
  }

  #inPhase(begin: number, access: Access): InPhase | null {
    const [call, place] = [phaseOf(access, begin), this.#phasePlace(access.location)];
    const called = call === null ? null : this.#phasePlace(call.location);
    return place === undefined || called === undefined ? null : { call: called, access: place };
  }

  #phasePlace(location: string | null): PhasePlace | undefined {
    const place = this.#place(location);
    if (place === undefined) return undefined;
    const { linked } = place.file;
    const functions = [...place.functions].filter((fn) => fn >= 0).map((fn) => linked.firstFunction + fn);
    return { file: linked, sites: allSites(place), functions };
  }

  /** In which ways what was done depends on what was read, as far as that is certain. */
  dependsBy(
    act: Access,
    read: Access,
    blockLocation: string | null,
    time: number = ReadTime.unknown,
  ): ('value' | 'decision')[] {
    const [to, from] = [this.#place(act.location), this.#place(read.location)];
    if (to === undefined || from === undefined) return [];
    const search = this.#search(blockLocation);
    const origins = to.sites.map((site) => to.file.origins(site, search));
    const reads = from.sites.map((site) => from.file.linked.firstSite + site);
    const isIn = ({ certain }: Origins) => reads.some((site) => ((certain.get(site) ?? 0) & time) !== 0);
    return [
      ...(act.location === read.location || origins.some(({ data }) => isIn(data))
        ? (['value'] as const)
        : []),
      ...(origins.some(({ control }) => isIn(control)) ? (['decision'] as const) : []),
    ];
  }

  /** Whether there is a test that looks at what was read at the two places, or something is written or passed in their function that is made of both. */
  areUsedTogether(one: Access, other: Access): boolean {
    const [a, b] = [this.#place(one.location), this.#place(other.location)];
    if (a === undefined || b === undefined || a === b || ((a.bits | b.bits) & SiteBit.mention) !== 0)
      return false;
    for (const file of this.#linking.files.values())
      for (const condition of (file.facts.conditions ?? []).keys())
        if (this.#looksAt({ file, condition }, a, b)) return true;
    const { file, functions } = b;
    return file.linked.facts.acts.some(([site]) => {
      if (!functions.has(file.linked.facts.functions[site] ?? -1)) return false;
      const { certain } = file.origins(site, this.#whole).data;
      return [a, b].every((place) => allSites(place).some((read) => certain.has(read)));
    });
  }

  /** Whether there is a test that has compared what was read at the two places, and that the act is behind. */
  isCompared(act: Access, one: Access, other: Access, blockLocation: string | null): boolean {
    const [to, a, b] = [act, one, other].map(({ location }) => this.#place(location));
    if (to === undefined || a === undefined || b === undefined) return false;
    const search = this.#search(blockLocation);
    return to.sites.some((site) =>
      to.file.origins(site, search).tests.some((test) => this.#looksAt(test, a, b)),
    );
  }

  #looksAt(test: Test, one: Place, other: Place): boolean {
    const { file, condition } = test;
    // Whether something was thrown is decided by all that was looked at before, one after the other.
    if (file.facts.throwing?.includes(condition)) return false;
    let tests = this.#tests.get(file);
    if (tests === undefined) {
      tests = [];
      this.#tests.set(file, tests);
    }
    tests[condition] ??= this.#whole.ofTest(test);
    return tests[condition].some(({ certain }) =>
      // By one place, two reads can be meant if it was read before the function waited, and after that.
      one === other
        ? allSites(one).some((site) => ((certain.get(site) ?? 0) & TWICE) === TWICE)
        : [one, other].every((place) => allSites(place).some((site) => certain.has(site))),
    );
  }

  /** What looks up where values come from while a block runs. */
  #search(blockLocation: string | null): OriginSearch {
    const block = this.#place(blockLocation);
    if (blockLocation === null || block === undefined) return this.#whole;
    let search = this.#searches.get(blockLocation);
    if (search === undefined) {
      const { firstFunction } = block.file.linked;
      const own = new Set([...block.functions].filter((fn) => fn >= 0).map((fn) => firstFunction + fn));
      search = new OriginSearch(this.#linking, { own, reached: this.#linking.reachedFrom(own) });
      this.#searches.set(blockLocation, search);
    }
    return search;
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

  #place(location: string | null): Place | undefined {
    return location === null ? undefined : this.#places.get(location);
  }
}

function isSubset(part: ReadonlySet<number>, whole: ReadonlySet<number>): boolean {
  for (const element of part) if (!whole.has(element)) return false;
  return true;
}

/** The sites of a place among all of the program. */
function allSites({ file, sites }: Place): number[] {
  return sites.map((site) => file.linked.firstSite + site);
}

/** The facts of a file, with the acts by their sites. */
class IndexedFile {
  readonly linked: LinkedFile;
  readonly #acts = new Map<number, ActFacts>();
  readonly #origins = new Map<OriginSearch, Map<number, ActOrigins>>();

  constructor(linked: LinkedFile) {
    this.linked = linked;
    for (const act of linked.facts.acts) this.#acts.set(act[0], act);
  }

  /** What is done at a site depends on. */
  origins(site: number, search: OriginSearch): ActOrigins {
    let known = this.#origins.get(search);
    if (known === undefined) {
      known = new Map();
      this.#origins.set(search, known);
    }
    let origins = known.get(site);
    if (origins === undefined) {
      const [, data, conditions] = this.#acts.get(site) ?? [site, [], []];
      const fn = this.linked.facts.functions[site] ?? -1;
      origins = this.#acts.has(site) ? search.ofAct(this.linked, fn, data, conditions) : NOTHING;
      known.set(site, origins);
    }
    return origins;
  }
}

const NOTHING: ActOrigins = { data: new Origins(), control: new Origins(), tests: [] };
