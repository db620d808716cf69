import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { event, result, violation } from '../report/results.ts';
import { browserForTests } from '../support/browser.ts';
import type { Element } from './dom.ts';
import { BANK, LOST, pageFolder } from './pages.ts';

const browser = browserForTests();
const pages = pageFolder();
const bank = pages.report('bank.html', BANK);

describe('the page of a report', () => {
  it('opens from a file without a complaint, and asks nobody for anything', async () => {
    const { page, problems } = await browser.open(bank);
    expect(await page.getByRole('heading', { level: 2 }).textContent()).toBe(
      "Block 'pay' of thread 'T0' is broken by thread 'T1' (lost update)",
    );
    expect(await page.getByText('pay (thread T0) is not atomic').count()).toBe(1);
    expect(await page.getByText('Hold one lock from event 2 to event 4').count()).toBe(1);
    expect(await page.title()).toBe('2 violations of 2 blocks in run.std · Trackside');
    expect(problems).toEqual([]);
  });

  it('calls the threads of a program tasks', async () => {
    const { page } = await browser.open(
      pages.report('program.html', result({ origin: 'program', violations: [LOST] })),
    );
    const labels = await page
      .locator('.lanes [aria-label]')
      .evaluateAll((all: Element[]) => all.map((one) => one.getAttribute('aria-label')));
    expect(labels.join()).toContain('in 2 tasks');
    expect(await page.getByRole('heading', { level: 3 }).allInnerTexts()).toContainEqual(
      expect.stringMatching(/^Event \d+, task T\d$/),
    );
  });

  it('lists the violated blocks with their numbers, the worst first', async () => {
    const { page } = await browser.open(
      pages.report('blocks.html', result({ violations: [BANK.violations[1], LOST, { ...LOST, event: 14 }] })),
    );
    const rows = page.getByRole('tree').locator('[aria-level="1"]');
    expect(await rows.allInnerTexts()).toEqual([
      expect.stringMatching(/^pay\s+lost update\s+2$/),
      expect.stringMatching(/^audit\s+unrepeatable read of total\s+1$/),
    ]);
  });

  it('draws the interleaving: lanes, the broken block, and the conflicts, the last one dashed', async () => {
    const { page } = await browser.open(bank);
    expect(await page.locator('.lane-name').allInnerTexts()).toEqual(['T0', 'T1']);
    expect(await page.locator('.box.violated').count()).toBe(1);
    const arrows = page.locator('.diagram .arrow:has(.line)');
    expect(await arrows.evaluateAll((all: Element[]) => all.map((one) => one.getAttribute('class')))).toEqual(
      ['arrow pattern current', 'arrow pattern closing'],
    );
    const dashes = (one: Element) => getComputedStyle(one).strokeDasharray;
    expect(await arrows.nth(0).locator('.line').evaluate(dashes)).toBe('none');
    expect(await arrows.nth(1).locator('.line').evaluate(dashes)).not.toBe('none');
  });

  it('draws a nested block inside of its transaction', async () => {
    const outer = { label: 'outer', begin: 1 };
    const [first, second] = LOST.cycle;
    const nested = violation({
      block: { label: 'inner', begin: 2, end: 6 },
      cycle: [
        { from: { ...first.from, event: 3, transaction: outer }, to: { ...first.to, event: 4 } },
        { from: { ...second.from, event: 4 }, to: { ...second.to, event: 5, transaction: outer } },
      ],
      interference: null,
    });
    const { page } = await browser.open(pages.report('nested.html', result({ violations: [nested] })));
    const [outerBox, innerBox] = await Promise.all([
      page.locator('.box:not(.violated)').boundingBox(),
      page.locator('.box.violated').boundingBox(),
    ]);
    if (outerBox === null || innerBox === null) throw new Error('a box is missing');
    expect(innerBox.x).toBeGreaterThan(outerBox.x);
    expect(innerBox.x + innerBox.width).toBeLessThan(outerBox.x + outerBox.width);
    expect(innerBox.y).toBeGreaterThan(outerBox.y);
  });

  it('steps through the interleaving by keys, with the source beside it', async () => {
    const { page } = await browser.open(bank);
    const current = page.locator('[role="option"][aria-selected="true"]');
    const here = page.locator('.frame.current .line.here');
    expect(await current.locator('.sr-only').textContent()).toMatch(/^Event 2: thread T0 reads balance/);
    expect(await here.textContent()).toMatch(/12\s*long before = balance;/);
    await page.keyboard.press('ArrowDown');
    expect(await current.locator('.sr-only').textContent()).toMatch(/^Event 3: thread T1 writes balance/);
    expect(await here.textContent()).toMatch(/20\s*balance \+= more;/);
    await page.keyboard.press('j');
    expect(await current.locator('.sr-only').textContent()).toMatch(/^Event 4: .*which closes the cycle$/);
    await page.keyboard.press('k');
    expect(await current.locator('.sr-only').textContent()).toMatch(/^Event 3:/);
    await page.keyboard.press('End');
    expect(await current.locator('.sr-only').textContent()).toMatch(/^Event 5: thread T0 ends pay/);
    await page.keyboard.press('j');
    expect(await current.locator('.sr-only').textContent()).toMatch(/^Event 5:/);
    await page.keyboard.press('Home');
    expect(await current.locator('.sr-only').textContent()).toMatch(/^Event 1: thread T0 begins pay/);
  });

  it('goes from violation to violation by keys, and has an address for each', async () => {
    const { page } = await browser.open(bank);
    const heading = page.getByRole('heading', { level: 2 });
    await page.keyboard.press('n');
    expect(await heading.textContent()).toMatch(/^Block 'audit'/);
    expect(page.url()).toMatch(/#violation-2$/);
    await page.keyboard.press('p');
    expect(await heading.textContent()).toMatch(/^Block 'pay'/);
    const { page: again } = await browser.open(bank, { hash: '#violation-2' });
    expect(await again.getByRole('heading', { level: 2 }).textContent()).toMatch(/^Block 'audit'/);
  });

  it('filters by what the violations are, and says how many are left', async () => {
    const { page } = await browser.open(bank);
    const rows = page.getByRole('treeitem');
    expect(await rows.count()).toBe(2);
    await page.getByLabel('severity').selectOption('warning');
    expect(await rows.allInnerTexts()).toEqual([expect.stringContaining('audit')]);
    expect(await page.getByRole('heading', { level: 2 }).textContent()).toMatch(/^Block 'audit'/);
    expect(await page.getByRole('navigation').getByRole('status').textContent()).toMatch(
      /^1 of 2 violations/,
    );
    await page.getByRole('button', { name: 'Clear' }).click();
    await page.getByLabel('pattern').selectOption('lost-update');
    expect(await rows.allInnerTexts()).toEqual([expect.stringContaining('pay')]);
  });

  it('filters by analysis, kind and trace where there are several', async () => {
    const race = violation({ kind: 'race', block: null, pattern: null, cycle: [], interference: null });
    const { page } = await browser.open(
      pages.report(
        'many.html',
        BANK,
        result({ trace: 'other.std', analysis: 'fasttrack', violations: [race] }),
      ),
    );
    const rows = page.getByRole('treeitem');
    await page.getByLabel('analysis').selectOption('fasttrack');
    expect(await rows.count()).toBe(1);
    await page.getByLabel('trace').selectOption('run.std');
    expect(await page.getByText('Nothing matches.').count()).toBe(1);
    await page.getByLabel('analysis').selectOption('');
    await page.getByLabel('kind').selectOption('transaction');
    expect(await rows.count()).toBe(2);
  });

  it('searches for words of blocks, variables and places', async () => {
    const { page } = await browser.open(bank);
    const rows = page.getByRole('treeitem');
    await page.keyboard.press('/');
    await page.keyboard.type('total AUDIT.java');
    expect(await rows.allInnerTexts()).toEqual([expect.stringContaining('audit')]);
    await page.getByLabel('Search violations').fill('nowhere');
    expect(await rows.count()).toBe(0);
  });

  it('has a tree that works by keys alone', async () => {
    const { page } = await browser.open(
      pages.report(
        'tree.html',
        result({ violations: Array.from({ length: 20 }, (_, i) => ({ ...LOST, event: i + 4 })) }),
      ),
    );
    const tree = page.getByRole('tree');
    const rows = page.getByRole('treeitem');
    await tree.focus();
    expect(await rows.count()).toBe(1);
    await page.keyboard.press('ArrowRight');
    expect(await rows.first().getAttribute('aria-expanded')).toBe('true');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    expect(await page.locator('[role="treeitem"][aria-selected="true"]').textContent()).toContain('event 5');
    expect(await tree.getAttribute('aria-activedescendant')).toBe('row-2');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    expect(await rows.count()).toBe(1);
  });

  it('opens the group that a link or a key leads to', async () => {
    const many = Array.from({ length: 40 }, (_, i) => ({ ...LOST, event: i + 4 }));
    const grouped = pages.report('groups.html', result({ violations: [...many, BANK.violations[1]] }));
    const { page } = await browser.open(grouped, { hash: '#violation-33' });
    const selected = page.locator('[role="treeitem"][aria-selected="true"]');
    expect(await selected.textContent()).toContain('event 36');
    expect(await selected.isVisible()).toBe(true);
    await page.evaluate("location.hash = '#violation-2'");
    await page.locator('[aria-selected="true"]', { hasText: 'event 5' }).waitFor();
    await page.getByLabel('severity').selectOption('warning');
    await page.evaluate("location.hash = '#violation-7'");
    await page.locator('[aria-selected="true"]', { hasText: 'event 10' }).waitFor();
    await page.locator('h2').focus();
    await page.keyboard.press('n');
    expect(await selected.textContent()).toContain('event 11');
  });

  it('leaves the search field by Escape, and keeps what was searched for', async () => {
    const { page } = await browser.open(bank);
    await page.keyboard.press('/');
    await page.keyboard.type('audit');
    await page.keyboard.press('Escape');
    expect(await page.locator(':focus').getAttribute('role')).toBe('tree');
    expect(await page.getByLabel('Search violations').inputValue()).toBe('audit');
  });

  it('saves the sub-trace as it is', async () => {
    const { page, problems } = await browser.open(bank);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: /Save the smallest sub-trace \(5 events\)/ }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('pay.std');
    expect(readFileSync(await download.path(), 'utf8')).toBe(LOST.subtrace?.trace);
    expect(problems).toEqual([]);
  });

  it('shows the graph of transactions, and goes to the events of its conflicts', async () => {
    const { page } = await browser.open(bank);
    expect(await page.locator('.transaction.blamed').innerHTML()).toContain('pay');
    expect(await page.getByRole('img', { name: /^Transactions on the cycle: pay/ }).count()).toBe(1);
    await page.getByRole('list', { name: 'Conflicts along the cycle' }).getByRole('button').nth(1).click();
    await page.getByRole('heading', { name: 'Event 4, thread T0' }).waitFor();
  });

  it('shows the schedule that confirms a prediction beside what was observed', async () => {
    const window = [event(7, 'T1', 'w(balance)'), event(4, 'T0', 'w(balance)')];
    const predicted = violation({
      kind: 'before',
      confirmation: {
        status: 'confirmed',
        message: 'confirmed: so it is',
        firstEvent: 2,
        changedReads: [],
        states: 3,
        window,
      },
    });
    const { page } = await browser.open(pages.report('schedule.html', result({ violations: [predicted] })));
    expect(await page.getByText('Confirmed: so it is').count()).toBe(1);
    await page.getByRole('button', { name: 'Schedule that shows it' }).click();
    expect(await page.locator('.step .number').allInnerTexts()).toEqual(['7', '4']);
  });

  it('says what was checked, and what could not be', async () => {
    const broken = result({
      trace: 'broken.std',
      verdict: 'error',
      error: {
        message: 'broken.std:3:1: unknown operation',
        summary: 'unknown operation',
        line: 3,
        column: 1,
      },
    });
    const { page } = await browser.open(pages.report('checked.html', BANK, broken));
    await page.getByRole('button', { name: 'What was checked' }).click();
    expect(await page.getByRole('row').nth(1).textContent()).toMatch(
      /run\.std\s*regiontrack\s*violated\s*2\s*12\s*1,234/,
    );
    expect(await page.getByText('broken.std:3:1: unknown operation').count()).toBe(1);
  });

  it('lists what a baseline knows and what is gone', async () => {
    const fixed = [
      { fingerprint: 'f', analysis: 'regiontrack', trace: 'run.std', count: 1, violation: LOST },
    ];
    const { page } = await browser.open(pages.report('fixed.html', { fixed }, result()));
    expect(await page.getByRole('region', { name: 'Fixed' }).textContent()).toMatch(
      /1 known violation fixed.*regiontrack: block 'pay' of thread 'T0'/,
    );
  });

  it('is a page even where nothing was found', async () => {
    const { page, problems } = await browser.open(pages.report('none.html', result()));
    expect(await page.getByRole('heading', { name: 'No violations found' }).count()).toBe(1);
    expect(problems).toEqual([]);
  });

  it('explains its keys', async () => {
    const { page } = await browser.open(bank);
    await page.keyboard.press('?');
    expect(await page.getByRole('dialog', { name: 'Keys' }).textContent()).toContain(
      'next and previous violation',
    );
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });
});
