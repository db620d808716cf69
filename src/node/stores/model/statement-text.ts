/** Longest text of a statement in a report. */
const LONGEST = 60;

/** How much of a text is looked at: some are as long as the data that they insert. */
const LOOKED_AT = 2000;

/**
 * Comments; strings, with backslashes or in dollars too; names in quotes, parameters, words; numbers. All in one pass, as each may
 * hold what looks like another.
 */
const PARTS =
  /(--[^\n]*|\/\*[\s\S]*?(?:\*\/|$))|\b[eE]'(?:[^'\\]|\\[\s\S]|'')*(?:'|\\?$)|'(?:[^']|'')*(?:'|$)|\$([A-Za-z_]\w*)?\$[\s\S]*?(?:\$\2\$|$)|("(?:[^"]|"")*(?:"|$)|`[^`]*(?:`|$)|[?$]\d+|[A-Za-z_\u0080-\uffff][\w$\u0080-\uffff]*)|\d[\w.]*(?:(?<=[eE])[+-]\d+)?/g;

/** What may stand before a statement and says nothing of it. */
const OPENING = /\s+|--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/y;

/** A statement in one short line without its comments and constants: what a program puts there may be a secret. */
export function statementText(text: string): string {
  const start = startOf(text);
  const line = text
    .slice(start, start + LOOKED_AT)
    .replace(PARTS, (_, comment?: string, _tag?: string, kept?: string) =>
      comment === undefined ? (kept ?? '?') : ' ',
    )
    .replace(/\s+/g, ' ')
    .trim();
  return line.length <= LONGEST ? line : `${line.slice(0, LONGEST - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

function startOf(text: string): number {
  OPENING.lastIndex = 0;
  let start = 0;
  while (OPENING.test(text)) start = OPENING.lastIndex;
  return start;
}
