// The traces to measure on: those given, and generated ones kept in a folder that git ignores.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeProgramTrace } from './program-trace.mjs';

export const TRACKSIDE = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));
/** With a number that changes when the traces do. */
export const CACHE = fileURLToPath(new URL('.cache/4/', import.meta.url));

/** Knobs of `trackside generate` for each shape of trace. */
const SHAPES = {
  // Everything an analysis keeps fits into the processor's cache.
  friendly: { threads: 8, variables: 1000, locks: 16 },
  // Many variables in random order: nearly every access misses the cache. Their names are not found by their number.
  hostile: { threads: 8, variables: 627_000, locks: 16, 'shared-variables': 0.3, sharing: 0.6 },
  // The same with names such as `V123`.
  numbered: { threads: 8, variables: 627_000, locks: 16, 'shared-variables': 0.3, sharing: 0.6 },
  // In the manner of programs; see program-trace.mjs.
  program: {},
};

function trackside(...args) {
  const { status, stderr } = spawnSync(process.execPath, [TRACKSIDE, ...args], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`trackside ${args.join(' ')}: ${stderr}`);
}

/** Puts names of objects and elements, such as `V3.12345[2]`, in the place of numbered variables. */
function giveNames(path) {
  const named = (_, digits) => `(V${digits % 7}.${digits >> 2}[${digits & 3}])`;
  writeFileSync(path, readFileSync(path, 'latin1').replace(/\(V(\d+)\)/g, named), 'latin1');
}

/** A generated trace as STD. */
export function generated(shape, events, knobs = {}) {
  mkdirSync(CACHE, { recursive: true });
  const all = { ...SHAPES[shape], ...knobs };
  const suffix = Object.values(knobs).map((value) => `-${value}`);
  const name = `${shape}-${events / 1_000_000}M${suffix.join('')}`;
  const path = join(CACHE, `${name}.std`);
  if (!existsSync(path) && shape === 'program') writeProgramTrace(path, events);
  else if (!existsSync(path)) {
    const options = Object.entries(all).flatMap(([knob, value]) => [`--${knob}`, String(value)]);
    trackside('generate', '--quiet', '--events', String(events), ...options, path);
    if (shape === 'hostile') giveNames(path);
  }
  return { name, path };
}

/** A trace of the user's, unpacked if it is not plain text, so that the floor can be measured on it. */
export function given(path) {
  mkdirSync(CACHE, { recursive: true });
  const name = basename(path).replace(/(\.std|\.trk|\.rr|\.csv|\.gz)+$/, '');
  if (path.endsWith('.std')) return { name, path };
  const text = join(CACHE, `${name}.std`);
  if (!existsSync(text)) trackside('convert', '--quiet', path, text);
  return { name, path: text };
}

/** The same trace as `.trk`. */
export function asTrk({ name, path }) {
  const trk = join(CACHE, `${name}.trk`);
  if (!existsSync(trk)) trackside('convert', '--quiet', path, trk);
  return trk;
}
