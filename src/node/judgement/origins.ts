/*
 * Where values come from, through functions and files: what a read has to do with an act is looked up here.
 */

import { CalledBy, type Source, SymbolKind } from '../../trace/site-facts.ts';
import type { LinkedCall, LinkedFile, LinkedFunction, Linking } from './linking.ts';

/** When a read was asked for: before an async function had waited, after that, or nobody has noted it. As bits. */
export const FIRST = 1;
export const LATER = 2;
export const UNMARKED = 4;

/** Calls within calls that are followed. */
const DEEPEST = 8;

/** Sources that are looked at for one act; who needs more depends on anything. */
const MOST_STEPS = 5_000;

/** Frames, times and certainties in which one symbol may be met. */
const MOST_WAYS = 2 ** 32;

/** What something comes from. */
export class Origins {
  /** Sites among all of the program, with when they were read. */
  readonly certain = new Map<number, number>();
  readonly perhaps = new Map<number, number>();
  /** Something of it comes from what is not followed. */
  isOutside = false;
  /** Something of it is handed over by callers of whom nobody knows. */
  isFromCaller = false;

  add(site: number, time: number, isPerhaps: boolean): void {
    const sites = isPerhaps ? this.perhaps : this.certain;
    sites.set(site, (sites.get(site) ?? 0) | time);
  }
}

/** A condition of a file. */
export interface Test {
  file: LinkedFile;
  condition: number;
}

export interface ActOrigins {
  data: Origins;
  control: Origins;
  /** The conditions that it is behind. */
  tests: readonly Test[];
}

/** The functions of a block, and all that may run while it does. Null stands for the whole program. */
export interface BlockFunctions {
  own: ReadonlySet<number>;
  reached: ReadonlySet<number>;
}

/** A call that was followed to what it returns. */
interface Frame {
  id: number;
  call: LinkedCall;
  target: LinkedFunction;
  outer: Frame | null;
  depth: number;
}

export class OriginSearch {
  readonly #linking: Linking;
  readonly #block: BlockFunctions | null;
  readonly #leaks = new Map<number, boolean>();

  constructor(linking: Linking, block: BlockFunctions | null) {
    this.#linking = linking;
    this.#block = block;
  }

  /** What the act at a site depends on. */
  ofAct(file: LinkedFile, fn: number, data: readonly Source[], conditions: readonly number[]): ActOrigins {
    const value = new Origins();
    new Walk(this.#linking, this.#block, value).sources(file, data, null, UNMARKED, false);
    const control = new Origins();
    const walk = new Walk(this.#linking, this.#block, control);
    const tests = this.#testsBefore(file, fn, conditions);
    for (const test of tests.all) walk.test(test);
    if (!tests.isAll) control.isFromCaller = true;
    return { data: value, control, tests: tests.all };
  }

  /** The conditions that lead to an act: its own, those of the calls of its function, and of those around it. */
  #testsBefore(file: LinkedFile, fn: number, conditions: readonly number[]): { all: Test[]; isAll: boolean } {
    const all = conditions.map((condition) => ({ file, condition }));
    const seen = new Set(fn < 0 ? [] : [file.firstFunction + fn]);
    let areCallersKnown = fn >= 0;
    for (const id of seen) {
      if (this.#block?.own.has(id)) continue;
      const called = this.#linking.functions[id];
      const { calls, isAll } = callsOf(this.#linking, this.#block, called);
      areCallersKnown &&= isAll;
      for (const call of calls) {
        all.push(...call.facts[4].map((condition) => ({ file: call.file, condition })));
        seen.add(call.by);
      }
      const [around] = called.facts;
      if (around >= 0) seen.add(called.file.firstFunction + around);
    }
    return { all, isAll: areCallersKnown };
  }

  /** What is looked at together in one test. What a function is given by different calls it does not look at together. */
  ofTest(test: Test): Origins[] {
    const fn = this.#functionOf(test.file, test.file.facts.conditions?.[test.condition] ?? []);
    const calls = fn === null || fn.facts[4].length > 0 ? [] : this.#linking.callersOf(fn.id);
    const frames = calls.map((call) => ({
      id: 1,
      call,
      target: fn as LinkedFunction,
      outer: null,
      depth: 1,
    }));
    return (frames.length < 2 ? [null] : frames).map((frame) => {
      const origins = new Origins();
      new Walk(this.#linking, this.#block, origins).test(test, frame);
      return origins;
    });
  }

  /** The function whose parameters are among the sources, if any are. */
  #functionOf(file: LinkedFile, sources: readonly Source[]): LinkedFunction | null {
    for (const source of sources) {
      let at = source;
      while (at < 0) {
        const [kind, of] = file.facts.symbols?.[-at - 1] ?? [SymbolKind.outside];
        if (kind === SymbolKind.parameter) return this.#linking.functions[file.firstFunction + of];
        const isWrapped =
          kind === SymbolKind.first || kind === SymbolKind.later || kind === SymbolKind.perhaps;
        if (!isWrapped) break;
        at = of;
      }
    }
    return null;
  }

  /** What a function returns. */
  ofReturns({ file, facts }: LinkedFunction): Origins {
    return this.ofSources(file, facts[2]);
  }

  ofSources(file: LinkedFile, sources: readonly Source[]): Origins {
    const origins = new Origins();
    new Walk(this.#linking, this.#block, origins).sources(file, sources, null, UNMARKED, false);
    return origins;
  }

  /** Whether what a function returns may get to somebody who is not followed. */
  leaks(id: number): boolean {
    const known = this.#leaks.get(id);
    if (known !== undefined) return known;
    const seen = new Set([id]);
    let found = false;
    for (const fn of seen) {
      if (this.#block?.own.has(fn)) continue;
      found ||= !this.#linking.isClosed(this.#linking.functions[fn]);
      for (const { by } of this.#linking.callersOf(fn)) seen.add(by);
    }
    this.#leaks.set(id, found);
    return found;
  }
}

/** One search. */
class Walk {
  readonly #linking: Linking;
  readonly #block: BlockFunctions | null;
  readonly #found: Origins;
  readonly #seen = new Map<LinkedFile, Set<number>>();
  #frames = 1;
  #steps = 0;

  constructor(linking: Linking, block: BlockFunctions | null, found: Origins) {
    this.#linking = linking;
    this.#block = block;
    this.#found = found;
  }

  test({ file, condition }: Test, frame: Frame | null = null): void {
    this.sources(file, file.facts.conditions?.[condition] ?? [], frame, UNMARKED, false);
  }

  sources(
    file: LinkedFile,
    sources: readonly Source[],
    frame: Frame | null,
    time: number,
    isPerhaps: boolean,
  ): void {
    for (const source of sources) {
      if (source >= 0) this.#found.add(file.firstSite + source, time, isPerhaps);
      else this.#symbol(file, -source - 1, frame, time, isPerhaps);
    }
  }

  #symbol(file: LinkedFile, index: number, frame: Frame | null, time: number, isPerhaps: boolean): void {
    if (this.#isSeen(file, index, frame, time, isPerhaps)) return;
    if (this.#steps++ > MOST_STEPS) {
      this.#found.isOutside = true;
      return;
    }
    const [kind, of, more] = file.facts.symbols?.[index] ?? [SymbolKind.outside];
    switch (kind) {
      case SymbolKind.parameter:
        this.#parameter(this.#linking.functions[file.firstFunction + of], more, frame, isPerhaps);
        return;
      case SymbolKind.result:
      case SymbolKind.thrown:
        this.#call(this.#linking.callOf(file, of), kind === SymbolKind.result, frame, time, isPerhaps);
        return;
      case SymbolKind.first:
      case SymbolKind.later:
        this.sources(file, [of], frame, kind === SymbolKind.first ? FIRST : LATER, isPerhaps);
        return;
      case SymbolKind.perhaps:
        this.sources(file, [of], frame, time, true);
        return;
      default:
        this.#found.isOutside = true;
    }
  }

  #isSeen(file: LinkedFile, index: number, frame: Frame | null, time: number, isPerhaps: boolean): boolean {
    let seen = this.#seen.get(file);
    if (seen === undefined) {
      seen = new Set();
      this.#seen.set(file, seen);
    }
    const way = ((frame?.id ?? 0) * 8 + time) * 2 + (isPerhaps ? 1 : 0);
    const key = index * MOST_WAYS + way;
    if (seen.has(key)) return true;
    seen.add(key);
    return false;
  }

  #parameter(fn: LinkedFunction, index: number, frame: Frame | null, isPerhaps: boolean): void {
    if (frame?.target === fn) {
      const { call, outer } = frame;
      this.sources(call.file, call.facts[3][index] ?? [], outer, UNMARKED, isPerhaps);
      return;
    }
    const { calls, isAll } = callsOf(this.#linking, this.#block, fn);
    for (const { file, facts } of calls) this.sources(file, facts[3][index] ?? [], null, UNMARKED, isPerhaps);
    this.sources(fn.file, fn.facts[4], null, UNMARKED, isPerhaps);
    // What the callers of the block itself hand over is nothing that the block has read.
    if (!isAll && !this.#block?.own.has(fn.id)) this.#found.isFromCaller = true;
  }

  #call(call: LinkedCall, isResult: boolean, frame: Frame | null, time: number, isPerhaps: boolean): void {
    // A function that calls itself adds nothing that its first call has not.
    for (let outer = frame; outer !== null; outer = outer.outer) if (outer.call === call) return;
    const depth = (frame?.depth ?? 0) + 1;
    if (depth > DEEPEST) {
      this.#found.isOutside = true;
      return;
    }
    for (const target of call.others) {
      const inner = { id: ++this.#frames, call, target, outer: frame, depth };
      const [, , returns, throws] = target.facts;
      const at = target.isAsync ? UNMARKED : call.facts[5] === 0 ? time : call.facts[5];
      this.sources(target.file, isResult ? returns : throws, inner, at, isPerhaps);
    }
    if (!isResult || call.others.length > 0) return;
    const isImported = (call.file.facts.links?.[call.facts[2]]?.[0] ?? '') !== '';
    if (isImported)
      for (const given of call.facts[3]) this.sources(call.file, given, frame, UNMARKED, isPerhaps);
    if (isImported || call.targets.length === 0) this.#found.isOutside = true;
  }
}

/** The calls of a function that may be meant: those within the block, if there are any. `isAll`: nobody else calls it. */
function callsOf(
  linking: Linking,
  block: BlockFunctions | null,
  fn: LinkedFunction,
): { calls: readonly LinkedCall[]; isAll: boolean } {
  const all = linking.callersOf(fn.id);
  const isClosed = linking.isClosed(fn);
  if (block === null) return { calls: all, isAll: isClosed };
  const inside = all.filter(({ by }) => block.reached.has(by));
  if (inside.length > 0) return { calls: inside, isAll: isClosed };
  return { calls: all, isAll: isClosed && fn.facts[1] === CalledBy.thisFile };
}
