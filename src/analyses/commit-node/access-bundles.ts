import { IntList } from '../shared/int-list.ts';
import { TupleTable } from '../shared/tuple-table.ts';
import type { AccessTrees } from './access-trees.ts';
import type { Units } from './units.ts';
import type { Vertices } from './vertices.ts';

/**
 * Accesses to one variable that are alike for everybody else: of one thread, in one period, of one class. A
 * group stands for the first and the last unit that has one of its accesses. The groups of one class are a
 * bundle: where one of them has an edge, all have that can happen at the same time.
 */
export class AccessBundles {
  /** The bundles of variable x are from `bundles[x]` to before `bundles[x + 1]`. */
  readonly bundles: Int32Array;
  /** The class of each bundle, the lock that is outermost at its accesses, and where its groups start. */
  readonly class: Int32Array;
  readonly outermost: Int32Array;
  readonly starts: Int32Array;
  /** The bundles of each variable in the order of their outermost locks, and the last place with the same lock. */
  readonly byOutermost: Int32Array;
  readonly lastAlike: Int32Array;
  /* Of each group. */
  readonly thread: Int32Array;
  readonly period: Int32Array;
  readonly firstVertex: Int32Array;
  readonly lastVertex: Int32Array;
  /** The accesses of the first and of the last unit. */
  readonly firstAccess: Int32Array;
  readonly lastAccess: Int32Array;

  constructor(units: Units, vertices: Vertices, trees: AccessTrees, classes: Int32Array, variables: number) {
    const found = new GroupFinder(units, vertices, trees, classes);
    const { groups, bundles } = found;

    // Bundles in the order of their variables, groups in that of their bundles.
    const variableOf = (bundle: number) => bundles.part(bundle, 0);
    const bundlePlaces = placesBy(bundles.size, variables, variableOf);
    this.bundles = bundlePlaces.starts;
    this.class = new Int32Array(bundles.size);
    for (let bundle = 0; bundle < bundles.size; bundle++)
      this.class[bundlePlaces.place[bundle]] = bundles.part(bundle, 1);
    const bundleOf = (group: number) => bundlePlaces.place[groups.part(group, 0)];
    const { starts, place } = placesBy(groups.size, bundles.size, bundleOf);
    this.starts = starts;
    this.thread = new Int32Array(groups.size);
    this.period = new Int32Array(groups.size);
    this.firstVertex = new Int32Array(groups.size);
    this.lastVertex = new Int32Array(groups.size);
    this.firstAccess = new Int32Array(groups.size);
    this.lastAccess = new Int32Array(groups.size);
    for (let group = 0; group < groups.size; group++) {
      const at = place[group];
      this.thread[at] = groups.part(group, 1);
      this.period[at] = groups.part(group, 2);
      this.firstVertex[at] = found.firstVertex.items[group];
      this.lastVertex[at] = found.lastVertex.items[group];
      this.firstAccess[at] = found.firstAccess.items[group];
      this.lastAccess[at] = found.lastAccess.items[group];
    }
    this.outermost = this.class.map((_, bundle) =>
      trees.chains.outermost(trees.chainOf(this.firstAccess[this.starts[bundle]])),
    );
    this.byOutermost = this.class.map((_, bundle) => bundle);
    this.lastAlike = this.byOutermost.slice();
    for (let variable = 0; variable < variables; variable++) this.#sortByOutermost(variable);
  }

  #sortByOutermost(variable: number): void {
    const start = this.bundles[variable];
    const end = this.bundles[variable + 1];
    if (end - start < 2) return;
    const { outermost } = this;
    const sorted = this.byOutermost.subarray(start, end);
    sorted.sort((a, b) => outermost[a] - outermost[b] || a - b);
    for (let at = end - 2; at >= start; at--)
      if (outermost[this.byOutermost[at]] === outermost[this.byOutermost[at + 1]])
        this.lastAlike[at] = this.lastAlike[at + 1];
  }
}

class GroupFinder {
  /** Variable and class. */
  readonly bundles = new TupleTable(2);
  /** Bundle, thread and period. */
  readonly groups = new TupleTable(3);
  readonly firstVertex = new IntList();
  readonly lastVertex = new IntList();
  readonly firstAccess = new IntList();
  readonly lastAccess = new IntList();

  constructor(units: Units, vertices: Vertices, trees: AccessTrees, classes: Int32Array) {
    for (let unit = 0; unit < units.size; unit++) {
      const tree = units.treeOf(unit);
      const thread = units.threadOf(unit);
      const first = vertices.firstOf(unit);
      const last = vertices.lastOf(unit);
      for (let access = trees.starts[tree]; access < trees.starts[tree + 1]; access++) {
        const period = units.periodOf(unit) + trees.syncsBefore(tree, trees.at.items[access]);
        const bundle = this.bundles.number(trees.variable.items[access], classes[access]);
        this.#add(this.groups.number(bundle, thread, period), access, first, last);
      }
    }
  }

  #add(group: number, access: number, first: number, last: number): void {
    if (this.groups.wasNew) {
      this.firstVertex.push(first);
      this.lastVertex.push(last);
      this.firstAccess.push(access);
      this.lastAccess.push(access);
      return;
    }
    if (first < this.firstVertex.items[group]) {
      this.firstVertex.items[group] = first;
      this.firstAccess.items[group] = access;
    }
    if (last > this.lastVertex.items[group]) {
      this.lastVertex.items[group] = last;
      this.lastAccess.items[group] = access;
    }
  }
}

/** Where each of `count` things is when they are put in the order of their owners, and where each owner's start. */
function placesBy(
  count: number,
  owners: number,
  ownerOf: (thing: number) => number,
): { starts: Int32Array; place: Int32Array } {
  const starts = new Int32Array(owners + 1);
  for (let thing = 0; thing < count; thing++) starts[ownerOf(thing) + 1]++;
  for (let owner = 0; owner < owners; owner++) starts[owner + 1] += starts[owner];
  const next = starts.slice();
  const place = new Int32Array(count);
  for (let thing = 0; thing < count; thing++) place[thing] = next[ownerOf(thing)]++;
  return { starts, place };
}
