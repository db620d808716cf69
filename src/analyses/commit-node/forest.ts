import { Op } from '../../trace/operation.ts';
import { AccessGroups } from './access-groups.ts';
import { AccessTrees } from './access-trees.ts';
import type { Contention } from './contention.ts';
import { IntList } from './int-list.ts';
import type { InterEdges } from './inter-edges.ts';
import { NO_COMMON_LOCK } from './lock-chains.ts';
import type { Recorder } from './recorder.ts';
import type { Units } from './units.ts';
import { Vertices } from './vertices.ts';

/** The group of an edge that stands for a fork or join. */
export const NO_GROUP = -1;

/** A place after all others. */
const NEVER = 0x7fffffff;

/**
 * The inter-edges of one unit, each as the communication node at its end in this unit: an interval of places.
 * The other end is a group of accesses; or, for a fork or join inside the unit, another thread as a whole.
 */
export class EdgesOfUnit {
  readonly group = new IntList();
  /** The access, or the place of the fork or join. */
  readonly access = new IntList();
  /** The other thread. */
  readonly thread = new IntList();
  /** The interval; an edge that can only lead away from the unit has no start, one that can only lead to it no end. */
  readonly start = new IntList();
  readonly end = new IntList();
  length = 0;
  /** The least end and the greatest start: the nodes have no place in common if the one is before the other. */
  leastEnd = NEVER;
  greatestStart = -1;

  clear(): void {
    for (const column of [this.group, this.access, this.thread, this.start, this.end]) column.length = 0;
    this.length = 0;
    this.leastEnd = NEVER;
    this.greatestStart = -1;
  }

  add(group: number, access: number, thread: number, start: number, end: number): void {
    this.group.push(group);
    this.access.push(access);
    this.thread.push(thread);
    this.start.push(start);
    this.end.push(end);
    this.length++;
    if (end < this.leastEnd) this.leastEnd = end;
    if (start > this.greatestStart) this.greatestStart = start;
  }

  /** Whether the unit has two communication nodes that exclude each other, and so more than one commit node. */
  get hasSeveralCommitNodes(): boolean {
    return this.leastEnd < this.greatestStart;
  }
}

/** Access trees and the inter-edges between them (Wang and Stoller, §3). */
export class Forest {
  readonly units: Units;
  readonly trees: AccessTrees;
  readonly vertices: Vertices;
  readonly groups: AccessGroups;
  readonly classes: Int32Array;
  /** How many edges were looked at. */
  steps = 0;
  readonly #recorder: Recorder;
  readonly #rule: InterEdges;

  constructor(
    recorder: Recorder,
    contention: Contention,
    units: Units,
    isOrdered: (lock: number) => boolean,
    rule: InterEdges,
  ) {
    this.#recorder = recorder;
    this.#rule = rule;
    this.units = units;
    this.trees = new AccessTrees(contention.sequences, recorder.variables, isOrdered);
    this.vertices = new Vertices(units, recorder.periods);
    this.classes = rule.classesOf(this.trees);
    const variables = recorder.variables + recorder.locks;
    this.groups = new AccessGroups(units, this.vertices, this.trees, this.classes, variables);
    rule.see(this.groups);
  }

  /** Finds all inter-edges of a unit. */
  scan(unit: number, into: EdgesOfUnit): void {
    into.clear();
    const { trees, units } = this;
    const tree = units.treeOf(unit);
    for (let access = trees.starts[tree]; access < trees.starts[tree + 1]; access++)
      this.#scanAccess(unit, tree, access, into);
    for (let sync = trees.syncStarts[tree]; sync < trees.syncStarts[tree + 1]; sync++) {
      const at = trees.syncAt.items[sync];
      const thread = trees.syncThread.items[sync];
      if (!this.#recorder.periods.hasEvents(thread)) continue;
      if (trees.syncOp.items[sync] === Op.fork) into.add(NO_GROUP, at, thread, -1, at);
      else into.add(NO_GROUP, at, thread, at, NEVER);
    }
  }

  /** The period in which an access of a unit happens. */
  periodOf(unit: number, access: number): number {
    const { trees, units } = this;
    return units.periodOf(unit) + trees.syncsBefore(units.treeOf(unit), trees.at.items[access]);
  }

  /** Whether there is an edge between accesses of two units, if they can happen at the same time. */
  areConnected(unit: number, access: number, other: number, otherAccess: number): boolean {
    const { trees, classes, units, vertices } = this;
    const variable = trees.variable.items[access];
    if (variable !== trees.variable.items[otherAccess]) return false;
    if (this.#rule.connects(classes[access], classes[otherAccess])) return true;
    const one = {
      class: classes[access],
      thread: units.threadOf(unit),
      vertex: vertices.firstOf(unit),
    };
    const two = {
      class: classes[otherAccess],
      thread: units.threadOf(other),
      vertex: vertices.firstOf(other),
    };
    return this.#rule.connectsByOthers(variable, one, two);
  }

  #scanAccess(unit: number, tree: number, access: number, into: EdgesOfUnit): void {
    const { trees, units, groups, classes, vertices } = this;
    const { periods } = this.#recorder;
    const variable = trees.variable.items[access];
    const at = trees.at.items[access];
    const thread = units.threadOf(unit);
    const period = units.periodOf(unit) + trees.syncsBefore(tree, at);
    const chain = trees.chainOf(access);
    const own = { class: classes[access], thread, vertex: vertices.firstOf(unit) };
    const other = { class: 0, thread: 0, vertex: 0 };
    for (let group = groups.starts[variable]; group < groups.starts[variable + 1]; group++) {
      this.steps++;
      other.thread = groups.thread[group];
      if (other.thread === thread) continue;
      if (!periods.areConcurrent(thread, period, other.thread, groups.period[group])) continue;
      other.class = groups.class[group];
      other.vertex = groups.firstVertex[group];
      if (!this.#rule.connects(own.class, other.class) && !this.#rule.connectsByOthers(variable, own, other))
        continue;
      const lock = trees.chains.common(chain, trees.chainOf(groups.firstAccess[group]));
      if (lock === NO_COMMON_LOCK) into.add(group, access, other.thread, at, at);
      else into.add(group, access, other.thread, trees.startOf(access, lock), trees.endOf(access, lock));
    }
  }
}
