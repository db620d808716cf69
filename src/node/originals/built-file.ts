/*
 * A file that was built from others (compiled, bundled, minified), by its source map: which place of which source each of
 * its places comes from.
 */

import fs from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import type * as TraceMapping from '@jridgewell/trace-mapping';
import { ownRequire } from '../support/own-require.ts';
import { mapTextOf, NoMap } from './map-text.ts';
import { isMadeUpName, pathOfSource } from './source-name.ts';
import { textOfFile } from './text-file.ts';

/** What the program does with files is recorded; this is nothing that it does. */
const { existsSync } = fs;

/** A place in a source; line from 1, column from 0. */
export interface Origin {
  /** Its number among the sources. */
  source: number;
  line: number;
  column: number;
  /** What the source calls what stands there, where the builder has renamed it. */
  name: string | null;
  /** Whether the map speaks of this very place, and not of one before it. */
  isExact: boolean;
}

export interface OriginalSource {
  /** Absolute, if it is a file. */
  path: string;
  /** Null if nobody has it any more. */
  content: string | null;
  /** Whether the file has another text by now, or is not there: the content is then only in the map. */
  isElsewhere: boolean;
  /** Whether it is none of the program's files, but a helper of the builder. */
  isMadeUp: boolean;
}

export class BuiltFile {
  readonly sources: readonly OriginalSource[];
  readonly #map: TraceMapping.TraceMap;
  readonly #trace: typeof TraceMapping.traceSegment;

  private constructor(map: TraceMapping.TraceMap, trace: typeof TraceMapping.traceSegment, built: string) {
    this.#map = map;
    this.#trace = trace;
    this.sources = map.resolvedSources.map((name, i) => {
      const path = fileOf(pathOfSource(name), built);
      const given = map.sourcesContent?.[i] ?? null;
      const onDisk = contentOf(path);
      return {
        path,
        content: given ?? onDisk,
        isElsewhere: given !== null && !isSameText(given, onDisk),
        isMadeUp: onDisk === null && isMadeUpName(path),
      };
    });
  }

  /** Null if there is no map; throws `NoMap` if there is one that cannot be used. */
  static of(path: string, source: string): BuiltFile | null {
    const found = mapTextOf(path, source);
    if (found === null) return null;
    const { FlattenMap, traceSegment } = ownRequire('@jridgewell/trace-mapping') as typeof TraceMapping;
    let map: TraceMapping.TraceMap;
    try {
      // Some servers put this in front, so that nobody can load it as a script.
      map = new FlattenMap(JSON.parse(found.text.replace(/^\)\]\}'[^\n]*\n/, '')), found.url);
      if (!Array.isArray(map.resolvedSources) || map.version !== 3) throw new NoMap();
      // Decodes it.
      traceSegment(map, 0, 0);
    } catch {
      throw new NoMap(`${found.name} is no source map of version 3`);
    }
    if (map.resolvedSources.length === 0) return null;
    return new BuiltFile(map, traceSegment, path);
  }

  /** Where a place comes from, line from 1 and column from 0; null for what the builder has added. */
  origin(line: number, column: number): Origin | null {
    const segment = this.#trace(this.#map, line - 1, column);
    if (segment === null || segment.length === 1) return null;
    const [at, source, originalLine, originalColumn, name] = segment;
    if (this.sources[source] === undefined) return null;
    return {
      source,
      line: originalLine + 1,
      column: originalColumn,
      name: name === undefined ? null : (this.#map.names[name] ?? null),
      isExact: at === column,
    };
  }
}

/** Names that are relative to nothing are so to the project's folder, which is above that of what was built. */
function fileOf(path: string, built: string): string {
  if (isAbsolute(path)) return path;
  for (let folder = dirname(built); ; folder = dirname(folder)) {
    if (existsSync(join(folder, path))) return join(folder, path);
    if (folder === dirname(folder)) return path;
  }
}

function contentOf(path: string): string | null {
  try {
    return textOfFile(path);
  } catch {
    return null;
  }
}

function isSameText(one: string, other: string | null): boolean {
  return one === other || (other !== null && plain(one) === plain(other));
}

function plain(text: string): string {
  return text.replace(/^\ufeff/, '').replaceAll('\r\n', '\n');
}
