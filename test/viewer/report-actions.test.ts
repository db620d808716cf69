import { describe, expect, it } from 'vitest';
import type { ReportOptions } from '../../src/report/reporter.ts';
import { event, result } from '../report/results.ts';
import { browserForTests } from '../support/browser.ts';
import type { Element } from './dom.ts';
import { BANK, BANK_SOURCE, LOST, pageFolder } from './pages.ts';

const browser = browserForTests();
const pages = pageFolder();

const RUN: Partial<ReportOptions> = {
  run: {
    command: "trackside run --exclude 'a b' app.ts",
    date: '2026-03-01T12:30:00.000Z',
    node: '22.15.0',
    folder: '/home/ann/my shop',
  },
  editor: 'vscode://file/{path}:{line}:{column}',
};
const CLIPBOARD = { permissions: ['clipboard-read', 'clipboard-write'] };
const program = result({
  origin: 'program',
  violations: [LOST],
  sources: [{ ...BANK_SOURCE, path: 'Bank.java' }],
  schedule: { kind: 'provoke', seed: 7, replay: 'trackside run --schedule provoke --seed 7 app.ts' },
});
const page = pages.reportWith('program.html', RUN, program);
const readClipboard = 'navigator.clipboard.readText()';

describe('what a page can do with a violation', () => {
  it('copies a link to it', async () => {
    const { page: opened, problems } = await browser.open(page, CLIPBOARD);
    await opened.getByRole('button', { name: 'Copy link' }).click();
    await opened.getByText('Link copied').waitFor();
    expect(await opened.evaluate(readClipboard)).toMatch(/^file:.*\/program\.html#violation-1$/);
    expect(problems).toEqual([]);
  });

  it('copies it as Markdown, with the interleaving, the code, the advice and the command', async () => {
    const { page: opened } = await browser.open(page, CLIPBOARD);
    await opened.getByRole('button', { name: 'Copy as Markdown' }).click();
    await opened.getByText('Markdown copied').waitFor();
    const markdown = (await opened.evaluate(readClipboard)) as string;
    expect(markdown).toMatch(/^### block 'pay' of task 'T0' is broken by task 'T1' \\\(lost update\\\)\n/);
    expect(markdown).toMatch(/```text\nevent +T0 +T1\n/);
    expect(markdown).toContain('12 │   long before = balance;');
    expect(markdown).toMatch(/\n\*\*What to do:\*\* /);
    expect(markdown).toMatch(/```sh\ntrackside run --exclude 'a b' app\.ts\n```/);
    expect(markdown).toContain('trackside run --schedule provoke --seed 7 app.ts');
  });

  it('leaves nothing in Markdown that names could make markup of', async () => {
    const evil = '```\n# @all <img src=x onerror=alert(1)> [a](http://b)';
    const named = { ...LOST, block: { label: evil, begin: 1, end: 5 }, message: evil };
    const hostile = pages.report('hostile-names.html', result({ violations: [named] }));
    const { page: opened } = await browser.open(hostile, CLIPBOARD);
    await opened.getByRole('button', { name: 'Copy as Markdown' }).click();
    await opened.getByText('Markdown copied').waitFor();
    const markdown = (await opened.evaluate(readClipboard)) as string;
    const outside = markdown.replace(/^(`{3,})\w*\n[\s\S]*?\n\1$/gm, '');
    expect(outside).not.toMatch(/(?<!\\)[<`[]|@\w/);
  });

  it('opens places in the editor that was chosen', async () => {
    const { page: opened } = await browser.open(page);
    const address = 'vscode://file/home/ann/my%20shop/Bank.java:12:1';
    expect(await opened.getByRole('link', { name: 'Open in editor' }).getAttribute('href')).toBe(address);
    expect(await opened.locator('.frame.current a').getAttribute('href')).toBe(address);
    const { page: none } = await browser.open(
      pages.reportWith('none.html', { ...RUN, editor: null }, program),
    );
    expect(await none.getByRole('link').count()).toBe(0);
    const other = pages.reportWith('trace.html', RUN, BANK);
    const { page: ofTrace } = await browser.open(other);
    expect(await ofTrace.getByRole('link').count()).toBe(0);
  });

  it('says how the results came about', async () => {
    const { page: opened } = await browser.open(page);
    await opened.getByRole('button', { name: 'What was checked' }).click();
    const facts = await opened.getByRole('region', { name: 'Run' }).textContent();
    for (const fact of [
      "run --exclude 'a b' app.ts",
      '2026-03-01 12:30:00 UTC',
      '22.15.0',
      'provoke, seed 7',
    ])
      expect(facts).toContain(fact);
  });
});

describe('how a page shows a violation', () => {
  const forks = [
    { event: 1, thread: 'main', op: 'fork(T0)' },
    { event: 2, thread: 'main', op: 'fork(T1)' },
  ];
  const started = {
    ...LOST,
    block: { label: 'pay', begin: 3, end: 7 },
    cycle: [],
    event: 6,
    interference: {
      first: event(4, 'T0', 'r(balance)', 'src/main/java/com/example/bank/BankAccount.java:1012:33'),
      between: event(5, 'T1', 'w(balance)', 'Bank.java:20'),
      last: event(6, 'T0', 'w(balance)', 'Bank.java:14'),
    },
    subtrace: {
      trace: `${forks.map(({ thread, op }) => `${thread}|${op}|a.ts:1`).join('\n')}\nT0|begin(pay)|a.ts:2\nT0|r(balance)|a.ts:3\nT1|w(balance)|a.ts:4\nT0|w(balance)|a.ts:5\nT0|end(pay)|a.ts:6\n`,
      events: [1, 2, 3, 4, 5, 6, 7],
      event: 6,
      minimal: true,
    },
  };
  const forked = pages.report('forked.html', result({ violations: [started] }));

  it('puts the rivals side by side, and how they were started behind a button', async () => {
    const { page: opened } = await browser.open(forked);
    const lanes = opened.locator('.lane-name');
    expect(await lanes.allInnerTexts()).toEqual(['T0', 'T1']);
    expect(await opened.locator('.step').count()).toBe(5);
    await opened.getByRole('button', { name: 'Show how it came about: 2 more events' }).click();
    expect(await lanes.allInnerTexts()).toEqual(['T0', 'T1', 'main']);
    expect(await opened.locator('.step.current .number').textContent()).toBe('4');
    await opened.getByRole('button', { name: 'Show only what matters' }).click();
    expect(await opened.locator('.step').count()).toBe(5);
  });

  it.each([360, 1280])('shows the whole line number at a width of %i', async (width) => {
    const { page: opened } = await browser.open(forked, {
      viewport: { width, height: 800 },
      hash: '#violation-1',
    });
    const line = opened.locator('.step .place-line', { hasText: ':1012:33' });
    const cell = opened.locator('.step .cell', { hasText: ':1012:33' });
    const [inner, outer] = [await line.boundingBox(), await cell.boundingBox()];
    if (inner === null || outer === null) throw new Error('the place is not shown');
    expect(inner.x).toBeGreaterThanOrEqual(outer.x);
    expect(inner.x + inner.width).toBeLessThanOrEqual(outer.x + outer.width);
  });

  it('colours the code', async () => {
    const { page: opened } = await browser.open(page);
    const colour = (one: Element) => getComputedStyle(one).color;
    const keyword = opened.locator('.frame.current .look-type', { hasText: 'long' }).first();
    const plain = opened.locator('.frame.current .line.here code').first();
    expect(await keyword.evaluate(colour)).not.toBe(await plain.evaluate(colour));
    expect(await plain.textContent()).toBe('    long before = balance;');
  });

  it('prints the violation alone, and all of it', async () => {
    const { page: opened } = await browser.open(page);
    await opened.emulateMedia({ media: 'print' });
    for (const hidden of ['navigation', 'search'] as const)
      expect(await opened.getByRole(hidden).isVisible()).toBe(false);
    expect(await opened.getByRole('button', { name: 'Copy link' }).isVisible()).toBe(false);
    expect(await opened.getByRole('heading', { level: 2 }).isVisible()).toBe(true);
    const clipped = (one: Element) => getComputedStyle(one).overflowY;
    expect(await opened.locator('.diagram').evaluate(clipped)).toBe('visible');
    await opened.emulateMedia({ media: null });
  });
});
