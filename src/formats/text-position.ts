import type { Position } from '../trace/problem.ts';

const NEWLINE = 0x0a;

/** Longest line a text format takes: room for names of megabytes, but not for a file that is no text at all. */
export const LINE_PIECE = { name: 'line', limit: 16 * 1024 * 1024 } as const;

/**
 * Turns offsets of the current window into lines and columns. Lines are counted by the decoder as it reads
 * them; within the window they are only counted when a message needs them.
 */
export class TextPosition {
  #linesBefore = 0;

  /** The window moved on: `lines` lines lie before its new start. */
  windowStartsAfter(lines: number): void {
    this.#linesBefore = lines;
  }

  locate(bytes: Uint8Array, offset: number): Position {
    let line = this.#linesBefore + 1;
    let lineStart = 0;
    for (let i = bytes.indexOf(NEWLINE); i >= 0 && i < offset; i = bytes.indexOf(NEWLINE, i + 1)) {
      line++;
      lineStart = i + 1;
    }
    return { line, column: offset - lineStart + 1 };
  }
}

/** The text of a line for a message: at most a hundred or so bytes around where it matters. */
export function excerpt(bytes: Uint8Array, start: number, end: number): string {
  return Buffer.from(bytes.subarray(start, Math.min(end, start + 400))).toString('utf8');
}
