import { readFileSync } from 'node:fs';

/** `name = true`, and how minifiers write it. */
const FLAG = /^[^=;]*=\s*(?:true|false|!0|!1)\b/;

/** `name = 0`, `name = null`, `name = []`. */
const CONSTANT =
  /^[^=;]*=\s*(?:-?[\d.]+n?|true|false|!0|!1|null|undefined|void 0|''|""|\[\]|\{\})\s*(?:[;,)}]|$)/;

/** `name++`, `name -= n`, behind a name whose keys may be computed. */
const STEP = /^[\w$.#?![\]'"]+\s*(?:(\+\+|\+=)|--|-=)/;

/** Says what is done at places in the program, by looking at the source. */
export class SourceText {
  readonly #lines = new Map<string, readonly string[]>();

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

  /** What stands before the place in its line, and from there on; nothing where the source is not to be found. */
  #around(location: string | null): [before: string, text: string] {
    const [, file, line, column] = /^(.*):(\d+):(\d+)$/.exec(location ?? '') ?? [];
    if (file === undefined) return ['', ''];
    const text = this.#linesOf(file)[Number(line) - 1] ?? '';
    return [text.slice(0, Number(column) - 1), text.slice(Number(column) - 1)];
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
