import { printable } from '../trace/printable.ts';

/** What takes no column of its own: marks on the character before, joiners, variation selectors. */
const NO_WIDTH = /^[\p{Mn}\p{Me}\p{Cf}]$/u;
/** What takes two columns of a terminal: emoji, and the scripts of East Asia. */
const WIDE =
  /^[\p{Emoji_Presentation}\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]$/u;

/** How many columns of a terminal `text` takes. */
export function displayWidth(text: string): number {
  let width = 0;
  for (const character of text) {
    if (character < '\u0300') width++;
    else if (!NO_WIDTH.test(character)) width += WIDE.test(character) ? 2 : 1;
  }
  return width;
}

export function padEnd(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - displayWidth(text)));
}

export function padStart(text: string, width: number): string {
  return ' '.repeat(Math.max(0, width - displayWidth(text))) + text;
}

/** A name from a trace, safe to print and at most `width` columns wide: of a long one both ends are kept. */
export function fitted(name: string, width: number): string {
  for (let limit = width; limit > 0; limit--) {
    const shown = printable(name, limit);
    if (displayWidth(shown) <= width) return shown;
  }
  return '…';
}

/** The same for what tells most at its end, such as a path or a place in a file. */
export function fittedEnd(name: string, width: number): string {
  // Never half of a character that takes two code units.
  const tail = name.slice(-width).replace(/^[\udc00-\udfff]/, '');
  const shown = printable(tail);
  if (tail.length === name.length && displayWidth(shown) <= width) return shown;
  const end = [...shown];
  while (displayWidth(end.join('')) >= width) end.shift();
  return `…${end.join('')}`;
}

/** Text that tells most at its start, such as a line of code: safe to print, and cut off behind `width` columns. */
export function clipped(text: string, width: number): string {
  // Most characters take a column: a line is not measured further than it can be shown.
  const start = text.slice(0, 2 * width);
  const shown = printable(start, start.length);
  if (start.length === text.length && displayWidth(shown) <= width) return shown;
  const characters = [...shown];
  while (characters.length > 0 && displayWidth(characters.join('')) >= width) characters.pop();
  return `${characters.join('')}…`;
}

/** The columns of `text` from `from` on, at most `width` of them, with a mark where something is cut off at either end. */
export function columns(text: string, from: number, width: number): string {
  let shown = '';
  let column = 0;
  for (const character of text) {
    const own = displayWidth(character);
    const at = column - from;
    column += own;
    if (at < 0 && at + own > 0) shown += '…'.repeat(at + own);
    if (at < 0) continue;
    if (at + own > width) return `${clippedTo(shown, width - 1)}…`;
    shown += from > 0 && at === 0 ? '…'.padEnd(own) : character;
  }
  return shown;
}

/** What of `text` fits, and spaces up to the width. */
function clippedTo(text: string, width: number): string {
  const characters = [...text];
  while (displayWidth(characters.join('')) > width) characters.pop();
  return padEnd(characters.join(''), width);
}

export function fittedPath(path: string, width: number): string {
  return fittedEnd(path === '-' ? 'standard input' : path, width);
}

/** Breaks `text` at spaces into lines of at most `width` columns, and a word that is longer anywhere. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ').flatMap((word) => pieces(word, width))) {
    if (line !== '' && displayWidth(line) + 1 + displayWidth(word) > width) {
      lines.push(line);
      line = word;
    } else {
      line = line === '' ? word : `${line} ${word}`;
    }
  }
  lines.push(line);
  return lines;
}

/** A word cut into pieces of at most `width` columns. */
function pieces(word: string, width: number): string[] {
  if (displayWidth(word) <= width) return [word];
  const cut: string[] = [];
  let piece = '';
  let room = width;
  for (const character of word) {
    const columns = displayWidth(character);
    if (columns > room && piece !== '') {
      cut.push(piece);
      piece = '';
      room = width;
    }
    piece += character;
    room -= columns;
  }
  return [...cut, piece];
}

/** `text` wrapped, with `first` before its first line and as many spaces before the others. */
export function paragraph(text: string, width: number, first = ''): string {
  const indent = ' '.repeat(displayWidth(first));
  return wrap(text, width - displayWidth(first))
    .map((line, i) => (i === 0 ? first : indent) + line)
    .join('\n');
}

/** `text` wrapped, with every line but the first indented by two. */
export function hanging(text: string, width: number): string {
  return wrap(text, width - 2).join('\n  ');
}

export interface Column {
  title: string;
  /** Numbers are set to the right, words to the left. */
  align: 'left' | 'right';
}

/** Rows under titles, each column as wide as its widest cell, two spaces apart. */
export function table(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  indent = '',
): string[] {
  const widths = columns.map((column, i) =>
    Math.max(displayWidth(column.title), ...rows.map((row) => displayWidth(row[i]))),
  );
  const line = (cells: readonly string[]) =>
    `${indent}${cells
      .map((cell, i) => (columns[i].align === 'right' ? padStart(cell, widths[i]) : padEnd(cell, widths[i])))
      .join('  ')}`.trimEnd();
  return [line(columns.map((column) => column.title)), ...rows.map(line)];
}

/** `1 block`, `2 blocks`, `1,234 blocks`. */
export function counted(count: number, noun: string): string {
  return `${grouped(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** A whole number with thousands separators. `toLocaleString` takes ten milliseconds the first time. */
export function grouped(value: number): string {
  return String(value).replace(/\B(?=(?:\d{3})+$)/g, ',');
}

/** A time for people: `3 ms`, `1.2 s`, `2 min 5 s`. */
export function duration(milliseconds: number): string {
  if (milliseconds < 10) return `${milliseconds.toFixed(1)} ms`;
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
  if (milliseconds < 59_950) return `${(milliseconds / 1000).toFixed(1)} s`;
  const seconds = Math.round(milliseconds / 1000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** Bytes as people say them. */
export function size(bytes: number): string {
  if (bytes < 1024 * 1024) return `${Math.ceil(bytes / 1024)} kB`;
  return `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}
