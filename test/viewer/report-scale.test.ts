import { statSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { ViolationResult } from '../../src/check/result.ts';
import { event, result, violation } from '../report/results.ts';
import { browserForTests } from '../support/browser.ts';
import { LOST, pageFolder } from './pages.ts';

const browser = browserForTests();
const pages = pageFolder();

/** So few elements that any browser draws them at once. */
const MOST_ELEMENTS = 3000;

describe('a page with 10,000 violations', () => {
  const violations = Array.from({ length: 10_000 }, (_, i): ViolationResult => {
    const label = `Class${i % 500}.method`;
    const changes = { block: { label, begin: 10 * i + 1, end: 10 * i + 5 }, event: 10 * i + 4 };
    return { ...LOST, ...changes, thread: `worker-${i % 7}` };
  });
  const path = pages.report('many.html', result({ violations }));

  it('is small enough to be mailed, and keeps little in the document', async () => {
    expect(statSync(path).size).toBeLessThan(2_000_000);
    const { page, problems } = await browser.open(path);
    expect(await page.locator('*').count()).toBeLessThan(MOST_ELEMENTS);
    expect(await page.getByRole('navigation').getByRole('status').textContent()).toContain(
      '10,000 violations',
    );
    expect(problems).toEqual([]);
  });

  it('finds one of them, and the last one by keys', async () => {
    const { page } = await browser.open(path);
    await page.getByLabel('Search violations').fill('Class123.method worker-5');
    expect(await page.getByRole('treeitem').first().textContent()).toContain('Class123.method');
    await page.getByLabel('Search violations').fill('');
    await page.getByRole('tree').focus();
    await page.keyboard.press('End');
    const last = page.locator('[role="treeitem"][aria-posinset="500"]');
    expect(await last.textContent()).toContain('Class499.method');
    expect(await page.locator('*').count()).toBeLessThan(MOST_ELEMENTS);
  });
});

describe('a page with a violation of 5,000 events', () => {
  const threads = 40;
  const steps = Array.from({ length: 4998 }, (_, i) => ({
    ...event(
      i + 2,
      i === 0 || i === 4997 ? 'T0' : `T${1 + (i % threads)}`,
      `w(x${i >> 1})`,
      `File.java:${i}`,
    ),
    transaction: null,
  }));
  const cycle = steps.slice(1).map((to, i) => ({ from: steps[i], to }));
  const path = pages.report(
    'long.html',
    result({
      violations: [
        violation({ cycle, interference: null, block: { label: 'all', begin: 1, end: 5000 }, event: 4999 }),
      ],
    }),
  );

  it('draws only what is in sight, at the start and at the end', async () => {
    const { page, problems } = await browser.open(path);
    expect(await page.locator('*').count()).toBeLessThan(MOST_ELEMENTS);
    expect(await page.locator('.stepper .count').textContent()).toBe('1 / 5,000');
    await page.keyboard.press('End');
    const current = page.locator('.step.current');
    expect(await current.getAttribute('aria-posinset')).toBe('5000');
    expect(await current.isVisible()).toBe(true);
    await page.keyboard.press('ArrowUp');
    expect(await current.locator('.sr-only').textContent()).toMatch(/^Event 4999: .*closes the cycle/);
    expect(await page.locator('*').count()).toBeLessThan(MOST_ELEMENTS);
    expect(problems).toEqual([]);
  });

  it('says so instead of drawing a graph that nobody can read', async () => {
    const { page } = await browser.open(path);
    expect(await page.getByText('A cycle of 4,998 transactions: too many to draw here.').count()).toBe(1);
  });
});
