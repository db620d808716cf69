import { createContext } from 'preact';
import { sourcePlace } from '../../src/check/source-place.ts';
import type { PageAbout } from '../../src/report/html-data.ts';
import { partsOf, unpackedText } from './parts.ts';

const NOTHING: PageAbout = { version: '', run: null, editor: null };

/** How the results of the page came about. */
export const About = createContext<PageAbout>(NOTHING);

export async function loadAbout(): Promise<PageAbout> {
  const [part] = partsOf('about');
  return part === undefined ? NOTHING : (JSON.parse(await unpackedText(part)) as PageAbout);
}

/** Addresses that would run something in the page, whoever has made it. */
const RUNNING = /^\s*(?:javascript|data|blob|vbscript):/i;
const ABSOLUTE = /^(?:\/|[A-Za-z]:[\\/])/;

/** The address that opens a place of a program in the reader's editor; null where there is none. */
export function editorAddress({ editor, run }: PageAbout, location: string | null): string | null {
  const place = sourcePlace(location);
  if (place === null || editor === null || RUNNING.test(editor)) return null;
  const isWhole = ABSOLUTE.test(place.path);
  if (!isWhole && run === null) return null;
  const path = isWhole ? place.path : `${run?.folder}/${place.path}`;
  const safe = encodeURI(path.replaceAll('\\', '/')).replace(/[?#]/g, encodeURIComponent);
  const values = { path: safe, line: String(place.line), column: String(place.column ?? 1) };
  // Two slashes before a path that has one: `vscode://file//home` is not what editors expect.
  return editor
    .replace('/{path}', values.path.startsWith('/') ? '{path}' : '/{path}')
    .replace(/\{(path|line|column)\}/g, (_, name: keyof typeof values) => values[name]);
}
