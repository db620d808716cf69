const NEWLINE = 0x0a;
const RETURN = 0x0d;
const QUOTE = 0x22;
const COMMA = 0x2c;

/* What `CellScanner.scan` found. */
export const CELL = 0;
/** More bytes are needed to tell where the cell ends. */
export const UNFINISHED = 1;
/** Something stands between the closing quote and the comma; `end` is where. */
export const STRAY = 2;
/** The input ends inside quotes. */
export const UNCLOSED = 3;

/** Finds the cells of a row, as RFC 4180 divides it. Fields instead of an object per cell. */
export class CellScanner {
  /** The content, without the quotes around it. */
  start = 0;
  end = 0;
  /** Whether the content stands in quotes, and whether there are doubled quotes in it. */
  quoted = false;
  escaped = false;
  /** Where the next cell or row starts, and which of the two it is. */
  next = 0;
  rowEnds = false;

  scan(bytes: Uint8Array, at: number, to: number, last: boolean): number {
    this.quoted = at < to && bytes[at] === QUOTE;
    this.escaped = false;
    return this.quoted ? this.#quoted(bytes, at + 1, to, last) : this.#plain(bytes, at, to, last);
  }

  /** The content of the cell last found; for places where an array per cell does no harm. */
  text(bytes: Uint8Array): Uint8Array {
    return this.escaped
      ? withoutDoubledQuotes(bytes, this.start, this.end)
      : bytes.subarray(this.start, this.end);
  }

  #plain(bytes: Uint8Array, start: number, to: number, last: boolean): number {
    let at = start;
    while (at < to && bytes[at] !== COMMA && bytes[at] !== NEWLINE) at++;
    if (at === to && !last) return UNFINISHED;
    this.start = start;
    this.rowEnds = at === to || bytes[at] === NEWLINE;
    this.end = this.rowEnds && at > start && bytes[at - 1] === RETURN ? at - 1 : at;
    this.next = Math.min(at + 1, to);
    return CELL;
  }

  #quoted(bytes: Uint8Array, start: number, to: number, last: boolean): number {
    this.start = start;
    let at = start;
    for (;;) {
      at = bytes.indexOf(QUOTE, at);
      if (at < 0 || at >= to) return last ? UNCLOSED : UNFINISHED;
      if (at + 1 >= to || bytes[at + 1] !== QUOTE) break;
      this.escaped = true;
      at += 2;
    }
    this.end = at++;
    if (at < to && bytes[at] === RETURN) {
      if (at + 1 === to || bytes[at + 1] === NEWLINE) at++;
    }
    if (at === to && !last) return UNFINISHED;
    if (at < to && bytes[at] !== COMMA && bytes[at] !== NEWLINE) {
      this.end = at;
      return STRAY;
    }
    this.rowEnds = at === to || bytes[at] === NEWLINE;
    this.next = Math.min(at + 1, to);
    return CELL;
  }
}

/** A place for text whose doubled quotes have been made single. */
export class Unescaped {
  bytes = new Uint8Array(256);
  length = 0;

  set(source: Uint8Array, start: number, end: number): void {
    if (this.bytes.length < end - start) this.bytes = new Uint8Array(2 * (end - start));
    let length = 0;
    for (let i = start; i < end; i++) {
      this.bytes[length++] = source[i];
      if (source[i] === QUOTE) i++;
    }
    this.length = length;
  }
}

export function withoutDoubledQuotes(bytes: Uint8Array, start: number, end: number): Uint8Array {
  const unescaped = new Unescaped();
  unescaped.set(bytes, start, end);
  return unescaped.bytes.subarray(0, unescaped.length);
}
