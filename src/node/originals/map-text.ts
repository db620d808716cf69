/*
 * Where the source map of a built file is: in a comment at its end, in the file that the comment names, or beside it.
 */

import fs from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { textOfFile } from './text-file.ts';

/** What the program does with files is recorded; this is nothing that it does. */
const { existsSync } = fs;

export interface MapText {
  /** As JSON, not yet looked at. */
  text: string;
  /** What the sources are relative to. */
  url: string;
  /** How messages call it. */
  name: string;
}

/** The map is named, but is not to be had. */
export class NoMap extends Error {}

const MARK = 'sourceMappingURL=';

/** Null if the file says nothing of a map, and there is none. */
export function mapTextOf(path: string, source: string): MapText | null {
  const url = mapUrlIn(source);
  if (url === null) return mapBeside(path);
  if (url.startsWith('data:'))
    return { text: dataIn(url), url: pathToFileURL(path).href, name: 'in its last line' };
  const file = fileNamed(url, path);
  return { text: textOf(file, url), url: pathToFileURL(file).href, name: url };
}

/** What the last comment of the file says; a mark in the middle of it is in some text. */
function mapUrlIn(source: string): string | null {
  const at = source.lastIndexOf(MARK);
  if (at < 0) return null;
  if (!/(?:^|[\s;})])\/[/*][#@]\s*$/.test(source.slice(Math.max(0, at - 20), at))) return null;
  const [, url, rest] = /^(\S*?)(?:\s*\*\/)?(?:\s|$)([\s\S]*)$/.exec(source.slice(at + MARK.length)) ?? [];
  if (url === undefined || url === '') return null;
  return /^(?:\s|\*\/|\/\/[^\n]*(?:\n|$)|\/\*[\s\S]*?\*\/)*$/.test(rest) ? url : null;
}

/** Builders can leave the comment out, so that browsers do not find it: `sourcemap: 'hidden'`. */
function mapBeside(path: string): MapText | null {
  const file = `${path}.map`;
  if (!existsSync(file)) return null;
  const name = basename(file);
  return { text: textOf(file, name), url: pathToFileURL(file).href, name };
}

function fileNamed(url: string, path: string): string {
  if (/^file:/.test(url)) return fileURLToPath(url);
  if (/^[a-z][a-z\d+.-]+:/i.test(url)) throw new NoMap('it is not in a file');
  try {
    return resolve(dirname(path), decodeURIComponent(url.replace(/[?#].*$/, '')));
  } catch {
    throw new NoMap('that is no name of a file');
  }
}

function textOf(file: string, name: string): string {
  try {
    return textOfFile(file);
  } catch (problem) {
    const isMissing = (problem as NodeJS.ErrnoException).code === 'ENOENT';
    throw new NoMap(isMissing ? `there is no ${name}` : `${name} cannot be read`);
  }
}

function dataIn(url: string): string {
  const [, encoding, data] = /^data:[^,]*?(;base64)?,(.*)$/.exec(url) ?? [];
  if (data === undefined) throw new NoMap('its text is cut off');
  try {
    return encoding === undefined ? decodeURIComponent(data) : Buffer.from(data, 'base64').toString();
  } catch {
    throw new NoMap('its text is not encoded as it says');
  }
}
