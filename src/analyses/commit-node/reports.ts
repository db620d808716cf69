import type { RelatedEvent, ViolationFact } from '../analysis.ts';
import type { Cycle } from './cycle-search.ts';
import { type EdgesOfUnit, type Forest, NO_GROUP } from './forest.ts';
import { NO_LABEL } from './recorded-units.ts';
import { NO_UNIT } from './vertices.ts';

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
    const first = this.#ownEvent(unit, edges, cycle.out);
    const second = this.#ownEvent(unit, edges, cycle.back);
    const related: RelatedEvent[] = [
      { event: first, role: 'first in the block' },
      { event: second, role: 'second in the block' },
    ];
    const after = this.#otherEvent(edges, cycle.out, cycle.left);
    const before = this.#otherEvent(edges, cycle.back, cycle.returned);
    if (after !== null && after === before) {
      related.push({ event: after, role: 'can come in between' });
    } else {
      if (after !== null) related.push({ event: after, role: 'can come after the first' });
      if (before !== null) related.push({ event: before, role: 'can come before the second' });
    }
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

  #ownEvent(unit: number, edges: EdgesOfUnit, edge: number): number {
    const access = edges.access.items[edge];
    const place = edges.group.items[edge] === NO_GROUP ? access : this.#forest.trees.at.items[access];
    return this.#forest.units.eventOf(unit, 'first', place);
  }

  /** The event at the other end of an edge; null for a fork or join, which has a whole thread there. */
  #otherEvent(edges: EdgesOfUnit, edge: number, vertex: number): number | null {
    const { groups, vertices, units, trees } = this.#forest;
    const group = edges.group.items[edge];
    if (group === NO_GROUP) return null;
    const access =
      groups.firstVertex[group] === vertex ? groups.firstAccess[group] : groups.lastAccess[group];
    return units.eventOf(vertices.unit[vertex], vertices.copyAt(vertex), trees.at.items[access]);
  }
}
