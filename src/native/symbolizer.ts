import { spawnSync } from 'node:child_process';
import { normalize, relative } from 'node:path';
import { firstOnPath } from './toolchain.ts';

/** Where something is in the sources. */
export interface SourcePlace {
  file: string;
  line: number;
}

/** Sources that belong to the compiler or the system, not to the program. */
export const OF_SYSTEM: RegExp = /^\/usr\/(?:include|lib)|\/c\+\+\/\d+\//;

/** The tools that know debugging information, the better ones first. */
const TOOLS = [
  'llvm-symbolizer',
  ...[20, 19, 18, 17, 16, 15, 14].map((version) => `llvm-symbolizer-${version}`),
  'addr2line',
];

/** So many addresses are asked for by one command. */
const AT_ONCE = 20_000;

/** So many bytes before an address of line 0 its line is looked for, in such steps. */
const STEP_BACK = 4;
const STEPS_BACK = 16;

/** A path from where we are, unless it lies elsewhere. */
function nearby(path: string): string {
  const near = relative(process.cwd(), path);
  return near === '' || near.startsWith('..') ? normalize(path) : near;
}

/** By file: what was found, for the next process that runs it. */
const KNOWN = new Map<string, Map<bigint, SourcePlace | null>>();

/**
 * Finds lines of sources for addresses, by the tool that belongs to the compilers: once for all of them, when the program
 * is over. Where there is no tool, nothing is found.
 */
export class Symbolizer {
  readonly #tool: string | null = firstOnPath(...TOOLS);

  get isThere(): boolean {
    return this.#tool !== null;
  }

  /** For each address in the file its place; none for what has no debugging information. */
  places(file: string, addresses: readonly bigint[]): Map<bigint, SourcePlace> {
    const found = new Map<bigint, SourcePlace>();
    if (this.#tool === null) return found;
    const known = KNOWN.get(file) ?? new Map<bigint, SourcePlace | null>();
    KNOWN.set(file, known);
    const unknown = addresses.filter((address) => !known.has(address));
    for (let from = 0; from < unknown.length; from += AT_ONCE) {
      const part = unknown.slice(from, from + AT_ONCE);
      const lines = this.#ask(this.#tool, file, part);
      for (const [i, address] of part.entries())
        known.set(address, placeIn(lines[2 * i] ?? []) ?? placeIn(lines[2 * i + 1] ?? []));
      const merged = part.filter((address, i) => known.get(address) === null && isMerged(lines[2 * i] ?? []));
      if (merged.length > 0) this.#findBefore(this.#tool, file, merged, known);
    }
    for (const address of addresses) {
      const place = known.get(address) ?? null;
      if (place !== null) found.set(address, place);
    }
    return found;
  }

  /** Of code that compilers have merged from several lines, the nearest line before it. */
  #findBefore(
    tool: string,
    file: string,
    addresses: readonly bigint[],
    known: Map<bigint, SourcePlace | null>,
  ): void {
    const before = addresses.flatMap((address) =>
      Array.from({ length: STEPS_BACK }, (_, i) => address - BigInt(STEP_BACK * (i + 1))),
    );
    const lines = this.#ask(tool, file, before);
    for (const [i, address] of addresses.entries())
      for (let step = 0; step < STEPS_BACK && known.get(address) === null; step++)
        known.set(address, placeIn(lines[2 * (STEPS_BACK * i + step)] ?? []));
  }

  /**
   * Twice for each address, of the call, and of what comes next where the call itself has none: `file:line`, and those that it was
   * inlined into.
   */
  #ask(tool: string, file: string, addresses: readonly bigint[]): string[][] {
    const isLlvm = tool.includes('llvm-symbolizer');
    const args = isLlvm
      ? [`--obj=${file}`, '--inlines', '--functions=none', '--addresses']
      : ['-e', file, '--inlines', '--addresses'];
    const input = addresses
      .flatMap((address) => [address - 1n, address])
      .map((address) => `0x${address.toString(16)}\n`)
      .join('');
    const { stdout, status } = spawnSync(tool, args, { input, encoding: 'utf8', maxBuffer: 1 << 28 });
    if (status !== 0) return [];
    const found: string[][] = [];
    for (const line of stdout.split('\n')) {
      if (/^0x[0-9a-f]+$/.test(line)) found.push([]);
      else if (line !== '') found.at(-1)?.push(line);
    }
    return found;
  }
}

/** The innermost one in the program's own sources; what the library inlines into them is done there. */
function placeIn(texts: readonly string[]): SourcePlace | null {
  const places = texts.map(placeOf).filter((place) => place !== null);
  return places.find(({ file }) => !OF_SYSTEM.test(file)) ?? places[0] ?? null;
}

/** Whether the file is known, but no line of it. */
function isMerged(texts: readonly string[]): boolean {
  return texts.some((text) => /^[^?].*:0(?::\d+)?$/.test(text));
}

function placeOf(text: string): SourcePlace | null {
  const [, file, line] = /^(.*?):(\d+)(?::\d+)?(?: \(discriminator \d+\))?$/.exec(text) ?? [];
  if (file === undefined || file === '??' || line === '0') return null;
  return { file: nearby(file), line: Number(line) };
}
