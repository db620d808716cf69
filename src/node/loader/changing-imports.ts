import { readFileSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { type ChangingExports, changingExports, type ExportedVariable } from '../instrument/imports.ts';
import { parseSync } from '../instrument/parser.ts';
import { languageOf } from './module-kind.ts';
import { typescriptFile } from './typescript-names.ts';

const NOTHING: ChangingExports = { own: new Map(), handedOn: [], all: [] };

/** A runner of tests that watches files goes on when they have changed. */
const known = new Map<string, { changedAt: number; exports: ChangingExports }>();

/** Which variables a file may import from there that the other file changes, by the names of the exports. */
export function changingImports(specifier: string, from: string): ReadonlyMap<string, ExportedVariable> {
  return followed(specifier, from, new Map());
}

/** `visited`: modules hand on what others hand on, also each other's, and each is looked at once. */
function followed(
  specifier: string,
  from: string,
  visited: Map<string, Map<string, ExportedVariable>>,
): ReadonlyMap<string, ExportedVariable> {
  if (!/^\.{1,2}\//.test(specifier)) return new Map();
  const module = typescriptFile(specifier, from) ?? resolve(dirname(from), specifier);
  const known = visited.get(module);
  if (known !== undefined) return known;
  const found = new Map<string, ExportedVariable>();
  visited.set(module, found);
  const { own, handedOn, all } = exportsOf(module);
  for (const [name, variable] of own) found.set(name, { module, name: variable });
  for (const { exported, imported, specifier: other } of handedOn) {
    const variable = followed(other, module, visited).get(imported);
    if (variable !== undefined) found.set(exported, variable);
  }
  for (const other of all)
    for (const [name, variable] of followed(other, module, visited))
      if (!found.has(name)) found.set(name, variable);
  return found;
}

function exportsOf(path: string): ChangingExports {
  const changedAt = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const kept = known.get(path);
  if (kept?.changedAt === changedAt) return kept.exports;
  const exports = readExports(path);
  known.set(path, { changedAt, exports });
  return exports;
}

/** Nothing for what cannot be read, or is no module: whoever loads it will hear of that. */
function readExports(path: string): ChangingExports {
  let source: string;
  try {
    source = readFileSync(path, 'utf8');
  } catch {
    return NOTHING;
  }
  // Most files export functions, classes and constants only; to look for that is much faster than to parse them.
  if (!/\bexport\s*(?:let|var)\b|\bexport\s*[{*]/.test(source) || !/\b(?:let|var)\b|\bfrom\b/.test(source))
    return NOTHING;
  const { program, errors } = parseSync(path, source, { lang: languageOf(path), sourceType: 'module' });
  return errors.length === 0 ? changingExports(program) : NOTHING;
}
