/** From an event to a later one, by their numbers. */
export interface Arrow {
  from: number;
  to: number;
}

/** One arrow between two rows, in a lane of its own. */
interface Span {
  from: number;
  to: number;
  lane: number;
}

/** Arrows that would need more lanes are not drawn. */
const MOST_LANES = 4;

/** What becomes of a character where a line to the right crosses it. */
const CROSSED = new Map([
  [' ', '─'],
  ['│', '┼'],
  ['└', '┴'],
  ['┌', '┬'],
  ['├', '┼'],
]);

/**
 * Arrows between rows of a table, drawn in lanes at its left. Each row holds one event, so that a line from the
 * lane to the event, wherever that stands in its row, crosses no text.
 */
export class Arrows {
  readonly #spans: Span[] = [];
  readonly #lanes: number;

  /** `events` are the numbers of the rows' events. */
  constructor(events: readonly number[], arrows: readonly Arrow[]) {
    const rowOf = new Map(events.map((event, row) => [event, row]));
    const rows = arrows
      .flatMap(({ from, to }) => {
        const [a, b] = [rowOf.get(from), rowOf.get(to)];
        return a === undefined || b === undefined || a >= b ? [] : [{ from: a, to: b }];
      })
      .sort((a, b) => a.from - b.from || b.to - a.to);
    /** The row at which each lane is free again. */
    const free: number[] = [];
    for (const { from, to } of rows) {
      // A path that goes on where it arrived stays in its lane.
      const onward = free.indexOf(from);
      const lane = onward >= 0 ? onward : free.findIndex((row) => row < from);
      const chosen = lane >= 0 ? lane : free.length;
      if (chosen === MOST_LANES) continue;
      free[chosen] = to;
      this.#spans.push({ from, to, lane: chosen });
    }
    this.#lanes = free.length;
  }

  /** How many columns the lanes take. */
  get width(): number {
    return this.#lanes === 0 ? 0 : 2 * this.#lanes + 1;
  }

  /** What stands before the event of a row, which starts `indent` columns behind the lanes. */
  at(row: number, indent: number): string {
    const line = this.#verticals(row);
    const ends = this.#spans.filter(({ from, to }) => from === row || to === row);
    if (ends.length > 0) {
      const tip = this.width + indent - 2;
      for (let i = 2 * Math.min(...ends.map(({ lane }) => lane)) + 1; i < tip; i++)
        line[i] = CROSSED.get(line[i] ?? ' ') ?? '─';
      line[tip] = ends.some(({ to }) => to === row) ? '>' : '─';
    }
    return line.join('').padEnd(this.width + indent);
  }

  /** The same for further lines of the row. */
  below(row: number, indent: number): string {
    const line = new Array<string>(this.width).fill(' ');
    for (const { from, to, lane } of this.#spans) if (from <= row && to > row) line[2 * lane] = '│';
    return line.join('').padEnd(this.width + indent);
  }

  #verticals(row: number): string[] {
    const line = new Array<string>(this.width).fill(' ');
    for (let lane = 0; lane < this.#lanes; lane++) {
      const inLane = this.#spans.filter((span) => span.lane === lane && span.from <= row && span.to >= row);
      const arrives = inLane.some(({ to }) => to === row);
      const leaves = inLane.some(({ from }) => from === row);
      if (inLane.length > 0) line[2 * lane] = arrives && leaves ? '├' : arrives ? '└' : leaves ? '┌' : '│';
    }
    return line;
  }
}
