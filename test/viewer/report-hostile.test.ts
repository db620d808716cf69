import { describe, expect, it } from 'vitest';
import { HOSTILE_NAMES, hostileResult, hostileViolation } from '../report/hostile.ts';
import { result } from '../report/results.ts';
import { browserForTests } from '../support/browser.ts';
import type { Element } from './dom.ts';
import { pageFolder } from './pages.ts';

const browser = browserForTests();
const pages = pageFolder();

/** Marks that would reorder or hide what stands around them, and control characters. */
const OBEYED = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/;

describe('a page with hostile names', () => {
  it.each(HOSTILE_NAMES)('runs nothing and keeps its layout: %s', async (_, name) => {
    const path = pages.report('hostile.html', hostileResult(name));
    const { page, problems } = await browser.open(path);
    expect(await page.locator('.step').count()).toBeGreaterThanOrEqual(5);
    const body = page.locator('body');
    expect(await page.locator('#app').textContent()).not.toMatch(OBEYED);
    expect(await body.evaluate((one: Element) => one.scrollWidth - one.clientWidth)).toBe(0);
    await page.getByRole('button', { name: 'What was checked' }).click();
    expect(await page.locator('#app').textContent()).not.toMatch(OBEYED);
    expect(await body.evaluate((one: Element) => one.scrollWidth - one.clientWidth)).toBe(0);
    expect(problems).toEqual([]);
  });

  it('shows a script as the text that it is', async () => {
    const name = '</script><script>alert(1)</script><img src=x onerror=alert(2)>';
    const { page, problems } = await browser.open(
      pages.report('script.html', result({ violations: [hostileViolation(name)] })),
    );
    expect(await page.locator('.operand').first().textContent()).toBe(name);
    expect(await page.locator('img').count()).toBe(0);
    expect(problems).toEqual([]);
  });

  it('lets no source line run or be obeyed either', async () => {
    const lines = [
      '</script><script>alert(1)</script>',
      'a\u202eb\x1b[31m',
      '\t'.repeat(300),
      'x'.repeat(100_000),
    ];
    const [first] = hostileViolation('Evil.java').cycle;
    const violations = [hostileViolation('Evil.java', { interference: null, cycle: [first] })];
    const sources = [{ path: 'Evil.java', excerpts: [{ firstLine: 10, lines }] }];
    const { page, problems } = await browser.open(
      pages.report('source.html', result({ violations, sources })),
    );
    await page.keyboard.press('j');
    expect(await page.locator('.frame .line').first().textContent()).toBe(`10${lines[0]}`);
    expect(await page.locator('.frame').first().textContent()).not.toMatch(OBEYED);
    expect(await page.locator('body').evaluate((one: Element) => one.scrollWidth - one.clientWidth)).toBe(0);
    expect(problems).toEqual([]);
  });

  it('has a policy under which even a script that got in would not run', async () => {
    const { page, problems } = await browser.open(pages.report('policy.html', hostileResult('x')));
    await page
      .evaluate(`
      const script = document.createElement('script');
      script.append('globalThis.ran = true');
      document.body.append(script);
      try { document.body.innerHTML = '<b>markup</b>'; } catch (error) { console.error('refused'); }
      setTimeout('globalThis.ran = true');
    `)
      .catch(() => undefined);
    expect(await page.evaluate('globalThis.ran === undefined')).toBe(true);
    expect(problems).toContain('error: policy: require-trusted-types-for');
    expect(problems).toContain('error: refused');
  });
});
