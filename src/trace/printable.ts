/** Characters that would move the cursor, colour the screen, or reorder the text around them. */
const UNPRINTABLE =
  /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]/g;

/**
 * A name from a trace, made safe to print: control characters become visible escapes and a very long name is
 * shortened in the middle; one with a package in front of it, at the front. Whatever reaches a terminal or a message goes through here.
 */
export function printable(name: string, limit = 120): string {
  // Shorten before escaping: a megabyte of ESC must not become four megabytes first.
  const short = name.length <= limit ? name : shorten(name, limit);
  return short.replace(UNPRINTABLE, escapeCharacter);
}

/** The same for what tells most at its end, such as a place in a file: it is cut at the front, and never its line. */
export function printableEnd(name: string, limit: number): string {
  const end = name.length <= limit ? name : `…${name.slice(1 - limit).replace(/^[\udc00-\udfff]/, '')}`;
  return printable(end, end.length);
}

/** `org.example.bank.Account.pay`, which is not as long as this. */
const LONGEST_QUALIFIED = 1000;
const QUALIFIED = /^(?:[\w$]+\.){3,}[\w$]+$/;

function shorten(name: string, limit: number): string {
  if (name.length < LONGEST_QUALIFIED && QUALIFIED.test(name)) return `…${name.slice(1 - limit)}`;
  const keep = Math.floor((limit - 1) / 2);
  const head = name.slice(0, keep).replace(/[\ud800-\udbff]$/, '');
  const tail = name.slice(-keep).replace(/^[\udc00-\udfff]/, '');
  return `${head}…${tail}`;
}

function escapeCharacter(character: string): string {
  const code = character.charCodeAt(0);
  return code < 0x100
    ? `\\x${code.toString(16).padStart(2, '0')}`
    : `\\u${code.toString(16).padStart(4, '0')}`;
}

/** `name` quoted for a message. */
export function quoted(name: string, limit?: number): string {
  return `'${printable(name, limit)}'`;
}
