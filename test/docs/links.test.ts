import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const LINK = /\]\(([^)\s]+)\)/g;
const CODE_BLOCK = /^(`{3,}).*?^\1/gms;

/** As GitHub and VitePress make anchors of headings. */
function anchorOf(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');
}

function anchorsOf(page: string): Set<string> {
  const text = readFileSync(page, 'utf8').replaceAll(CODE_BLOCK, '');
  const anchors = new Set([...text.matchAll(/<a id="([^"]+)">/g)].map(([, id]) => id));
  const counts = new Map<string, number>();
  for (const [, heading] of text.matchAll(/^#+ (.+)$/gm)) {
    const anchor = anchorOf(heading);
    const count = counts.get(anchor) ?? 0;
    counts.set(anchor, count + 1);
    // A heading that there was before gets a number.
    anchors.add(count === 0 ? anchor : `${anchor}-${count}`);
  }
  return anchors;
}

/** What is wrong with the links of a page, each by its text. */
function brokenLinks(page: string): string[] {
  const text = readFileSync(page, 'utf8').replaceAll(CODE_BLOCK, '');
  return [...text.matchAll(LINK)]
    .map(([, target]) => target)
    .filter((target) => !/^[a-z]+:/.test(target))
    .filter((target) => {
      const [path, anchor] = target.split('#');
      const file = path === '' ? page : resolve(dirname(page), path);
      return (
        !existsSync(file) || (anchor !== undefined && file.endsWith('.md') && !anchorsOf(file).has(anchor))
      );
    });
}

describe('links of the documentation', () => {
  const pages = execFileSync('git', ['ls-files', '*.md'], { cwd: ROOT, encoding: 'utf8' }).trim().split('\n');
  it.each(pages)('%s links only to files and headings that exist', (page) => {
    expect(brokenLinks(ROOT + page)).toEqual([]);
  });
});
