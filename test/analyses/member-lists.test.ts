import { describe, expect, it } from 'vitest';
import { TransactionGraph } from '../../src/analyses/velodrome/graph.ts';
import { MemberLists } from '../../src/analyses/velodrome/member-lists.ts';

/** A graph in which threads 0 … count - 1 each have an open transaction from the start. */
function graphWithOpen(count: number): TransactionGraph {
  const graph = new TransactionGraph();
  graph.reserveThreads(count);
  for (let thread = 0; thread < count; thread++) graph.add(thread, 0);
  return graph;
}

function members(lists: MemberLists, list: number): [number, number][] {
  const { threads, times, length } = lists.at(list);
  return Array.from({ length }, (_, i) => [threads[i], times[i]]);
}

describe('the members of a group', () => {
  it('are kept in the order of their accesses', () => {
    const lists = new MemberLists();
    const list = lists.create();
    [2, 0, 1].forEach((thread, i) => {
      lists.add(list, thread, i + 1, graphWithOpen(3));
    });
    expect(members(lists, list)).toEqual([
      [2, 1],
      [0, 2],
      [1, 3],
    ]);
  });

  it('stay few when the same threads come again and again, and hold the last access of each', () => {
    const graph = graphWithOpen(3);
    const lists = new MemberLists();
    const list = lists.create();
    for (let time = 1; time <= 999; time++) lists.add(list, time % 3, time, graph);
    const kept = members(lists, list);
    expect(kept.length).toBeLessThanOrEqual(16);
    expect(new Map(kept)).toEqual(
      new Map([
        [1, 997],
        [2, 998],
        [0, 999],
      ]),
    );
  });

  it('stay few when their transactions are collected', () => {
    const graph = new TransactionGraph();
    const lists = new MemberLists();
    const list = lists.create();
    for (let thread = 0; thread < 1000; thread++) {
      graph.reserveThreads(thread + 1);
      const node = graph.add(thread, thread);
      lists.add(list, thread, thread, graph);
      graph.finish(node);
      graph.discard();
    }
    expect(members(lists, list).length).toBeLessThanOrEqual(4);
  });

  it('are gone when the list is given back and used again', () => {
    const lists = new MemberLists();
    const list = lists.create();
    for (let thread = 0; thread < 100; thread++) lists.add(list, thread, 1, graphWithOpen(100));
    lists.giveBack(list);
    expect(lists.create()).toBe(list);
    expect(members(lists, list)).toEqual([]);
  });
});
