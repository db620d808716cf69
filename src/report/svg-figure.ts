import type { ConflictArrow, CycleGraph, TransactionBox } from './cycle-graph.ts';
import { displayWidth } from './layout.ts';
import { escapedXml, xmlAttributes } from './xml.ts';

/** A drawing of one cycle, from its own origin. */
export interface Figure {
  content: string;
  width: number;
  height: number;
}

export const LINE = 16;
const CHARACTER = 7.3;
const PADDING = 8;
/** Between an arrow and its words, and between arrows beside each other. */
const APART = 10;
const LANE = 24;
const HEAD = 5;
/** How round corners are. */
const ROUND = 6;

interface Row {
  y: number;
  height: number;
}

/**
 * Boxes below each other in the order of the cycle, so that most arrows lead straight down to the next box. The
 * others, among them the one that comes back to the start, run beside the boxes on the left, one lane each.
 */
export function figureOf(
  { boxes, arrows }: CycleGraph,
  title: readonly string[],
  source: readonly string[],
): Figure {
  const isStraight = ({ from, to }: ConflictArrow) => to === from + 1;
  const straight = arrows.filter(isStraight);
  const beside = arrows.filter((arrow) => !isStraight(arrow));
  const wordsWidth = widest(beside);
  const left = beside.length === 0 ? 0 : wordsWidth + 2 * APART + beside.length * LANE;
  const boxWidth = widest(boxes) + 2 * PADDING;
  const byStart = new Map<number, ConflictArrow[]>();
  for (const arrow of straight) byStart.set(arrow.from, [...(byStart.get(arrow.from) ?? []), arrow]);
  const middle = left + boxWidth / 2;

  const rows: Row[] = [];
  let y = (title.length + source.length) * LINE + LINE;
  for (const [i, { lines }] of boxes.entries()) {
    rows.push({ y, height: lines.length * LINE + 2 * PADDING });
    // Words of several arrows between the same boxes stand below each other.
    const words = (byStart.get(i) ?? []).flatMap((arrow) => arrow.lines);
    y = rows[i].y + rows[i].height + Math.max(2 * LINE, (words.length + 1) * LINE);
  }
  const bottom = rows[rows.length - 1];
  const parts = [
    textLines(title, { x: 0, y: 0, class: 'title' }),
    textLines(source, { x: 0, y: title.length * LINE }),
  ];
  for (const [i, box] of boxes.entries()) parts.push(boxDrawing(box, rows[i], left, boxWidth));
  for (const arrow of straight) {
    const words = byStart.get(arrow.from) ?? [];
    const before = words.slice(0, words.indexOf(arrow)).flatMap(({ lines }) => lines).length;
    const start = rows[arrow.from].y + rows[arrow.from].height;
    const x = middle - words.indexOf(arrow) * APART;
    parts.push(path(arrow, `M ${x} ${start} V ${rows[arrow.to].y}`, { x, y: rows[arrow.to].y }, 'down'));
    parts.push(textLines(arrow.lines, { x: middle + APART, y: start + LINE / 2 + before * LINE }));
  }
  /** Words beside each other's lanes must not lie on each other. */
  const taken: { from: number; to: number }[] = [];
  for (const [i, arrow] of beside.entries()) {
    const lane = left - (i + 1) * LANE;
    const start = rows[arrow.from].y + rows[arrow.from].height - PADDING - i;
    const end = rows[arrow.to].y + PADDING + i;
    const [out, down] = [ROUND, end > start ? ROUND : -ROUND];
    const round = `M ${left} ${start} H ${lane + out} q ${-out} 0 ${-out} ${down} V ${end - down} q 0 ${down} ${out} ${down} H ${left}`;
    parts.push(path(arrow, round, { x: left, y: end }, 'right'));
    const tall = arrow.lines.length * LINE;
    let words = (start + end) / 2 - tall / 2;
    for (const { from, to } of taken) if (words < to && words + tall > from) words = to + APART;
    let place = taken.length;
    while (place > 0 && taken[place - 1].from > words) place--;
    taken.splice(place, 0, { from: words, to: words + tall });
    parts.push(textLines(arrow.lines, { x: left - beside.length * LANE - APART, y: words, class: 'end' }));
  }
  const right = Math.max(boxWidth, boxWidth / 2 + APART + widest(straight));
  return {
    content: parts.join(''),
    width: Math.ceil(Math.max(left + right, widthOf(title), widthOf(source))),
    height: taken.reduce((height, { to }) => Math.max(height, to), bottom.y + bottom.height),
  };
}

function boxDrawing(
  { lines, isBlamed }: TransactionBox,
  { y, height }: Row,
  x: number,
  width: number,
): string {
  const blamed = isBlamed ? { class: 'blamed' } : {};
  const [name, ...rest] = lines;
  const text = { x: x + PADDING, y: y + PADDING };
  return [
    `    <rect${xmlAttributes({ x, y, width, height, rx: ROUND, ...blamed })}/>\n`,
    textLines([name], { ...text, class: 'name' }),
    textLines(rest, { ...text, y: text.y + LINE }),
  ].join('');
}

/** An arrow along a path that ends at `tip`. */
function path(
  { role }: ConflictArrow,
  d: string,
  { x, y }: { x: number; y: number },
  direction: 'down' | 'right',
): string {
  const head =
    direction === 'down'
      ? `M ${x} ${y} l ${-HEAD} ${-2 * HEAD} h ${2 * HEAD} z`
      : `M ${x} ${y} l ${-2 * HEAD} ${-HEAD} v ${2 * HEAD} z`;
  return `    <path${xmlAttributes({ d, class: role })}/>\n    <path${xmlAttributes({ d: head, class: `head ${role}` })}/>\n`;
}

/** Lines of text whose first starts below and to the right of a point. */
export function textLines(
  lines: readonly string[],
  { x, y, ...rest }: { x: number; y: number; class?: string },
): string {
  return lines
    .map(
      (line, i) =>
        `    <text${xmlAttributes({ x, y: y + i * LINE + 12, ...rest })}>${escapedXml(line)}</text>\n`,
    )
    .join('');
}

/** A cycle may be too long for its parts to be arguments of one call. */
function widest(parts: readonly { lines: readonly string[] }[]): number {
  return parts.reduce((width, { lines }) => Math.max(width, widthOf(lines)), 0);
}

function widthOf(lines: readonly string[]): number {
  return Math.ceil(Math.max(...lines.map(displayWidth)) * CHARACTER);
}
