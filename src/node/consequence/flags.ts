import { readFileSync } from 'node:fs';

/** `name = true`, and how minifiers write it. */
const FLAG = /^[^=;]*=\s*(?:true|false|!0|!1)\b/;

/** Says of places in the program whether `true` or `false` is assigned there, by looking at the source. */
export class FlagAssignments {
  readonly #lines = new Map<string, readonly string[]>();

  isAt(location: string | null): boolean {
    const [, file, line, column] = /^(.*):(\d+):(\d+)$/.exec(location ?? '') ?? [];
    if (file === undefined) return false;
    const text = this.#linesOf(file)[Number(line) - 1] ?? '';
    return FLAG.test(text.slice(Number(column) - 1));
  }

  /** None, where the source is not to be found. */
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
