import { closeSync, openSync, readdirSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { JsonResult } from '../../src/check/json-results.ts';
import { check, LOST_UPDATE, temporaryFolder, trackside } from '../cli/run.ts';
import { FINE, MALFORMED } from './cases.ts';

const FILES = fileURLToPath(new URL('files', import.meta.url));
const folder = temporaryFolder();

/** One run over all files, so that nothing wrong with one of them touches another. */
function checkAll(paths: readonly string[], ...options: string[]) {
  const { report, status, stderr } = check([...paths, ...options]);
  const byPath = new Map<string, JsonResult>(report.results.map((result) => [result.trace, result]));
  return { status, stderr, of: (path: string) => byPath.get(path) as JsonResult };
}

describe('files that are not what they should be', () => {
  const strict = checkAll([FILES]);
  const lenient = checkAll([FILES], '--lenient');

  it('are all in the table', () => {
    const known = [...MALFORMED.map(({ file }) => file), ...FINE.keys()];
    expect(readdirSync(FILES).sort()).toEqual(known.sort());
  });

  it('make the whole check end with 2, or not when repaired', () => {
    expect(strict.status).toBe(2);
    expect(strict.stderr.match(/^error: /gm)).toHaveLength(MALFORMED.length);
    expect(lenient.status).toBe(1);
    expect(lenient.stderr).toBe('');
  });

  it.each(MALFORMED)(
    '$file is refused with line, column, what was found and what was expected',
    (malformed) => {
      const path = join(FILES, malformed.file);
      const { line, column } = malformed;
      const message = `${path}:${line}:${column}: ${malformed.message}`;
      const result = strict.of(path);
      expect(result).toMatchObject({ verdict: 'error', events: malformed.events });
      expect(result.error).toMatchObject({ line, column, message });
      expect(strict.stderr).toContain(`error: ${message}\n`);
    },
  );

  it.each(MALFORMED)('$file is repaired when asked for, and the repairs are counted', (malformed) => {
    const result = lenient.of(join(FILES, malformed.file));
    expect(result.verdict).not.toBe('error');
    expect({
      events: result.events,
      repairs: result.repairs.reduce((sum, { count }) => sum + count, 0),
    }).toEqual(malformed.lenient);
  });

  it.each([...FINE])('%s is accepted as it is', (file, events) => {
    for (const { of } of [strict, lenient]) {
      expect(of(join(FILES, file))).toMatchObject({ verdict: 'ok', events, repairs: [] });
    }
  });

  it('keep the violations found before the problem', () => {
    const { violations } = strict.of(join(FILES, 'violation-before-problem.std'));
    expect(violations).toMatchObject([{ block: { label: 'pay', begin: 1, end: 5 }, pattern: 'lost-update' }]);
  });
});

describe('packed and binary files that are damaged', () => {
  const good = folder.write('good.std', LOST_UPDATE.repeat(4000));
  const whole = join(folder.path, 'whole.trk');
  trackside(['convert', good, whole]);
  const trk = readFileSync(whole);
  const gzip = gzipSync(LOST_UPDATE.repeat(4000));
  const changed = (bytes: Uint8Array, at: number) => {
    const copy = Uint8Array.from(bytes);
    copy[at] ^= 0x55;
    return copy;
  };
  /* A file, what is wrong with it, how many events come before that, and whether it can be done without. */
  const cases: [string, Uint8Array, RegExp, number, boolean][] = [
    ['cut.std.gz', gzip.subarray(0, gzip.length / 2), /: the gzip data is cut off$/, 0, true],
    ['damaged.std.gz', changed(gzip, 12), /: the gzip data is damaged$/, 0, false],
    ['empty.trk', trk.subarray(0, 0), /^$/, 0, true],
    ['header.trk', trk.subarray(0, 10), /the file is cut in its header/, 0, true],
    ['version.trk', changed(trk, 8), /byte 8: unknown version of .trk; found version 87; expected/, 0, false],
    [
      'first.trk',
      changed(trk, 100),
      /byte 12: a chunk has the wrong checksum.*; found 0x.*; expected 0x/,
      0,
      true,
    ],
    [
      'last.trk',
      changed(trk, trk.length - 40),
      /the 16384 events before it are whole; found 0x/,
      16_384,
      true,
    ],
    [
      'cut.trk',
      trk.subarray(0, -30),
      /the file is cut in a chunk, or .* corrupt; the 16384 events before/,
      16_384,
      true,
    ],
    ['unfinished.trk', trk.subarray(0, -17), /not finished; the 20000 events before/, 20_000, true],
  ];
  const paths = cases.map(([name, bytes]) => folder.write(name, bytes));
  const strict = checkAll([...paths, '--analysis', 'atomsanitizer']);
  const lenient = checkAll([...paths, '--analysis', 'atomsanitizer'], '--lenient');

  it.each(cases)(
    '%s is refused, and what comes before the damage is analysed',
    (name, _, message, events) => {
      const result = strict.of(join(folder.path, name));
      expect(result.events).toBe(events);
      expect(result.error?.message ?? '').toMatch(message);
      if (events > 0) expect(result.violations).toHaveLength(1);
    },
  );

  it.each(cases)('%s is analysed as far as it goes with --lenient', (name, _, __, events, repairable) => {
    const result = lenient.of(join(folder.path, name));
    expect(result.verdict === 'error').toBe(!repairable);
    expect(result.events).toBeGreaterThanOrEqual(events);
  });
});

describe('files that are too large in some way', () => {
  it('a line of 100 MB is refused, in little memory', () => {
    const path = join(folder.path, 'line.std');
    const file = openSync(path, 'w');
    writeSync(file, 'T0|w(x)|1\nT0|w(');
    const piece = Buffer.alloc(1 << 20, 'x');
    for (let i = 0; i < 100; i++) writeSync(file, piece);
    closeSync(file);
    const env = { NODE_OPTIONS: '--max-old-space-size=64' };
    const { status, result } = check([path], { env });
    expect(status).toBe(2);
    expect(result.error).toMatchObject({ line: 2, column: 1 });
    expect(result.error?.message).toMatch(/line\.std:2:1: this line is too long; found more than .* bytes/);
    expect(result.events).toBe(1);
  });

  it('names of a megabyte are names like any other, and are cut where they are told', () => {
    const name = 'n'.repeat(1 << 20);
    const path = folder.write(
      'names.std',
      LOST_UPDATE.replaceAll('balance', name).replaceAll('pay', `p${name}`),
    );
    const { result, status } = check([path]);
    expect(status).toBe(1);
    const label = expect.stringMatching(/^pn{1999}…\(1048577 characters, [0-9a-f]{16}\)…n{200}$/);
    expect(result.violations).toMatchObject([{ block: { label }, pattern: 'lost-update' }]);
    const text = trackside(['check', path]).stdout;
    expect(text.length).toBeLessThan(3000);
    expect(text).toMatch(/r\(nnn+…nnn+\)/);
  });
});
