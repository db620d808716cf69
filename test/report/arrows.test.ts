import { describe, expect, it } from 'vitest';
import { Arrows } from '../../src/report/arrows.ts';

/** The lanes beside the rows 1, 2, 3, …, each of which stands right behind them, or in the second column. */
function drawn(
  rows: number,
  arrows: readonly (readonly [number, number])[],
  second: number[] = [],
): string[] {
  const events = Array.from({ length: rows }, (_, i) => i + 1);
  const lanes = new Arrows(
    events,
    arrows.map(([from, to]) => ({ from, to })),
  );
  return events.map((event, row) => `${lanes.at(row, second.includes(event) ? 4 : 0)}${event}`);
}

describe('arrows between rows', () => {
  it('take no room where there are none', () => {
    expect(drawn(2, [])).toEqual(['1', '2']);
  });

  it('stay in one lane where a path goes on from where it arrived, or later', () => {
    expect(
      drawn(6, [
        [1, 2],
        [2, 4],
        [5, 6],
      ]),
    ).toEqual(['┌─ 1', '├> 2', '│  3', '└> 4', '┌─ 5', '└> 6']);
  });

  it('reach to the column of the event', () => {
    expect(
      drawn(
        3,
        [
          [1, 2],
          [2, 3],
        ],
        [2],
      ),
    ).toEqual(['┌─ 1', '├────> 2', '└> 3']);
  });

  it('cross each other where they must', () => {
    expect(
      drawn(4, [
        [1, 3],
        [2, 4],
      ]),
    ).toEqual(['┌─── 1', '│ ┌─ 2', '└─┼> 3', '  └> 4']);
  });

  it('go on beside the further lines of a row', () => {
    const lanes = new Arrows([1, 2], [{ from: 1, to: 2 }]);
    expect([lanes.below(0, 2), lanes.below(1, 2)]).toEqual(['│    ', '     ']);
  });

  it('are left out where there are too many, or where an end is not shown', () => {
    const nested = Array.from({ length: 6 }, (_, i) => [i + 1, 12 - i] as const);
    expect(new Set(drawn(12, nested).map((line) => line.length))).toEqual(new Set([10, 11]));
    expect(drawn(2, [[1, 7]])).toEqual(['1', '2']);
  });
});
