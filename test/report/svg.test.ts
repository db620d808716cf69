import { describe, expect, it } from 'vitest';
import { svg } from '../../src/report/svg.ts';
import { type Element, parseXml } from '../support/xml.ts';
import { HOSTILE_NAMES, hostileResult, LONGEST_DOCUMENT, OBEYED } from './hostile.ts';
import { event, rendered, result, violation } from './results.ts';

const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n';

/** The picture, taken apart. */
function picture(...violations: ReturnType<typeof violation>[]): Element {
  return parseXml(DECLARATION + rendered(svg, [[result({ violations })]]));
}

const named = (element: Element, name: string): Element[] =>
  element.children.flatMap((child) => [...(child.name === name ? [child] : []), ...named(child, name)]);
const classes = (element: Element, name: string) =>
  named(element, name).map(({ attributes }) => attributes.get('class') ?? null);
const number = (element: Element, name: string) => Number(element.attributes.get(name));

describe('the SVG report', () => {
  const pay = { label: 'pay', begin: 1 };
  const first = { ...event(2, 'T0', 'r(balance)', 'Bank.java:12'), transaction: pay };
  const between = { ...event(3, 'T1', 'w(balance)'), transaction: null };
  const last = { ...event(4, 'T0', 'w(balance)', 'Bank.java:14'), transaction: pay };
  const lost = violation({
    cycle: [
      { from: first, to: between },
      { from: between, to: last },
    ],
  });

  it('draws the blamed transaction, the others, and the conflicts, the closing one dashed', () => {
    const drawn = picture(lost);
    expect(classes(drawn, 'rect')).toEqual(['blamed', null]);
    expect(classes(drawn, 'path').filter((name) => !name?.startsWith('head'))).toEqual([
      'conflict',
      'closing',
    ]);
    const texts = named(drawn, 'text').map(({ text }) => text);
    expect(texts).toContain('thread T0, begun at event 1');
    expect(texts).toContain('2: r(balance) at Bank.java:12');
    expect(texts).toContain('before 4: w(balance) at Bank.java:14');
  });

  it('keeps everything inside of the picture, and boxes apart from each other', () => {
    const steps = Array.from({ length: 12 }, (_, i) => ({
      ...event(i + 2, `T${i}`, 'w(x)'),
      transaction: { label: `block ${i}`, begin: i },
    }));
    const cycle = steps.map((from, i) => ({ from, to: steps[(i + 1) % steps.length] }));
    const drawn = picture(violation({ cycle, interference: null }), lost);
    const boxes = named(drawn, 'rect').map((box) => ({
      top: number(box, 'y'),
      bottom: number(box, 'y') + number(box, 'height'),
    }));
    for (let i = 1; i < 12; i++) expect(boxes[i].top).toBeGreaterThan(boxes[i - 1].bottom);
    for (const box of named(drawn, 'rect')) {
      expect(number(box, 'x')).toBeGreaterThanOrEqual(0);
      expect(number(box, 'x') + number(box, 'width')).toBeLessThanOrEqual(number(drawn, 'width'));
      expect(number(box, 'y')).toBeLessThan(number(drawn, 'height'));
    }
  });

  it('draws one example of each block, and no more than can be looked at', () => {
    const violations = Array.from({ length: 120 }, (_, i) => ({
      ...lost,
      block: { label: `block ${i % 60}`, begin: 1, end: 5 },
    }));
    const drawn = picture(...violations);
    expect(named(drawn, 'g')).toHaveLength(50);
    expect(named(drawn, 'text').at(-1)?.text).toBe('10 more blocks without a drawing');
  });

  it('is a picture even where there is no cycle', () => {
    expect(named(picture(), 'text').map(({ text }) => text)).toEqual(['no cycle to draw']);
  });

  it.each(HOSTILE_NAMES)('holds against %s', (_, name) => {
    const document = rendered(svg, [[hostileResult(name)]]);
    const drawn = parseXml(DECLARATION + document);
    expect(named(drawn, 'rect')).toHaveLength(2);
    expect(named(drawn, 'script')).toEqual([]);
    expect(document).not.toMatch(OBEYED);
    expect(Buffer.from(document).toString()).toBe(document);
    expect(document.length).toBeLessThan(LONGEST_DOCUMENT);
  });
});
