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
 * The format of a trace by its first bytes. Where nothing recognises them, the ending of the file name decides,
 * and at last it is taken for STD; the messages of that format then say what was expected.
 */
export function detectFormat(head: Uint8Array, size: number | null, path: string): Format {
  return FORMATS.find((format) => format.detect(head, size)) ?? formatByEnding(path) ?? std;
}

/** The format whose files have the ending of this path, or null; `.gz` behind it does not count. */
export function formatByEnding(path: string): Format | null {
  const ending = /\.([^./\\]+?)(?:\.gz)?$/i.exec(path)?.[1].toLowerCase() ?? '';
  return FORMATS.find((format) => format.extensions.includes(ending)) ?? null;
}

export function formatNamed(name: string): Format {
  const format = FORMATS.find((candidate) => candidate.name === name);
  if (format === undefined) {
    const names = FORMATS.map((candidate) => candidate.name);
    throw unknownName('format', name, ['auto', ...names], `auto or one of ${names.join(', ')}`);
  }
  return format;
}
