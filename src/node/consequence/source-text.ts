import { readFileSync } from 'node:fs';
import type { ReadUse } from '../instrument/read-uses.ts';
import type { Dependence } from './dependence.ts';
import { UseOfReads } from './use-of-reads.ts';

/** `name = true`, and how minifiers write it. */
const FLAG = /^[^=;]*=\s*(?:true|false|!0|!1)\b/;

/** `name = 0`, `name = null`, `name = []`. */
const CONSTANT =
  /^[^=;]*=\s*(?:-?[\d.]+n?|true|false|!0|!1|null|undefined|void 0|''|""|\[\]|\{\})\s*(?:[;,)}]|$)/;

/** `name++`, `name -= n`, behind a name whose keys may be computed. */
const STEP = /^[\w$.#?![\]'"]+\s*(?:(\+\+|\+=)|--|-=)/;

/** `map.set(k, map.get(k) + n)`, `name = Math.max(0, name - n)`: the new value is made of the old one. */
const OWN_CHANGES = [
  /^([\w$.#?!]+)\.set\(\s*([^,]+),.*?(?<![\w$.])\1\.get\(\s*\2\s*\)/,
  /^([\w$.#?![\]'"]+)\s*=(?!=)[^;]*?(?<![\w$.#])\1(?![\w$])/,
];

/** Methods of arrays that move elements, or take them away. */
const MOVE = /^[\w$.#?![\]'"]+\.(?:copyWithin|pop|reverse|shift|sort|splice|unshift)\(/;

/** More of a line is not looked at for these: generated ones may be of any length. */
const LONGEST = 300;

/** Line and column from 1. */
interface Place {
  file: string;
  line: number;
  column: number;
}

/** Null for a location without a column. */
function placeOf(location: string | null): Place | null {
  const [, file, line, column] = /^(.*):(\d+):(\d+)$/.exec(location ?? '') ?? [];
  return file === undefined ? null : { file, line: Number(line), column: Number(column) };
}

/** Says what is done at places in the program, by looking at the source. */
export class SourceText {
  readonly #lines = new Map<string, readonly string[]>();
  readonly #uses = new Map<string, UseOfReads>();

  /** Whether `true` or `false` is assigned there. */
  isFlag(location: string | null): boolean {
    const [, text] = this.#around(location);
    return FLAG.test(text);
  }

  /** Whether a constant is assigned there. */
  isConstant(location: string | null): boolean {
    const [, text] = this.#around(location);
    return CONSTANT.test(text);
  }

  /** 1 where something is counted up or added to, -1 where it is counted down or taken from, else 0. */
  step(location: string | null): number {
    const [before, text] = this.#around(location);
    const step = STEP.exec(text);
    if (step !== null) return step[1] === undefined ? -1 : 1;
    return before.endsWith('++') ? 1 : before.endsWith('--') ? -1 : 0;
  }

  /** Whether what is written there is made of what was in the place before. */
  isOwnChange(location: string | null): boolean {
    const text = this.#around(location)[1].slice(0, LONGEST);
    return OWN_CHANGES.some((change) => change.test(text));
  }

  /** Whether elements of an array are moved there. */
  isMove(location: string | null): boolean {
    return MOVE.test(this.#around(location)[1].slice(0, LONGEST));
  }

  /** What is done with what is read there; the most that can be, where the source is not to be found. */
  use(location: string | null): ReadUse {
    const place = placeOf(location);
    return place === null ? 'test' : (this.#usesIn(place.file)?.use(this.#offset(place)) ?? 'test');
  }

  /** Whether what is written at one place was computed of what was read at the other, and kept since. */
  isMadeOf(written: string | null, read: string | null): boolean {
    const [to, from] = [placeOf(written), placeOf(read)];
    if (to === null || from === null || to.file !== from.file) return false;
    return this.#usesIn(to.file)?.isMadeOf(this.#offset(to), this.#offset(from)) ?? false;
  }

  /** How what is written at one place depends on what was read at the other; null where the source does not tell. */
  dependence(written: string | null, read: string | null): Dependence | null {
    const [to, from] = [placeOf(written), placeOf(read)];
    if (to === null || from === null || to.file !== from.file) return null;
    return this.#usesIn(to.file)?.dependence(this.#offset(to), this.#offset(from)) ?? null;
  }

  /** The places of what is awaited between two accesses; none where the source does not tell. */
  awaitsBetween(first: string | null, last: string | null): string[] {
    const [from, to] = [placeOf(first), placeOf(last)];
    if (from === null || to === null || to.file !== from.file) return [];
    const offsets = this.#usesIn(to.file)?.awaitsBetween(this.#offset(from), this.#offset(to)) ?? [];
    return offsets.map((offset) => this.#placeAt(to.file, offset));
  }

  #placeAt(file: string, offset: number): string {
    let left = offset;
    let line = 1;
    for (const { length } of this.#linesOf(file)) {
      if (left <= length) break;
      left -= length + 1;
      line++;
    }
    return `${file}:${line}:${left + 1}`;
  }

  #offset({ file, line, column }: Place): number {
    let offset = column - 1;
    for (const text of this.#linesOf(file).slice(0, line - 1)) offset += text.length + 1;
    return offset;
  }

  #usesIn(file: string): UseOfReads | null {
    const lines = this.#linesOf(file);
    if (lines.length === 0) return null;
    let uses = this.#uses.get(file);
    if (uses === undefined) {
      uses = new UseOfReads(file, lines.join('\n'));
      this.#uses.set(file, uses);
    }
    return uses;
  }

  /** What stands before the place in its line, and from there on; nothing where the source is not to be found. */
  #around(location: string | null): [before: string, text: string] {
    const place = placeOf(location);
    if (place === null) return ['', ''];
    const text = this.#linesOf(place.file)[place.line - 1] ?? '';
    return [text.slice(0, place.column - 1), text.slice(place.column - 1)];
  }

  #linesOf(file: string): readonly string[] {
    let lines = this.#lines.get(file);
    if (lines === undefined) {
      try {
        lines = readFileSync(file, 'utf8').split('\n');
      } catch {
        lines = [];
      }
      this.#lines.set(file, lines);
    }
    return lines;
  }
}
