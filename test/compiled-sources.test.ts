import { expect, it } from 'vitest';
import { checksumOf } from '../scripts/build/wasm-checksum.mjs';
import { ACCESSES_SOURCE } from '../src/analyses/shared/accesses-wasm.ts';
import { STD_LINES_SOURCE } from '../src/formats/std-lines-wasm.ts';
import { CHUNK_NAMES_SOURCE } from '../src/formats/trk/chunk-names-wasm.ts';
import { TRK_COLUMNS_SOURCE } from '../src/formats/trk/trk-columns-wasm.ts';

it.each([
  ['accesses.c', ACCESSES_SOURCE],
  ['std-lines.c', STD_LINES_SOURCE],
  ['chunk-names.c', CHUNK_NAMES_SOURCE],
  ['trk-columns.c', TRK_COLUMNS_SOURCE],
])('wasm/%s was compiled since it was changed', (source, compiled) => {
  // If not: node scripts/build/wasm.mjs
  expect(compiled).toBe(checksumOf(source));
});
