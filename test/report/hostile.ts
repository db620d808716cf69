import type { AnalysisResult, ViolationResult } from '../../src/check/result.ts';
import { event, result, violation } from './results.ts';

/** Names that break out of one format or another, or that a terminal would obey. */
export const HOSTILE_NAMES: readonly (readonly [string, string])[] = [
  ['a script', '</script><script>alert(1)</script>'],
  ['quotes', `"double" 'single' \`back\``],
  ['the end of CDATA', ']]>'],
  ['the end of a comment', '--> */ //'],
  ['ESC', '\x1b[31mred\x1b]0;title\x07'],
  ['right-to-left marks', 'pay\u202eyap\u2066'],
  ['line breaks', 'a\r\nb\u2028c\u0085d'],
  ['a workflow command', '\n::set-env name=X::evil,y%0A'],
  ['backslashes', '\\" \\N \\'],
  ['entities', '&lt;b&gt; &#10; &amp;'],
  ['placeholders and links', '{0} {{1}} [click](http://example.com)'],
  ['a lone surrogate', 'x\ud800y\udc00z'],
  ['what XML forbids', '\x00\x01\x0b\ufffe\uffff'],
  ['the name of a prototype', '__proto__'],
  ['nothing', ''],
  ['a megabyte', 'x<"&'.repeat(1 << 18)],
];

/** A violation in which everything that a trace can name has this name. */
export function hostileViolation(name: string, changes: Partial<ViolationResult> = {}): ViolationResult {
  const first = event(2, name, `r(${name})`, `${name}:12`);
  const between = event(3, `${name}2`, `w(${name})`, name);
  const last = event(4, name, `w(${name})`, `${name}:14:3`);
  const transaction = { label: name, begin: 1 };
  return violation({
    thread: name,
    block: { label: name, begin: 1, end: 5 },
    cycle: [
      { from: { ...first, transaction }, to: { ...between, transaction: null } },
      { from: { ...between, transaction: null }, to: { ...last, transaction } },
    ],
    interference: { first, between, last },
    message: `${name} is not atomic`,
    ...changes,
  });
}

export function hostileResult(name: string): AnalysisResult {
  return result({
    trace: name,
    verdict: 'error',
    error: { message: `${name}:1:2: ${name}`, summary: name, line: 1, column: 2 },
    violations: [hostileViolation(name), hostileViolation(name, { cycle: [], interference: null })],
  });
}

/** What no document may hold as it is: control characters but line breaks, and marks that reorder text. */
export const OBEYED = /[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/;

/** Long names are shortened, so that a report of one violation can be read and mailed. */
export const LONGEST_DOCUMENT = 42_000;
