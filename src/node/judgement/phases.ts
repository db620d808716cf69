/*
 * Phases of a block: the functions that it calls one after the other. Two of them may look at the same through one helper, so that a
 * place in the program does not tell whose look it was; but the calls in the function of the block do.
 */

import { type Source, SymbolKind } from '../../trace/site-facts.ts';
import type { Access, Activation } from './access.ts';
import type { LinkedCall, LinkedFile, LinkedFunction, Linking } from './linking.ts';
import { OriginSearch, type Origins } from './origins.ts';

/** Where something stands: the sites there, and the functions that these are in, among all of the program. */
export interface PhasePlace {
  readonly file: LinkedFile;
  readonly sites: readonly number[];
  readonly functions: readonly number[];
}

/** An access, and the function that has been called for it by the one in question; null if that has made it itself. */
export interface InPhase {
  readonly call: PhasePlace | null;
  readonly access: PhasePlace;
}

/** How what a function does depends on what it has had read before. */
export interface PhaseRelation {
  /** Whether it is done at all: surely, or at most. */
  readonly isDecided: boolean;
  readonly mayBeDecided: boolean;
  /** What it is done with. */
  readonly isData: boolean;
}

type ComesFrom = (file: LinkedFile, sources: readonly Source[]) => boolean;

/** The call through which a call that was going on came to an access; null for its own. */
export function phaseOf({ within }: Access, begin: number): Activation | null {
  let inner: Activation | null = null;
  for (let each = within; each !== null; each = each.outer) {
    if (each.begin === begin) return inner;
    inner = each;
  }
  return null;
}

/** The innermost call that two accesses are both in. */
export function commonCall(one: Access, other: Access): Activation | null {
  const around = new Set<number>();
  for (let each = one.within; each !== null; each = each.outer) around.add(each.begin);
  for (let each = other.within; each !== null; each = each.outer) if (around.has(each.begin)) return each;
  return null;
}

export class Phases {
  readonly #linking: Linking;
  readonly #search: OriginSearch;

  constructor(linking: Linking) {
    this.#linking = linking;
    this.#search = new OriginSearch(linking, null);
  }

  /** How the call of a later phase depends on what was read in an earlier one; null if the calls are not seen. */
  relation(by: PhasePlace, earlier: InPhase, later: InPhase): PhaseRelation | null {
    if (later.call === null) return null;
    const calls = this.#callsOf(by, later.call);
    const before = earlier.call === null ? [] : this.#callsOf(by, earlier.call);
    if (calls.length === 0 || (earlier.call !== null && before.length === 0)) return null;
    const comes = this.#comesFrom(earlier, new Set(before));
    const own = this.#linking.writtenIn(by.functions);
    const decided = calls.filter((call) => this.#isDecided(call, comes));
    return {
      // Where it is called again without having been decided, nobody knows which call it was.
      isDecided: decided.length === calls.length,
      mayBeDecided: decided.length > 0 || calls.some((call) => this.#isLetThrough(call, comes, own)),
      isData: calls.some(({ file, facts }) => facts[3].some((given) => comes(file, given))),
    };
  }

  #isDecided({ file, facts }: LinkedCall, comes: ComesFrom): boolean {
    const { conditions = [], throwing = [], settling = [] } = file.facts;
    return facts[4].some(
      (each) =>
        !facts[6]?.includes(each) &&
        !throwing.includes(each) &&
        !settling.includes(each) &&
        comes(file, conditions[each] ?? []),
    );
  }

  /** Whether a call that may throw was given what was read: `assertOpen(row)`. What throws while it is read says nothing of it. */
  #isLetThrough({ file, facts }: LinkedCall, comes: ComesFrom, own: ReadonlySet<number>): boolean {
    const { conditions = [], throwing = [], symbols = [] } = file.facts;
    return facts[4].some((each) => {
      if (!throwing.includes(each)) return false;
      return (conditions[each] ?? []).some((source) => {
        if (source >= 0) return comes(file, [source]);
        const [kind, of] = symbols[-source - 1] ?? [SymbolKind.outside];
        if (kind !== SymbolKind.thrown) return comes(file, [source]);
        const call = this.#linking.callOf(file, of);
        return own.has(call.by) && call.facts[3].some((given) => comes(file, given));
      });
    });
  }

  /** Whether something comes from what was read in a phase. */
  #comesFrom({ call, access }: InPhase, calls: ReadonlySet<LinkedCall>): ComesFrom {
    const inPhase = this.#linking.reachedFrom(call?.functions ?? []);
    const sites = new Set(access.sites);
    const isRead = ({ certain, perhaps }: Origins) =>
      [...sites].some((site) => certain.has(site) || perhaps.has(site));
    const isReturned = (call?.functions ?? []).some((id) => {
      const origins = this.#search.ofReturns(this.#linking.functions[id]);
      return isRead(origins) || origins.isOutside || origins.isFromCaller;
    });
    const comes: ComesFrom = (file, sources) =>
      sources.some((source) => {
        if (source >= 0) return sites.has(file.firstSite + source);
        const [kind, of] = file.facts.symbols?.[-source - 1] ?? [SymbolKind.outside];
        if (kind === SymbolKind.first || kind === SymbolKind.later || kind === SymbolKind.perhaps)
          return comes(file, [of]);
        if (kind !== SymbolKind.result) return false;
        const result = this.#linking.callOf(file, of);
        if (calls.has(result)) return isReturned;
        if (!inPhase.has(result.by)) return false;
        const origins = this.#search.ofSources(file, [source]);
        return isRead(origins) || origins.isOutside;
      });
    return comes;
  }

  /** The calls in a function, and in those that are written in it, that may run another one. */
  #callsOf(by: PhasePlace, target: PhasePlace): LinkedCall[] {
    const targets = target.functions.map((id) => this.#linking.functions[id]);
    const names = new Set(targets.flatMap(namesOf));
    const found: LinkedCall[] = [];
    for (const id of this.#linking.writtenIn(by.functions))
      for (const call of this.#linking.callsIn(id)) {
        const known = [...call.targets, ...call.others];
        // What a library is given, it calls by its name.
        const isNamed = known.length === 0 && names.has(methodOf(call));
        if (isNamed || known.some((each) => targets.includes(each))) found.push(call);
      }
    return found;
  }
}

function namesOf({ file, id }: LinkedFunction): string[] {
  const { methods = [], exports = [] } = file.facts;
  return [...methods, ...exports].filter(([, fn]) => file.firstFunction + fn === id).map(([name]) => name);
}

function methodOf({ file, facts }: LinkedCall): string {
  const [from, name] = file.facts.links?.[facts[2]] ?? ['', ''];
  return from === '' ? name : '';
}
