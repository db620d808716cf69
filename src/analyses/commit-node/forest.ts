import { Op } from '../../trace/operation.ts';
import { IntList } from '../shared/int-list.ts';
import { AccessBundles } from './access-bundles.ts';
import { AccessTrees } from './access-trees.ts';
import type { Contention } from './contention.ts';
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

  /** Of an edge for a fork or join: whether it is a fork. */
  leadsAway(edge: number): boolean {
    return this.end.items[edge] !== NEVER;
  }
}

/** Access trees and the inter-edges between them (Wang and Stoller, §3). */
export class Forest {
  readonly units: Units;
  readonly trees: AccessTrees;
  readonly vertices: Vertices;
  readonly groups: AccessBundles;
  readonly #effort: Effort;
  readonly #recorder: Recorder;
  readonly #rule: InterEdges;
  readonly #classes: Int32Array;
  /* The access that was entered. */
  #access = 0;
  #thread = 0;
  #period = 0;
  /* The node at this end of its edges to the bundle looked at last. */
  #start = 0;
  #end = 0;

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
    this.trees = new AccessTrees(contention.sequences, units.singles, recorder.variables, isOrdered);
    if (this.trees.isCut) effort.giveUp();
    this.vertices = new Vertices(units, recorder.periods);
    this.#classes = rule.classesOf(this.trees);
    const variables = recorder.variables + recorder.locks;
    this.groups = new AccessBundles(units, this.vertices, this.trees, this.#classes, variables);
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
      const outermost = trees.chains.outermost(trees.chainOf(access));
      for (let at = groups.bundles[variable]; at < groups.bundles[variable + 1]; at++) {
        const bundle = groups.byOutermost[at];
        if (!this.#hasEdgesTo(bundle) || !this.#hasConcurrent(bundle)) continue;
        leastEnd = Math.min(leastEnd, this.#end);
        greatestStart = Math.max(greatestStart, this.#start);
        // Where the outermost locks are the same, or none is held here, all edges start at the same node.
        if (outermost === NO_COMMON_LOCK) break;
        if (outermost === groups.outermost[bundle]) at = groups.lastAlike[at];
      }
      if (leastEnd < greatestStart) return true;
    }
    return leastEnd < greatestStart;
  }

  /**
   * Finds inter-edges of a unit, from an access on, until about so many have been looked at. Returns the access
   * to go on with; that is the end of the tree when there are no more.
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
      for (let bundle = groups.bundles[variable]; bundle < groups.bundles[variable + 1]; bundle++) {
        if (!this.#hasEdgesTo(bundle)) continue;
        for (let group = groups.starts[bundle]; group < groups.starts[bundle + 1]; group++)
          if (this.#isConcurrent(group))
            into.add(group, access, groups.thread[group], this.#start, this.#end);
      }
    }
    return access;
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

  /** Prepares what follows for an access. */
  #enter(unit: number, tree: number, access: number): void {
    const { trees } = this;
    this.#access = access;
    this.#thread = this.units.threadOf(unit);
    this.#period = this.units.periodOf(unit) + trees.syncsBefore(tree, trees.at.items[access]);
  }

  /**
   * Whether the entered access has edges to those of a bundle that can happen at the same time. They start at
   * the region of the outermost lock held by both, or at the access itself (figure 3).
   */
  #hasEdgesTo(bundle: number): boolean {
    this.#effort.steps += 1 + this.trees.takeWork();
    const { groups, trees } = this;
    if (!this.#rule.connects(this.#classes[this.#access], groups.class[bundle])) return false;
    const chain = trees.chainOf(groups.firstAccess[groups.starts[bundle]]);
    const lock = trees.chains.common(trees.chainOf(this.#access), chain);
    const at = trees.at.items[this.#access];
    this.#start = lock === NO_COMMON_LOCK ? at : trees.startOf(this.#access, lock);
    this.#end = lock === NO_COMMON_LOCK ? at : trees.endOf(this.#access, lock);
    return true;
  }

  #hasConcurrent(bundle: number): boolean {
    const { starts } = this.groups;
    for (let group = starts[bundle]; group < starts[bundle + 1]; group++)
      if (this.#isConcurrent(group)) return true;
    return false;
  }

  #isConcurrent(group: number): boolean {
    this.#effort.steps++;
    const thread = this.groups.thread[group];
    return (
      thread !== this.#thread &&
      this.#recorder.periods.areConcurrent(this.#thread, this.#period, thread, this.groups.period[group])
    );
  }
}
