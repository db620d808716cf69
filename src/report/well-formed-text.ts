import { printable } from '../trace/printable.ts';

/** Halves of characters that take two code units, without the other half: UTF-8 cannot hold them. */
const LONE_SURROGATE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** `text` with every lone surrogate replaced, so that it can be written as UTF-8. */
export function wellFormed(text: string): string {
  return text.replace(LONE_SURROGATE, '\ufffd');
}

/** A name from a trace for a file that other tools read and show: short, visible, and valid Unicode. */
export function shown(name: string, limit = 200): string {
  return wellFormed(printable(name, limit));
}
