import type { Edge, Step } from './story.ts';

/** Measures of a diagram, in pixels. */
export interface Geometry {
  rowHeight: number;
  laneWidth: number;
  /** Where the first lane starts. */
  left: number;
  /** Between the border of a lane and what stands in it: the arrows run there. */
  padding: number;
  /** How far the border of a block stands out into that. */
  border: number;
}

/** From a row to a later one. */
export interface Rows {
  from: number;
  to: number;
}

export interface Arrow<E extends Rows> {
  edge: E;
  path: string;
  head: string;
  /** Where its number stands. */
  x: number;
  y: number;
}

const MOST_TRACKS = 5;
/** Where the tracks run, in thirds of the room beside the middle of the gap: the first ones far from each other. */
const OFFSETS = [-1, 1, 0, -2, 2];
const CORNER = 6;
const HEAD = 5;
const APART = 5;

/**
 * Gives each edge a track of its own in the gap beside the lane that it leaves, so that no two arrows lie on each
 * other; where there are more than fit, they share.
 */
export function tracks(edges: readonly Edge[], steps: readonly Step[]): Map<Edge, number> {
  const chosen = new Map<Edge, number>();
  /** By gap: the row down to which each track is taken. */
  const taken = new Map<number, number[]>();
  for (const edge of [...edges].sort((a, b) => a.from - b.from || a.to - b.to)) {
    const gap = gapOf(steps[edge.from].lane, steps[edge.to].lane);
    const ends = taken.get(gap) ?? [];
    taken.set(gap, ends);
    let track = ends.findIndex((end) => end <= edge.from);
    if (track < 0) track = ends.length < MOST_TRACKS ? ends.length : edge.from % MOST_TRACKS;
    ends[track] = edge.to;
    chosen.set(edge, track);
  }
  return chosen;
}

/** The gap on the side of a lane that looks to another one; number `n` lies left of lane `n`. */
function gapOf(from: number, to: number): number {
  return to > from ? from + 1 : from;
}

/**
 * An arrow with right angles: out of the row it leaves, down in the gap, and across other lanes between two rows,
 * so that it never runs over words.
 */
export function arrow<E extends Rows>(
  edge: E,
  track: number,
  lanes: { from: number; to: number },
  { rowHeight, laneWidth, left, padding, border }: Geometry,
  firstRow: number,
): Arrow<E> {
  const { from, to } = lanes;
  const isRight = to > from;
  // Threads that follow each other may share a lane.
  const sign = isRight || from === to ? 1 : -1;
  const edgeOf = (lane: number, right: boolean) =>
    left + lane * laneWidth + (right ? laneWidth - padding : padding);
  // An arrow arrives above where another one may leave.
  const y0 = (edge.from - firstRow + 0.5) * rowHeight + APART;
  const y1 = (edge.to - firstRow + 0.5) * rowHeight - APART;
  const x0 = edgeOf(from, isRight);
  const x1 = edgeOf(to, sign < 0);
  const room = padding - border;
  const gap = left + gapOf(from, to) * laneWidth;
  const x = gap + (OFFSETS[track] * room) / 3;
  const points: [number, number][] = [
    [x0, y0],
    [x, y0],
  ];
  if (Math.abs(to - from) > 1) {
    const between = (edge.to - firstRow) * rowHeight;
    const near = x1 - sign * (border + room / 3);
    points.push([x, between], [near, between], [near, y1]);
  } else {
    points.push([x, y1]);
  }
  points.push([x1 - sign * HEAD, y1]);
  return {
    edge,
    path: rounded(points),
    head: `M${x1} ${y1}l${-sign * 2 * HEAD} ${-HEAD}v${2 * HEAD}z`,
    x,
    y: (y0 + Math.min(y1, y0 + 3 * rowHeight)) / 2,
  };
}

/** A line through points with right angles, its corners rounded. */
function rounded(points: readonly (readonly [number, number])[]): string {
  let path = `M${points[0][0]} ${points[0][1]}`;
  for (let i = 1; i < points.length - 1; i++) {
    const [x, y] = points[i];
    const before = towards(points[i], points[i - 1]);
    const after = towards(points[i], points[i + 1]);
    path += `L${before[0]} ${before[1]}Q${x} ${y} ${after[0]} ${after[1]}`;
  }
  const end = points[points.length - 1];
  return `${path}L${end[0]} ${end[1]}`;
}

function towards([x, y]: readonly [number, number], [toX, toY]: readonly [number, number]): [number, number] {
  const distance = Math.abs(toX - x) + Math.abs(toY - y);
  const step = Math.min(CORNER, distance / 2);
  return [x + Math.sign(toX - x) * step, y + Math.sign(toY - y) * step];
}
