import type { RelatedEvent, ViolationFact } from '../analysis.ts';
import { EdgesOfUnit, type Forest, NO_GROUP } from './forest.ts';
import { NO_LABEL } from './recorded-units.ts';
import type { Cycle } from './unit-cycles.ts';
import { NO_UNIT } from './vertices.ts';

/* How far a way is followed to tell of it. */
const MOST_VERTICES = 100;
const MOST_STEPS = 10_000;

/**
 * What is reported: a transaction that can be torn apart, once for each label of a transaction and label of the
 * unit that gets in between first.
 */
export class Reports {
  readonly #forest: Forest;
  readonly #kind: 'conflict' | 'view';
  readonly #byLabels = new Map<string, ViolationFact>();

  constructor(forest: Forest, kind: 'conflict' | 'view') {
    this.#forest = forest;
    this.#kind = kind;
  }

  /** Whether there is a report about units with these labels. */
  has(unit: number, other: number): boolean {
    return this.#byLabels.has(this.#keyOf(unit, other));
  }

  add(unit: number, edges: EdgesOfUnit, cycle: Cycle): void {
    const { units, vertices } = this.#forest;
    const key = this.#keyOf(unit, vertices.unit[cycle.left]);
    if (this.#byLabels.has(key)) return;
    const second = this.#ownEvent(unit, edges, cycle.back);
    const related: RelatedEvent[] = [
      { event: this.#ownEvent(unit, edges, cycle.out), role: 'first in the block' },
      ...this.#between(edges, cycle),
      { event: second, role: 'second in the block' },
    ];
    related.sort((a, b) => a.event - b.event);
    const block = { label: units.labelOf(unit), begin: units.beginOf(unit, 'first'), depth: 0 };
    const thread = units.threadOf(unit);
    this.#byLabels.set(key, { kind: this.#kind, event: second, thread, block, related });
  }

  /** In the order of the trace. */
  all(): ViolationFact[] {
    return [...this.#byLabels.values()].sort((a, b) => a.event - b.event || a.thread - b.thread);
  }

  #keyOf(unit: number, other: number): string {
    const { units } = this.#forest;
    return `${units.labelOf(unit)} ${other === NO_UNIT ? NO_LABEL : units.labelOf(other)}`;
  }

  #between(edges: EdgesOfUnit, cycle: Cycle): RelatedEvent[] {
    const after = this.#otherEvent(edges, cycle.out, cycle.left);
    const before = this.#otherEvent(edges, cycle.back, cycle.returned);
    if (after !== null && after === before) return [{ event: after, role: 'can come in between' }];
    const related: RelatedEvent[] = [];
    if (after !== null) related.push({ event: after, role: 'can come after the first' });
    for (let i = 1; i < cycle.entered.length; i++)
      for (const event of this.#hop(cycle.entered[i - 1], cycle.entered[i]))
        if (event !== after && event !== before) related.push({ event, role: 'can come next' });
    if (before !== null) related.push({ event: before, role: 'can come before the second' });
    return related;
  }

  /** The two events of an edge from a unit, or a later one of its thread, to another unit; none if it is too far. */
  #hop(from: number, to: number): number[] {
    const { groups, vertices, units, trees } = this.#forest;
    const edges = new EdgesOfUnit();
    const last = Math.min(vertices.size, from + MOST_VERTICES);
    for (let vertex = from; vertex < last && vertices.unit[vertex] !== NO_UNIT; vertex++) {
      const unit = vertices.unit[vertex];
      if (units.threadOf(unit) !== units.threadOf(vertices.unit[from])) break;
      edges.clear();
      this.#forest.scan(unit, trees.starts[units.treeOf(unit)], MOST_STEPS, edges);
      for (let edge = 0; edge < edges.length; edge++) {
        const group = edges.group.items[edge];
        if (group === NO_GROUP || groups.firstVertex[group] !== to) continue;
        const own = this.#eventAt(vertex, trees.at.items[edges.access.items[edge]]);
        return [own, this.#eventAt(to, trees.at.items[groups.firstAccess[group]])];
      }
    }
    return [];
  }

  #ownEvent(unit: number, edges: EdgesOfUnit, edge: number): number {
    const access = edges.access.items[edge];
    const place = edges.group.items[edge] === NO_GROUP ? access : this.#forest.trees.at.items[access];
    return this.#forest.units.eventOf(unit, 'first', place);
  }

  /** The event at the other end of an edge; null for a fork or join, which has a whole thread there. */
  #otherEvent(edges: EdgesOfUnit, edge: number, vertex: number): number | null {
    const { groups, trees } = this.#forest;
    const group = edges.group.items[edge];
    if (group === NO_GROUP) return null;
    const isFirst = groups.firstVertex[group] === vertex;
    return this.#eventAt(
      vertex,
      trees.at.items[isFirst ? groups.firstAccess[group] : groups.lastAccess[group]],
    );
  }

  #eventAt(vertex: number, place: number): number {
    const { units, vertices } = this.#forest;
    return units.eventOf(vertices.unit[vertex], vertices.copyAt(vertex), place);
  }
}
