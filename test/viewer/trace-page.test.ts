import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { Random } from '../../src/generate/random.ts';
import { grouped } from '../../src/report/layout.ts';
import { LOST_UPDATE } from '../cli/run.ts';
import { HOSTILE_NAMES } from '../report/hostile.ts';
import { violation } from '../report/results.ts';
import { browserForTests } from '../support/browser.ts';
import { lowContrasts } from './contrast.ts';
import type { Element } from './dom.ts';
import { pageFolder } from './pages.ts';

const browser = browserForTests();
const pages = pageFolder();
const small = pages.trace('small', LOST_UPDATE, [violation()]);
const overflow = (one: Element) => one.scrollWidth - one.clientWidth;

describe('the page of a trace', () => {
  it('shows events in the lanes of their threads, and the blocks around them', async () => {
    const { page, problems } = await browser.open(await small);
    expect(await page.locator('.lane-name').allInnerTexts()).toEqual(['T0', 'T1']);
    const words = await page.getByRole('option').locator('.sr-only').allTextContents();
    expect(words).toEqual([
      'Event 1: thread T0 begins pay at 1',
      'Event 2: thread T0 reads balance at 2',
      'Event 3: thread T1 writes balance at 3',
      'Event 4: thread T0 writes balance at 4',
      'Event 5: thread T0 ends pay at 5',
    ]);
    expect(await page.locator('.box.violated').count()).toBe(1);
    expect(problems).toEqual([]);
  });

  it('shows what an event conflicts with, by a list and by arrows', async () => {
    const { page } = await browser.open(await small);
    await page.getByRole('option').nth(2).click();
    const panel = page.getByRole('region', { name: 'Event' });
    await panel.getByText('Conflicts before it').waitFor();
    expect(await panel.getByRole('listitem').allInnerTexts()).toEqual([
      expect.stringMatching(/^2\s+T0 reads balance$/),
      expect.stringMatching(/^4\s+T0 writes balance$/),
      expect.stringContaining("block 'pay' of thread 'T0' is broken by thread 'T1'"),
    ]);
    expect(await page.locator('.trace-lanes .arrow .line').count()).toBe(2);
    await panel.getByRole('button', { name: '4 T0 writes balance' }).click();
    await page.getByRole('heading', { name: 'Event 4' }).waitFor();
  });

  it('goes from event to event by keys', async () => {
    const { page } = await browser.open(await small);
    const current = page.locator('[role="option"][aria-selected="true"]');
    await page.keyboard.press('j');
    expect(await current.getAttribute('id')).toBe('event-1');
    await page.keyboard.press('End');
    expect(await current.getAttribute('id')).toBe('event-5');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('k');
    expect(await current.getAttribute('id')).toBe('event-3');
    expect(page.url()).toMatch(/#event-3$/);
    await page.keyboard.press('v');
    expect(await current.getAttribute('id')).toBe('event-4');
    await page.keyboard.press('Escape');
    expect(await current.count()).toBe(0);
  });

  it('finds a name, and goes from one of its events to the next', async () => {
    const { page } = await browser.open(await small);
    await page.keyboard.press('/');
    await page.keyboard.type('balan');
    expect(
      await page.getByRole('listbox', { name: 'Suggestions' }).getByRole('option').allInnerTexts(),
    ).toEqual([expect.stringMatching(/^balance\s*variable, 3$/)]);
    await page.keyboard.press('Enter');
    const current = page.locator('.event-row.current');
    await current.waitFor();
    expect(await current.getAttribute('id')).toBe('event-2');
    expect(await page.locator('.cell.found').count()).toBe(3);
    await page.getByRole('button', { name: 'Next match' }).click();
    expect(await current.getAttribute('id')).toBe('event-3');
    await page.getByRole('button', { name: 'Previous match' }).click();
    expect(await current.getAttribute('id')).toBe('event-2');
  });

  it('leads from the trace to its violations and back', async () => {
    const { page } = await browser.open(await small);
    await page.getByRole('button', { name: 'Violations' }).click();
    await page.keyboard.press('End');
    await page.getByRole('button', { name: 'Show in the trace' }).click();
    expect(await page.locator('.event-row.current').getAttribute('id')).toBe('event-5');
  });

  it('has names that run nothing and break nothing', async () => {
    const held = HOSTILE_NAMES.map(([, name]) => name).filter(
      (name) => name !== '' && !/[\0\r\n|()]/.test(name),
    );
    const lines = held.flatMap((name) => [`${name}|begin(${name})|${name}`, `${name}|w(${name})|${name}`]);
    const { page, problems } = await browser.open(await pages.trace('hostile', `${lines.join('\n')}\n`));
    expect(await page.getByRole('option').count()).toBe(lines.length);
    for (let i = 0; i < lines.length; i++) await page.keyboard.press('j');
    expect(await page.locator('.event-row.current').getAttribute('id')).toBe(`event-${lines.length}`);
    expect(await page.locator('body').evaluate(overflow)).toBe(0);
    expect(problems).toEqual([]);
  });

  it('fits on a phone, with enough contrast in the dark', async () => {
    const { page } = await browser.open(await small, {
      viewport: { width: 360, height: 740 },
      colorScheme: 'dark',
      hasTouch: true,
    });
    await page.getByRole('option').nth(3).tap();
    await page.getByText('Conflicts before it').waitFor();
    expect(await page.locator('body').evaluate(overflow)).toBe(0);
    expect(await lowContrasts(page)).toEqual([]);
  });
});

describe('links into the trace of a program of three threads', () => {
  const elevator = readFileSync(new URL('../fixtures/traces/elevator.std.gz', import.meta.url));
  const std = gunzipSync(elevator).toString();
  const page = pages.trace('elevator', std, [violation({ event: 4 })]);
  const events = std.trimEnd().split('\n').length;
  /** Whether a row in sight lacks its event. */
  const hasGaps = (rows: Element[]) =>
    rows.length === 0 || rows.some((row) => row.getAttribute('role') === null);

  it('shows the lanes at any event, also after it has looked through the whole trace for conflicts', async () => {
    const random = new Random(14);
    const { page: opened } = await browser.open(await page);
    const blank: number[] = [];
    for (let i = 0; i < 6; i++) {
      const event = 1 + random.below(events);
      // Most in a page that has been used already, some in a fresh one.
      if (i % 3 === 0) await browser.open(await page, { hash: `#event-${event}` });
      else await opened.evaluate(`location.hash = '#event-${event}'`);
      await opened.getByRole('heading', { name: `Event ${grouped(event)}` }).waitFor();
      await opened.getByText('Conflicts after it').waitFor();
      if (await opened.locator('.event-row').evaluateAll(hasGaps)) blank.push(event);
    }
    expect(blank).toEqual([]);
  }, 120_000);

  it('follows a link in an open page', async () => {
    const { page: opened } = await browser.open(await page, { hash: '#event-100' });
    await opened.locator('#event-100.current').waitFor();
    await opened.evaluate("location.hash = '#event-150000'");
    await opened.locator('#event-150000.current').waitFor();
    await opened.evaluate("location.hash = '#violation-1'");
    expect(await opened.getByRole('heading', { level: 2 }).textContent()).toMatch(/^Block 'pay'/);
    await opened.evaluate("location.hash = '#event-7'");
    await opened.locator('#event-7.current').waitFor();
  });

  it('opens with the violation that a link names', async () => {
    const { page: opened } = await browser.open(await page, { hash: '#violation-1' });
    expect(await opened.getByRole('heading', { level: 2 }).textContent()).toMatch(/^Block 'pay'/);
  });
});

describe('the page of a trace with a million events', () => {
  /** Eight threads that read and write in blocks of ten; one variable is written twice, far apart. */
  function million(): string {
    const lines: string[] = [];
    for (let i = 0; i < 1_000_000; i++) {
      const thread = Math.floor(i / 10) % 8;
      const step = i % 10;
      const rare = i === 123_456 || i === 987_654;
      const op =
        step === 0
          ? 'begin(step)'
          : step === 9
            ? 'end(step)'
            : rare
              ? 'w(rare)'
              : `${i % 3 === 0 ? 'w' : 'r'}(v${i % 997})`;
      lines.push(`T${thread}|${op}|${i % 50}`);
    }
    return `${lines.join('\n')}\n`;
  }
  const large = pages.trace('large', million());

  it('keeps little in the document, wherever one goes', async () => {
    const { page, problems } = await browser.open(await large);
    expect(await page.getByText('1 to').textContent()).toMatch(/^1 to \d+ of 1,000,000$/);
    for (const key of ['End', 'Home', 'End', 'k']) await page.keyboard.press(key);
    const current = page.locator('#event-999999');
    await current.waitFor();
    expect(await current.locator('.sr-only').textContent()).toBe('Event 999999: thread T7 reads v7 at 48');
    expect(await page.locator('*').count()).toBeLessThan(3000);
    expect(problems).toEqual([]);
  });

  it('goes to an event by its number, and draws the block that it is in', async () => {
    const { page } = await browser.open(await large);
    await page.keyboard.press('g');
    await page.keyboard.type('500,005');
    await page.keyboard.press('Enter');
    await page.locator('#event-500005.current').waitFor();
    const panel = page.getByRole('region', { name: 'Event' });
    expect(await panel.getByRole('button', { name: '500,001 step' }).count()).toBe(1);
    const row = await page.locator('#event-500005').boundingBox();
    const boxes = await Promise.all((await page.locator('.box').all()).map((box) => box.boundingBox()));
    expect(
      boxes.some((box) => box !== null && row !== null && box.y < row.y && box.y + box.height > row.y),
    ).toBe(true);
  });

  it('finds the two events of a rare variable among all of them', async () => {
    const { page } = await browser.open(await large);
    await page.getByRole('combobox').fill('rare');
    await page.keyboard.press('Enter');
    await page.locator('#event-123457.current').waitFor();
    await page.getByRole('combobox').blur();
    await page.keyboard.press('n');
    await page.locator('#event-987655.current').waitFor();
    const panel = page.getByRole('region', { name: 'Event' });
    await panel.getByRole('button', { name: /^123,457 T\d writes rare$/ }).waitFor();
  });

  it('has an overview that leads anywhere, by pointer and by keys', async () => {
    const { page } = await browser.open(await large);
    const overview = page.getByRole('slider', { name: 'Overview of the trace' });
    const box = await overview.boundingBox();
    if (box === null) throw new Error('there is no overview');
    await page.mouse.click(box.x + 10, box.y + box.height / 2);
    const shown = async () => Number(await overview.getAttribute('aria-valuenow'));
    expect(Math.abs((await shown()) - 500_000)).toBeLessThan(5000);
    const before = await shown();
    await overview.press('PageDown');
    expect(await shown()).toBe(before + 20_000);
    await page.locator(`#event-${before + 20_000}`).waitFor();
  });
});
