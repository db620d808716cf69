/*
 * What a piece of source becomes, in a form to read: without the first line's declarations, with `s` for every site, `t1`
 * for temporaries, and probes by their own names. `withLooks` keeps the looks at what was accessed last, which stand in front
 * of probes for properties of names.
 */

import { type InstrumentOptions, instrument } from '../../src/node/instrument/instrument.ts';

const PROBES = /(import\{.*?\}from"[^"]*";|var\{.*?\}=globalThis\[Symbol\.for\("trackside\.runtime"\)\];)/;
const PROLOGUE = new RegExp(`${PROBES.source}var __ts_base=__ts_file\\(.*?\\}"(?:,\\[[\\d,]*\\])?\\);`);

export const DEFAULTS: InstrumentOptions = {
  path: 'file.js',
  displayPath: 'file.js',
  format: 'module',
  language: 'js',
  runtimeUrl: 'runtime',
  wantMap: false,
};

/** `(o===reads[s]?o:read(o,"p",s))` and `(v,writes[s]===o?v:write(o,"p",s,v))`. */
const READ_LOOK = /\(([\w$]+)===reads\[s\]\?\1:(read\(\1,"[^"]*",s\))\)/g;
const WRITE_LOOK = /\(([^,()]+),writes\[s\]===[\w$]+\?\1:(write\([\w$]+,"[^"]*",s,\1\))\)/g;

export function becomes(source: string, options: Partial<InstrumentOptions> = {}): string {
  return withLooks(source, options).replace(READ_LOOK, '$2').replace(WRITE_LOOK, '$2');
}

export function withLooks(source: string, options: Partial<InstrumentOptions> = {}): string {
  const { code, warnings } = instrument(source, { ...DEFAULTS, ...options });
  if (warnings.length > 0) throw new Error(warnings.join('\n'));
  return code
    .replace(PROLOGUE, '')
    .replace(/__ts_base\+\d+/g, 's')
    .replace(/__ts_(\d)/g, 't$1')
    .replace(/__ts_/g, '');
}

/** The sites of a piece of source, as `line:column text`. */
export function sitesOf(source: string, options: Partial<InstrumentOptions> = {}): string[] {
  const { code } = instrument(source, { ...DEFAULTS, ...options });
  const call =
    /__ts_file\("[^"]*",\s*(\[[-\d,\s]*\]),\s*(\[.*?\]),\s*"\{(?:[^"\\]|\\.)*"(?:,\s*\[[\d,\s]*\])?\);/s.exec(
      code,
    );
  if (call === null) return [];
  const table: number[] = JSON.parse(call[1]);
  const texts: string[] = JSON.parse(call[2]);
  const sites: string[] = [];
  for (let i = 0; i < table.length; i += 3) {
    const text = table[i + 2];
    sites.push(`${table[i]}:${table[i + 1]} ${text < 0 ? text : texts[text]}`);
  }
  return sites;
}

/** The labels of the blocks in a piece of source, in order of their ends. */
export function labelsOf(source: string, options: Partial<InstrumentOptions> = {}): string[] {
  const { code } = instrument(source, { ...DEFAULTS, ...options });
  const all = sitesOf(source, options);
  const entered = code.matchAll(/__ts_enter(?:Generator|Promising)?\(__ts_base\+(\d+)\)/g);
  return [...entered].map(([, site]) => all[Number(site)].replace(/^\S+ /, ''));
}
