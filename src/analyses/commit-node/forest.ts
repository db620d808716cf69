import { Op } from '../../trace/operation.ts';
import { AccessGroups } from './access-groups.ts';
import { AccessTrees } from './access-trees.ts';
import type { Contention } from './contention.ts';
import { IntList } from './int-list.ts';
import type { InterEdges } from './inter-edges.ts';
import type { Effort } from './limits.ts';
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

  clear(): void {
    for (const column of [this.group, this.access, this.thread, this.start, this.end]) column.length = 0;
    this.length = 0;
  }

  add(group: number, access: number, thread: number, start: number, end: number): void {
    this.group.push(group);
    this.access.push(access);
    this.thread.push(thread);
    this.start.push(start);
    this.end.push(end);
    this.length++;
  }
}

/** There is no edge. */
const NO_EDGE = -2;

/** Access trees and the inter-edges between them (Wang and Stoller, §3). */
export class Forest {
  readonly units: Units;
  readonly trees: AccessTrees;
  readonly vertices: Vertices;
  readonly groups: AccessGroups;
  readonly #effort: Effort;
  readonly #recorder: Recorder;
  readonly #rule: InterEdges;
  readonly #classes: Int32Array;
  /* Of the access that was entered. */
  #class = 0;
  #thread = 0;
  #period = 0;
  #chain = 0;

  constructor(
    recorder: Recorder,
    contention: Contention,
    units: Units,
    isOrdered: (lock: number) => boolean,
    rule: InterEdges,
    effort: Effort,
  ) {
    this.#effort = effort;
    this.#recorder = recorder;
    this.#rule = rule;
    this.units = units;
    this.trees = new AccessTrees(contention.sequences, recorder.variables, isOrdered);
    this.vertices = new Vertices(units, recorder.periods);
    this.#classes = rule.classesOf(this.trees);
    const variables = recorder.variables + recorder.locks;
    this.groups = new AccessGroups(units, this.vertices, this.trees, this.#classes, variables);
  }

  /** Whether the unit has two communication nodes that exclude each other, and so more than one commit node. */
  hasSeveralCommitNodes(unit: number): boolean {
    const { trees, groups } = this;
    const tree = this.units.treeOf(unit);
    let leastEnd = NEVER;
    let greatestStart = -1;
    for (let sync = trees.syncStarts[tree]; sync < trees.syncStarts[tree + 1]; sync++) {
      if (!this.#recorder.periods.hasEvents(trees.syncThread.items[sync])) continue;
      const at = trees.syncAt.items[sync];
      if (trees.syncOp.items[sync] === Op.fork) leastEnd = Math.min(leastEnd, at);
      else greatestStart = Math.max(greatestStart, at);
    }
    for (let access = trees.starts[tree]; access < trees.starts[tree + 1]; access++) {
      this.#enter(unit, tree, access);
      const variable = trees.variable.items[access];
      for (let group = groups.starts[variable]; group < groups.starts[variable + 1]; group++) {
        const lock = this.#lockBetween(group);
        if (lock === NO_EDGE) continue;
        const at = trees.at.items[access];
        const start = lock === NO_COMMON_LOCK ? at : trees.startOf(access, lock);
        const end = lock === NO_COMMON_LOCK ? at : trees.endOf(access, lock);
        if (end < leastEnd) leastEnd = end;
        if (start > greatestStart) greatestStart = start;
      }
      if (leastEnd < greatestStart) return true;
    }
    return leastEnd < greatestStart;
  }

  /**
   * Finds inter-edges of a unit, from an access on, until so many have been looked at. Returns the access to go
   * on with; that is the end of the tree when there are no more.
   */
  scan(unit: number, from: number, steps: number, into: EdgesOfUnit): number {
    const { trees, groups } = this;
    const tree = this.units.treeOf(unit);
    if (from === trees.starts[tree]) this.#addSyncs(tree, into);
    const until = this.#effort.steps + steps;
    let access = from;
    for (; access < trees.starts[tree + 1] && this.#effort.steps < until; access++) {
      this.#enter(unit, tree, access);
      const variable = trees.variable.items[access];
      const at = trees.at.items[access];
      for (let group = groups.starts[variable]; group < groups.starts[variable + 1]; group++) {
        const lock = this.#lockBetween(group);
        if (lock === NO_EDGE) continue;
        const thread = groups.thread[group];
        if (lock === NO_COMMON_LOCK) into.add(group, access, thread, at, at);
        else into.add(group, access, thread, trees.startOf(access, lock), trees.endOf(access, lock));
      }
    }
    return access;
  }

  /** Shows every group to which the unit has an edge. */
  forEachNeighbour(unit: number, visit: (group: number) => void): void {
    const { trees, groups } = this;
    const tree = this.units.treeOf(unit);
    for (let access = trees.starts[tree]; access < trees.starts[tree + 1]; access++) {
      this.#enter(unit, tree, access);
      const variable = trees.variable.items[access];
      for (let group = groups.starts[variable]; group < groups.starts[variable + 1]; group++)
        if (this.#lockBetween(group) !== NO_EDGE) visit(group);
    }
  }

  /** Whether there is an edge between accesses of two threads, if they can happen at the same time. */
  areConnected(access: number, other: number): boolean {
    const { trees } = this;
    if (trees.variable.items[access] !== trees.variable.items[other]) return false;
    return this.#rule.connects(this.#classes[access], this.#classes[other]);
  }

  #addSyncs(tree: number, into: EdgesOfUnit): void {
    const { trees } = this;
    for (let sync = trees.syncStarts[tree]; sync < trees.syncStarts[tree + 1]; sync++) {
      const at = trees.syncAt.items[sync];
      const thread = trees.syncThread.items[sync];
      if (!this.#recorder.periods.hasEvents(thread)) continue;
      if (trees.syncOp.items[sync] === Op.fork) into.add(NO_GROUP, at, thread, -1, at);
      else into.add(NO_GROUP, at, thread, at, NEVER);
    }
  }

  /** Prepares `#lockBetween` for an access. */
  #enter(unit: number, tree: number, access: number): void {
    const { trees } = this;
    this.#class = this.#classes[access];
    this.#thread = this.units.threadOf(unit);
    this.#period = this.units.periodOf(unit) + trees.syncsBefore(tree, trees.at.items[access]);
    this.#chain = trees.chainOf(access);
  }

  /** The outermost lock held at the entered access and at those of a group; NO_EDGE if there is no edge. */
  #lockBetween(group: number): number {
    this.#effort.steps++;
    const { groups, trees } = this;
    const thread = groups.thread[group];
    if (thread === this.#thread || !this.#rule.connects(this.#class, groups.class[group])) return NO_EDGE;
    if (!this.#recorder.periods.areConcurrent(this.#thread, this.#period, thread, groups.period[group]))
      return NO_EDGE;
    return trees.chains.common(this.#chain, trees.chainOf(groups.firstAccess[group]));
  }
}
