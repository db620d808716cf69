/*
 * Values of accesses as reports show them. A report is mailed, and a trace kept: what looks like a secret by its name is
 * never written down, nor is anything long.
 */

/** Longer strings are cut. */
export const LONGEST_VALUE = 24;

/** Words in a name that promise a secret, alone or at the end or the start of a longer one: `apiKey`, `token_2`, `userPassword`. */
const SECRET =
  /pass(?:word|wd|phrase|code)|secret|token|credential|authoriz|cookie|session_?id|signature|api_?key|(?:^|[^a-z])(?:auth|key|pwd|pin|otp|cvv|cvc|iban|ssn|jwt|salt|nonce)s?(?:[^a-z]|$)|[a-z](?:Auth|Key|Pwd|Pin|Otp|Iban|Ssn|Jwt|Salt|Nonce)s?(?:[^a-z]|$)/;

/** Whether the name of a variable looks as if there were a secret in it. */
export function looksSecret(name: string): boolean {
  return SECRET.test(name) || SECRET.test(name.toLowerCase());
}

/** `100`, `"open"`, `null`; null for what is not told: objects, symbols, functions. */
export function shortValue(value: unknown): string | null {
  switch (typeof value) {
    case 'number':
      return Object.is(value, -0) ? '-0' : `${value}`;
    case 'boolean':
    case 'undefined':
      return `${value}`;
    case 'bigint':
      return cut(`${value}n`);
    case 'string':
      return JSON.stringify(cut(value));
    default:
      return value === null ? 'null' : null;
  }
}

function cut(text: string): string {
  return text.length <= LONGEST_VALUE
    ? text
    : `${text.slice(0, LONGEST_VALUE - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}
