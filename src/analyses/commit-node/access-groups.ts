import type { AccessTrees } from './access-trees.ts';
import { IntList } from './int-list.ts';
import { TupleTable } from './tuple-table.ts';
import type { Units } from './units.ts';
import type { Vertices } from './vertices.ts';

/**
 * Accesses to one variable that are alike for everybody else: of one thread, in one period, of one class. A
 * group stands for the first and the last unit that has one of its accesses.
 */
export class AccessGroups {
  /** Groups in the order of their variables; those of variable x are from `starts[x]` to before `starts[x + 1]`. */
  readonly starts: Int32Array;
  /* Of each group. */
  readonly thread: Int32Array;
  readonly period: Int32Array;
  readonly class: Int32Array;
  readonly firstVertex: Int32Array;
  readonly lastVertex: Int32Array;
  /** The accesses of the first and of the last unit. */
  readonly firstAccess: Int32Array;
  readonly lastAccess: Int32Array;

  constructor(units: Units, vertices: Vertices, trees: AccessTrees, classes: Int32Array, variables: number) {
    const table = new TupleTable(4);
    const first = new IntList();
    const last = new IntList();
    const firstAccess = new IntList();
    const lastAccess = new IntList();
    for (let unit = 0; unit < units.size; unit++) {
      const tree = units.treeOf(unit);
      const thread = units.threadOf(unit);
      for (let access = trees.starts[tree]; access < trees.starts[tree + 1]; access++) {
        const period = units.periodOf(unit) + trees.syncsBefore(tree, trees.at.items[access]);
        const group = table.number(trees.variable.items[access], thread, period, classes[access]);
        if (table.wasNew) {
          first.push(vertices.firstOf(unit));
          last.push(vertices.lastOf(unit));
          firstAccess.push(access);
          lastAccess.push(access);
          continue;
        }
        if (vertices.firstOf(unit) < first.items[group]) {
          first.items[group] = vertices.firstOf(unit);
          firstAccess.items[group] = access;
        }
        if (vertices.lastOf(unit) > last.items[group]) {
          last.items[group] = vertices.lastOf(unit);
          lastAccess.items[group] = access;
        }
      }
    }

    const count = table.size;
    this.starts = new Int32Array(variables + 1);
    for (let group = 0; group < count; group++) this.starts[table.part(group, 0) + 1]++;
    for (let x = 0; x < variables; x++) this.starts[x + 1] += this.starts[x];
    this.thread = new Int32Array(count);
    this.period = new Int32Array(count);
    this.class = new Int32Array(count);
    this.firstVertex = new Int32Array(count);
    this.lastVertex = new Int32Array(count);
    this.firstAccess = new Int32Array(count);
    this.lastAccess = new Int32Array(count);
    const next = this.starts.slice();
    for (let group = 0; group < count; group++) {
      const at = next[table.part(group, 0)]++;
      this.thread[at] = table.part(group, 1);
      this.period[at] = table.part(group, 2);
      this.class[at] = table.part(group, 3);
      this.firstVertex[at] = first.items[group];
      this.lastVertex[at] = last.items[group];
      this.firstAccess[at] = firstAccess.items[group];
      this.lastAccess[at] = lastAccess.items[group];
    }
  }

  get size(): number {
    return this.thread.length;
  }
}
