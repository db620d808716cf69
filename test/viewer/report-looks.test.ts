import { describe, expect, it } from 'vitest';
import { browserForTests } from '../support/browser.ts';
import { lowContrasts } from './contrast.ts';
import type { Element } from './dom.ts';
import { BANK, pageFolder } from './pages.ts';

const browser = browserForTests();
const pages = pageFolder();
const bank = pages.report('bank.html', BANK);
/** By how much a browser takes a line for wider than it is. */
const STROKE = 7;
const overflow = (one: Element) => one.scrollWidth - one.clientWidth;

describe('how the page looks', () => {
  it.each(['light', 'dark'] as const)('has enough contrast in the %s', async (colorScheme) => {
    const { page } = await browser.open(bank, { colorScheme });
    const lightness = await page
      .locator('body')
      .evaluate((one: Element) => getComputedStyle(one).colorScheme);
    expect(lightness).toBe('light dark');
    expect(await lowContrasts(page)).toEqual([]);
    await page.getByRole('button', { name: 'What was checked' }).click();
    expect(await lowContrasts(page)).toEqual([]);
  });

  it('is dark where the system is, and the other when asked to', async () => {
    const { page } = await browser.open(bank, { colorScheme: 'dark' });
    const background = () => page.locator('main').evaluate((one: Element) => getComputedStyle(one).color);
    const dark = await background();
    await page.keyboard.press('t');
    const light = await background();
    expect(light).not.toBe(dark);
    await page.getByRole('button', { name: 'Light or dark' }).click();
    expect(await background()).toBe(dark);
  });

  it('fits on a phone, where the list and the violation follow each other', async () => {
    const { page, problems } = await browser.open(bank, {
      viewport: { width: 360, height: 740 },
      hasTouch: true,
    });
    expect(await page.locator('body').evaluate(overflow)).toBe(0);
    const tree = page.getByRole('tree');
    const heading = page.getByRole('heading', { level: 2 });
    expect([await tree.isVisible(), await heading.isVisible()]).toEqual([true, false]);
    await page.getByRole('treeitem').first().tap();
    expect([await tree.isVisible(), await heading.isVisible()]).toEqual([false, true]);
    expect(await page.locator('body').evaluate(overflow)).toBe(0);
    expect(await page.locator('.content').evaluate(overflow)).toBe(0);
    // Both threads are in sight beside each other.
    expect(await page.locator('.diagram').evaluate(overflow)).toBeLessThanOrEqual(0);
    expect(await page.locator(':focus').textContent()).toBe(await heading.textContent());
    await page.getByRole('button', { name: 'All violations' }).tap();
    expect(await tree.isVisible()).toBe(true);
    expect(problems).toEqual([]);
  });

  it('lets no arrow run over words', async () => {
    const { page } = await browser.open(bank);
    const cells = await Promise.all(
      (await page.locator('.step .cell').all()).map((cell) => cell.boundingBox()),
    );
    const lines = page.locator('.diagram .arrow .line');
    for (let i = 0; i < (await lines.count()); i++) {
      const line = await lines.nth(i).boundingBox();
      if (line === null) throw new Error('an arrow is missing');
      for (const cell of cells) {
        if (cell === null) throw new Error('a cell is missing');
        const apart = line.x + STROKE >= cell.x + cell.width || line.x + line.width - STROKE <= cell.x;
        expect(apart).toBe(true);
      }
    }
  });
});

describe('the page for those who do not see it, or use no mouse', () => {
  it('says in words what the lanes and arrows show', async () => {
    const { page } = await browser.open(bank);
    const lanes = page.getByRole('listbox', { name: 'Interleaving of 5 events in 2 threads' });
    const words = await lanes.getByRole('option').locator('.sr-only').allTextContents();
    expect(words).toEqual([
      'Event 1: thread T0 begins pay, at Bank.java:11',
      'Event 2: thread T0 reads balance, at Bank.java:12. before thread T1 writes balance at event 3',
      'Event 3: thread T1 writes balance, at Bank.java:20. after thread T0 reads balance at event 2. before thread T0 writes balance at event 4',
      'Event 4: thread T0 writes balance, at Bank.java:14. after thread T1 writes balance at event 3, which closes the cycle',
      'Event 5: thread T0 ends pay, at Bank.java:15',
    ]);
    expect(await lanes.getAttribute('aria-activedescendant')).toBe('step-1');
  });

  it('announces the current step', async () => {
    const { page } = await browser.open(bank);
    await page.keyboard.press('j');
    const live = page.locator('[aria-live="polite"]');
    expect(await live.textContent()).toContain('writes balance at Bank.java:20');
    expect(await live.textContent()).toContain('What came between them');
  });

  it('has a name for everything that can be used, and landmarks to go by', async () => {
    const { page } = await browser.open(bank);
    const snapshot = await page.locator('body').ariaSnapshot();
    expect(snapshot).toMatch(/^- banner:/m);
    expect(snapshot).toMatch(/- navigation "Violations":/);
    expect(snapshot).toMatch(/- main:/);
    expect(snapshot).toMatch(/- searchbox "Search violations"/);
    expect(snapshot).toMatch(/- tree "Violated blocks":/);
    expect(snapshot).toMatch(/- heading "Trackside" \[level=1\]/);
    expect(snapshot).not.toMatch(/- (button|link|textbox|searchbox|combobox)( \[[^\]]*\])?:?$/m);
  });

  it('leads the focus through the page in the order in which it is read, and shows where it is', async () => {
    const { page } = await browser.open(bank);
    const order: string[] = [];
    for (let i = 0; i < 14; i++) {
      await page.keyboard.press('Tab');
      const focused = page.locator(':focus');
      order.push(
        (await focused.getAttribute('aria-label')) ??
          (await focused.evaluate((one: Element) => one.textContent)) ??
          '',
      );
      expect(await focused.evaluate((one: Element) => getComputedStyle(one).outlineStyle)).not.toBe('none');
    }
    const position = (text: string) => order.findIndex((one) => one.includes(text));
    const wanted = [
      'Light or dark',
      'Keys',
      'Violated blocks',
      'What was checked',
      'Save the smallest',
      'Next step',
      'Interleaving of',
    ];
    const positions = wanted.map(position);
    expect(positions).not.toContain(-1);
    expect(positions).toEqual([...positions].sort((a, b) => a - b));
  });

  it('does not move things for those who asked for less of it', async () => {
    const duration = (one: Element) => getComputedStyle(one).transitionDuration;
    const { page: still } = await browser.open(bank, { reducedMotion: 'reduce' });
    expect(await still.locator('.step .cell').first().evaluate(duration)).toBe('0s');
    const { page: moving } = await browser.open(bank, { reducedMotion: 'no-preference' });
    expect(await moving.locator('.step .cell').first().evaluate(duration)).not.toBe('0s');
  });
});
