/*
 * Puts the files of a program together: which functions a call into another file runs, and who calls a function. What a
 * file says of itself (site-facts.ts) leaves that open.
 */

import {
  CalledBy,
  type CallFacts,
  type FileFacts,
  type FunctionFacts,
  SiteBit,
} from '../../trace/site-facts.ts';
import { fileOf, lastSegment, packageOf } from './module-paths.ts';

/** Methods of one name that a call may mean; more are no help. */
const MOST_METHODS = 4;

/** Modules hand on what others hand on; so far that is followed. */
const LONGEST_CHAIN = 16;

const WHOLE = '*';

/** A file with the numbers that its sites and functions have among all. */
export interface LinkedFile {
  readonly path: string;
  readonly facts: FileFacts;
  readonly firstSite: number;
  readonly firstFunction: number;
}

/** A function of the program. */
export interface LinkedFunction {
  readonly file: LinkedFile;
  /** Among all functions of the program. */
  readonly id: number;
  readonly facts: FunctionFacts;
  readonly isAsync: boolean;
}

/** A call of the program, with the functions that it may run. */
export interface LinkedCall {
  readonly file: LinkedFile;
  /** The function that it stands in, among all. */
  readonly by: number;
  readonly facts: CallFacts;
  /** Those of its own file, and those of others. */
  readonly targets: readonly LinkedFunction[];
  readonly others: readonly LinkedFunction[];
}

export class Linking {
  readonly files = new Map<string, LinkedFile>();
  readonly functions: LinkedFunction[] = [];
  /** By function: the calls that may run it, those in it, and the functions that are written in it. */
  readonly #callers: LinkedCall[][] = [];
  readonly #callsIn: LinkedCall[][] = [];
  readonly #nested: number[][] = [];
  /** By file: its calls, by number. */
  readonly #calls = new Map<LinkedFile, LinkedCall[]>();
  /** By package, which is '' for the program itself, and name. */
  readonly #methods = new Map<string, Map<string, LinkedFunction[]>>();
  readonly #namesOf = new Map<number, string[]>();
  readonly #mentioned = new Set<string>();
  /** Functions that are used other than by calling them. */
  readonly #escaped = new Set<number>();

  constructor(files: Iterable<readonly [path: string, facts: FileFacts]>) {
    let firstSite = 0;
    for (const [path, facts] of files) {
      const file = { path, facts, firstSite, firstFunction: this.functions.length };
      this.files.set(path, file);
      this.#addFunctions(file);
      firstSite += facts.bits.length;
    }
    for (const file of this.files.values()) this.#addNames(file);
    for (const file of this.files.values()) {
      const calls = (file.facts.calls ?? []).map((facts) => this.#linked(file, facts));
      this.#calls.set(file, calls);
      for (const call of calls) {
        this.#callsIn[call.by].push(call);
        for (const target of [...call.targets, ...call.others]) this.#callers[target.id].push(call);
      }
      for (const link of file.facts.escaping ?? []) this.#noteEscape(file, link);
    }
  }

  callOf(file: LinkedFile, index: number): LinkedCall {
    return (this.#calls.get(file) as LinkedCall[])[index];
  }

  callersOf(id: number): readonly LinkedCall[] {
    return this.#callers[id];
  }

  callsIn(id: number): readonly LinkedCall[] {
    return this.#callsIn[id];
  }

  /** These functions, and all that are written in them. */
  writtenIn(start: Iterable<number>): ReadonlySet<number> {
    const all = new Set(start);
    for (const id of all) for (const nested of this.#nested[id]) all.add(nested);
    return all;
  }

  /** Whether nobody calls a function but those who are seen to. */
  isClosed({ id, facts }: LinkedFunction): boolean {
    if (this.#escaped.has(id)) return false;
    if (facts[1] === CalledBy.thisFile) return true;
    if (facts[1] === CalledBy.anybody || this.#callers[id].length === 0) return false;
    return (this.#namesOf.get(id) ?? []).every((name) => !this.#mentioned.has(name));
  }

  /** The functions that may run while one of these does: what is written in them, and what they call. */
  reachedFrom(start: Iterable<number>): ReadonlySet<number> {
    const reached = new Set(start);
    for (const id of reached) {
      for (const nested of this.#nested[id]) reached.add(nested);
      for (const { targets, others } of this.#callsIn[id])
        for (const target of [...targets, ...others]) reached.add(target.id);
    }
    return reached;
  }

  #addFunctions(file: LinkedFile): void {
    const { facts } = file;
    const isAsync = new Set<number>();
    for (const [site, fn] of facts.functions.entries())
      if (((facts.bits[site] ?? 0) & SiteBit.inAsync) !== 0) isAsync.add(fn);
    const flows = facts.flows ?? [];
    for (const [index, flow] of flows.entries()) {
      const id = this.functions.length;
      this.functions.push({ file, id, facts: flow, isAsync: isAsync.has(index) });
      this.#callers.push([]);
      this.#callsIn.push([]);
      this.#nested.push([]);
    }
    for (const [index, [around]] of flows.entries())
      if (around >= 0) this.#nested[file.firstFunction + around].push(file.firstFunction + index);
  }

  #addNames(file: LinkedFile): void {
    const { facts } = file;
    for (const name of facts.mentioned ?? []) this.#mentioned.add(name);
    const methods = this.#methodsOf(file);
    for (const [name, fn] of [...(facts.methods ?? []), ...(facts.exports ?? [])]) {
      const target = this.functions[file.firstFunction + fn];
      const known = methods.get(name) ?? [];
      if (!known.includes(target)) methods.set(name, [...known, target]);
    }
    if (facts.isOfPackage) return;
    for (const [name, fn] of facts.methods ?? []) {
      const id = file.firstFunction + fn;
      this.#namesOf.set(id, [...(this.#namesOf.get(id) ?? []), name]);
    }
  }

  #linked(file: LinkedFile, facts: CallFacts): LinkedCall {
    const [by, targets, link] = facts;
    return {
      file,
      by: file.firstFunction + by,
      facts,
      targets: targets.map((fn) => this.functions[file.firstFunction + fn]),
      others: link < 0 ? [] : this.#behind(file, link).filter((other) => other.file !== file),
    };
  }

  #methodsOf({ path, facts }: LinkedFile): Map<string, LinkedFunction[]> {
    const packageName = facts.isOfPackage ? packageOf(path) : '';
    const known = this.#methods.get(packageName) ?? new Map();
    this.#methods.set(packageName, known);
    return known;
  }

  #behind(file: LinkedFile, link: number): readonly LinkedFunction[] {
    const [from, name] = file.facts.links?.[link] ?? ['', ''];
    if (from === '') {
      // What packages call their functions says nothing of the program, but a package may be given functions of that.
      const ofProgram = this.#methods.get('')?.get(name) ?? [];
      const ofPackage = file.facts.isOfPackage ? (this.#methodsOf(file).get(name) ?? []) : [];
      const methods = [...ofPackage, ...ofProgram];
      return methods.length > MOST_METHODS ? [] : methods;
    }
    const found = this.#imported(file, from, name, LONGEST_CHAIN);
    return found === null ? [] : [found];
  }

  #imported(file: LinkedFile, from: string, name: string, steps: number): LinkedFunction | null {
    if (steps === 0) return null;
    const module = fileOf(this.files, file.path, from);
    if (module !== null) return this.#exported(module, name, steps);
    // A file that only hands on what others export has nothing to tell of, an alias may mean any file, and a package may be one of
    // the same repository: if only one function can be meant, it is that.
    const segment = from.startsWith('.') ? null : lastSegment(from);
    const found = new Set<LinkedFunction>();
    for (const other of this.files.values()) {
      if (other.facts.isOfPackage) continue;
      if (segment !== null && !other.path.split(/[\\/.]/).includes(segment)) continue;
      const exported = this.#exported(other, name, steps - 1);
      if (exported !== null) found.add(exported);
    }
    return found.size === 1 ? [...found][0] : null;
  }

  #exported(file: LinkedFile, name: string, steps: number): LinkedFunction | null {
    const { exports = [], handedOn = [], links = [] } = file.facts;
    const names = name === 'default' ? [name, WHOLE] : name === WHOLE ? [WHOLE, 'default'] : [name];
    for (const wanted of names) {
      const own = exports.find(([exported]) => exported === wanted);
      if (own !== undefined) return this.functions[file.firstFunction + own[1]];
    }
    for (const [exported, link] of handedOn) {
      if (exported !== name && exported !== WHOLE) continue;
      const [from, imported] = links[link];
      const found = this.#imported(file, from, exported === WHOLE ? name : imported, steps - 1);
      if (found !== null) return found;
    }
    return null;
  }

  #noteEscape(file: LinkedFile, link: number): void {
    const [from, name] = file.facts.links?.[link] ?? ['', ''];
    if (name !== WHOLE) {
      const found = this.#imported(file, from, name, LONGEST_CHAIN);
      if (found !== null) this.#escaped.add(found.id);
      return;
    }
    const module = fileOf(this.files, file.path, from);
    for (const [, fn] of module?.facts.exports ?? [])
      this.#escaped.add((module as LinkedFile).firstFunction + fn);
  }
}
