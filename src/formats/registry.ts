import { quoted } from '../trace/printable.ts';
import { InputProblem } from '../trace/problem.ts';
import type { Format } from './format.ts';
import { std } from './std.ts';

/** Every format, in the order in which their detection is asked: those with a mark of their own first. */
export const FORMATS: readonly Format[] = [std];

/**
 * The format of a trace by its first bytes. What nothing recognises is taken for STD, whose messages then say
 * what was expected.
 */
export function detectFormat(head: Uint8Array, size: number | null): Format {
  return FORMATS.find((format) => format.detect(head, size)) ?? std;
}

export function formatNamed(name: string): Format {
  const format = FORMATS.find((candidate) => candidate.name === name);
  if (format === undefined) {
    const names = FORMATS.map((candidate) => candidate.name).join(', ');
    throw new InputProblem(`unknown format ${quoted(name)}`, { expected: `auto or one of ${names}` });
  }
  return format;
}
