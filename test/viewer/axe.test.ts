import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { LOST_UPDATE } from '../cli/run.ts';
import { result, violation } from '../report/results.ts';
import { browserForTests } from '../support/browser.ts';
import { BANK, BANK_SOURCE, LOST, pageFolder } from './pages.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const browser = browserForTests();
const pages = pageFolder();
const report = pages.report('bank.html', BANK);
const program = pages.report(
  'program.html',
  result({
    origin: 'program',
    sources: [BANK_SOURCE],
    violations: [
      { ...LOST, facts: { variable: 'property', wasAbsent: false, awaits: ['Bank.java:13:5'] } },
      ...Array.from({ length: 20 }, (_, i) => ({ ...LOST, event: 20 + i })),
    ],
  }),
);
const trace = pages.trace('small', LOST_UPDATE, [violation()]);

/** What axe finds wrong with the page as it is, each with the elements that it is about. */
async function complaints(page: Page): Promise<string[]> {
  // By the debugger, as the page's own policy lets nothing else run.
  await page.evaluate(AXE);
  return page.evaluate(`axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) =>
    violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ target }) => target.join(' ')).slice(0, 5).join(', ')))`);
}

const LOOKS = [
  { name: 'light', options: { colorScheme: 'light' } },
  { name: 'dark', options: { colorScheme: 'dark' } },
  { name: 'forced colours in the dark', options: { forcedColors: 'active', colorScheme: 'dark' } },
  { name: 'a phone', options: { viewport: { width: 360, height: 740 } } },
] as const;

describe.each(LOOKS)('axe has nothing to say about a page in $name', ({ options }) => {
  it('that shows a violation of a trace', async () => {
    const { page } = await browser.open(report, { ...options, hash: '#violation-1' });
    expect(await complaints(page)).toEqual([]);
  });

  it('that shows a violation of a program, with its code', async () => {
    const { page } = await browser.open(program, { ...options, hash: '#violation-1' });
    await page.getByText('other tasks run here').first().waitFor();
    expect(await complaints(page)).toEqual([]);
  });

  it('that shows what was checked, and its keys', async () => {
    const { page } = await browser.open(report, options);
    await page.getByRole('button', { name: 'What was checked' }).click();
    expect(await complaints(page)).toEqual([]);
    await page.keyboard.press('?');
    await page.getByRole('dialog').waitFor();
    expect(await complaints(page)).toEqual([]);
  });

  it('that shows a trace, with an event and suggestions', async () => {
    const { page } = await browser.open(await trace, { ...options, hash: '#event-3' });
    await page.getByText('Conflicts after it').waitFor();
    expect(await complaints(page)).toEqual([]);
    await page.getByRole('combobox').fill('bal');
    expect(await complaints(page)).toEqual([]);
  });
});
