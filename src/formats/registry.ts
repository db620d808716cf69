import { unknownName } from '../trace/unknown-name.ts';
import { csv } from './csv.ts';
import type { Format } from './format.ts';
import { rapidbin } from './rapidbin.ts';
import { roadrunner } from './roadrunner.ts';
import { std } from './std.ts';
import { trk } from './trk/index.ts';

/** Every format, in the order in which their detection is asked: those with a mark of their own first. */
export const FORMATS: readonly Format[] = [trk, rapidbin, roadrunner, std, csv];

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
    const names = FORMATS.map((candidate) => candidate.name);
    throw unknownName('format', name, ['auto', ...names], `auto or one of ${names.join(', ')}`);
  }
  return format;
}
