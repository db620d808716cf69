/*
 * Files that were built from others: their sources, as far as the source map is to be believed, and what the runtime is told
 * of them.
 */

import type { BuiltFile } from '../originals/built-file.ts';
import type { BuiltSources } from '../probes.ts';
import type { Program } from './ast.ts';
import { ignoredLines } from './ignore-comments.ts';
import type { InstrumentOptions, Parsed, Rewritten } from './instrument.ts';
import { Lines } from './lines.ts';
import { OriginalFile } from './original-file.ts';
import { Origins } from './origins.ts';
import { parseSync } from './parser.ts';
import { quote } from './references.ts';
import type { FileSites } from './sites.ts';

/** The sources of a built file. */
export interface BuiltFrom {
  file: BuiltFile;
  /** How reports call a source. */
  displayPath: (path: string) => string;
  /** Whether what comes from a source is watched. */
  isWatched: (path: string) => boolean;
  /** Null if it is written in another language. */
  language: (path: string) => InstrumentOptions['language'] | null;
}

type Rewrite = (source: string, parsed: Parsed, options: InstrumentOptions) => Rewritten;

/**
 * Where the places of a built file come from, and what is to be said of that. Each source is rewritten as if it were
 * instrumented itself, so that its blocks and accesses are called what they would be then.
 */
export function originsOf(
  program: Program,
  lines: Lines,
  options: InstrumentOptions,
  rewrite: Rewrite,
): { origins: Origins; warnings: () => string[] } | null {
  const { builtFrom: from, displayPath } = options;
  if (from === undefined) return null;
  const { file } = from;
  const warnings: string[] = [];
  const analyse = (number: number): OriginalFile | null => {
    const { path, content } = file.sources[number];
    if (content === null) return null;
    const language = from.language(path);
    if (language === null) return new OriginalFile(content, null);
    const parsed = parseSync(path, content, { lang: language, sourceType: 'module' });
    if (parsed.errors.some(({ severity }) => severity === 'Error')) return new OriginalFile(content, null);
    const { builtFrom: _, changingImports: __, commonJsNamesUrl: ___, ...shared } = options;
    const shown = from.displayPath(path);
    const { rewriter, ignored } = rewrite(content, parsed, { ...shared, path, displayPath: shown, language });
    warnings.push(...ignoredLines(parsed.comments, new Lines(content), shown).warnings);
    return new OriginalFile(content, { program: parsed.program, sites: rewriter.sites, ignored });
  };
  const isWatched = (number: number) => {
    const { path, isMadeUp } = file.sources[number];
    return !isMadeUp && from.isWatched(path);
  };
  const origins = new Origins({ built: file, lines, isWatched, analyse }, program);
  for (const source of origins.distrusted) {
    const shown = from.displayPath(file.sources[source].path);
    warnings.push(
      `${displayPath}: its source map does not fit ${shown}; build it again: until then, positions are those of the built file`,
    );
  }
  return { origins, warnings: () => warnings };
}

/** As the last argument of the probe `file`: sources numbered anew, as most of a bundle's may have no sites. */
export function builtSources({ origins, sources }: FileSites, from: BuiltFrom | undefined): string {
  if (origins === null || from === undefined) return '';
  const used = [...new Set(sources)].filter((source) => source >= 0);
  const numbers = new Map(used.map((source, i) => [source, i]));
  const told = used.map((source) => from.file.sources[source]);
  const known: BuiltSources = {
    paths: told.map(({ path }) => from.displayPath(path)),
    of: sources.map((source) => numbers.get(source) ?? -1),
    contents: told.map(({ content, isElsewhere }) => (isElsewhere ? content : null)),
    renamed: [...origins.renamed],
  };
  return `,${quote(JSON.stringify(known))}`;
}
