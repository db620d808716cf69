import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { SourceFiles } from '../../src/check/source-files.ts';
import { withSources } from '../../src/check/sources.ts';
import { event, result, violation } from '../report/results.ts';

const top = mkdtempSync(join(tmpdir(), 'trackside-sources-'));
afterAll(() => rmSync(top, { recursive: true, force: true }));

function write(path: string, content: string): string {
  mkdirSync(dirname(join(top, path)), { recursive: true });
  writeFileSync(join(top, path), content);
  return join(top, path);
}

write('outside.js', 'secret');
const inside = write('root/src/a.js', 'one\ntwo\r\nthree\rfour');
write('root/src/deep/only.js', 'only');
write('root/src/deep/twin.js', 'one twin');
write('root/lib/twin.js', 'other twin');
write('root/node_modules/x/vendored.js', 'vendored');
write('root/.env', 'PASSWORD=1');
write('root/.hidden/config.js', 'hidden');
write('root/id_rsa', 'key');
write('root/binary.js', 'a\0b');
write('root/large.js', 'x'.repeat((4 << 20) + 1));
symlinkSync(join(top, 'outside.js'), join(top, 'root/link.js'));
symlinkSync(join(top, 'root/.env'), join(top, 'root/env.js'));
symlinkSync(inside, join(top, 'root/same.js'));
const root = join(top, 'root');

const files = () => new SourceFiles({ searched: [root] });

describe('a source file', () => {
  it.each([
    ['by its path below a root', 'src/a.js'],
    ['with a dot in front', './src/a.js'],
    ['by an absolute path', inside],
    ['by a URL', pathToFileURL(inside).href],
    ['by a path of Windows', 'src\\a.js'],
    ['by a link inside of the root', 'same.js'],
    ['by its name alone, wherever it is', 'a.js'],
  ])('is found %s', async (_, path) => {
    expect(await files().lines(path)).toEqual(['one', 'two', 'three', 'four']);
  });

  it('is found by the end of its path where its name alone says too little', async () => {
    expect(await files().lines('deep/twin.js')).toEqual(['one twin']);
    expect(await files().lines('twin.js')).toBeNull();
  });

  it('is found by its name only below roots that are searched', async () => {
    expect(await new SourceFiles({ searched: [], others: [root] }).lines('only.js')).toBeNull();
    expect(await new SourceFiles({ searched: [], others: [root] }).lines('src/deep/only.js')).toEqual([
      'only',
    ]);
  });

  it.each([
    ['above the root', '../outside.js'],
    ['above the root, by detours', 'src/../../outside.js'],
    ['elsewhere', join(top, 'outside.js')],
    ['elsewhere, by a URL', pathToFileURL(join(top, 'outside.js')).href],
    ['on another machine', 'file://host/share/a.js'],
    ['behind a link that leads out', 'link.js'],
    ['behind a link to what is hidden', 'env.js'],
    ['that is hidden', '.hidden/config.js'],
    ['that is no source', '.env'],
    ['without an ending', 'id_rsa'],
    ['of somebody else', 'vendored.js'],
    ['that is not text', 'binary.js'],
    ['that is very large', 'large.js'],
    ['that is a folder', 'src'],
    ['with NUL in its name', 'src/a.js\0.js'],
    ['that is not there', 'none.js'],
    ['of the system', '/etc/passwd'],
  ])('is not shown: %s', async (_, path) => {
    expect(await files().lines(path)).toBeNull();
  });
});

describe('the sources of a result', () => {
  const at = (...locations: (string | null)[]) =>
    result({
      violations: locations.map((location) =>
        violation({
          interference: null,
          cycle: [{ from: event(1, 'T', 'r(x)', location), to: event(2, 'T', 'w(x)') }],
        }),
      ),
    });
  write('root/long.js', Array.from({ length: 40 }, (_, i) => `line ${i + 1}`).join('\n'));
  write('root/wide.js', `${'🦊'.repeat(200)}\nshort`);

  it('are the lines around those that events are at, each once', async () => {
    const { sources } = await withSources(at('long.js:5', 'long.js:7:3', 'long.js:5', 'long.js:30'), files());
    const [{ path, excerpts }] = sources!;
    expect(path).toBe('long.js');
    expect(excerpts.map(({ firstLine, lines }) => [firstLine, lines.length])).toEqual([
      [2, 9],
      [27, 7],
    ]);
    expect(excerpts[0].lines[3]).toBe('line 5');
  });

  it('end where the file does', async () => {
    const { sources } = await withSources(at('long.js:1', 'long.js:40', 'long.js:999'), files());
    expect(sources![0].excerpts.map(({ firstLine, lines }) => [firstLine, lines.length])).toEqual([
      [1, 4],
      [37, 4],
    ]);
  });

  it('have long lines cut, but no character', async () => {
    const { sources } = await withSources(at('wide.js:2'), files());
    expect(sources![0].excerpts[0].lines[0]).toBe(`${'🦊'.repeat(150)}…`);
  });

  it('are left out where none can be found', async () => {
    expect(
      (await withSources(at('7', null, '../outside.js:1', 'long.js:999'), files())).sources,
    ).toBeUndefined();
  });
});
