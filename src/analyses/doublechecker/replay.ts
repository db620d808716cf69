import type { TransactionGraph } from '../velodrome/graph.ts';
import type { AccessLog } from './access-log.ts';
import type { PreciseOrder } from './precise-order.ts';

/** One thread's part in a component, and how far it has been replayed. */
interface Part {
  thread: number;
  /** Its nodes, oldest first, and which of them is next. */
  nodes: number[];
  next: number;
  /** Where the next event is in the log of the node at hand, how many are left there, and its number. */
  place: number;
  left: number;
  event: number;
}

/**
 * Shows the logged events of a component to the precise graph, in their order in the trace, and leaves that graph
 * as it was before. Returns how many events there were.
 */
export function replay(
  component: Int32Array,
  graph: TransactionGraph,
  log: AccessLog,
  order: PreciseOrder,
): number {
  const parts = partsOf(component, graph);
  const heap = new EarliestFirst();
  for (const part of parts) if (advance(part, log)) heap.push(part);
  let events = 0;
  for (let part = heap.first; part !== undefined; part = heap.first) {
    order.replay(part.thread, log.opAt(part.place), log.operandAt(part.place), part.event);
    events++;
    if (advance(part, log)) heap.sinkFirst();
    else heap.pop();
  }
  for (const { thread } of parts) order.endOpen(thread);
  for (const node of component) {
    let place = log.firstOf(node);
    for (let left = log.length(node); left > 0; left--) {
      order.forget(log.opAt(place), log.operandAt(place));
      if (left > 1) place = log.after(place);
    }
  }
  return events;
}

function partsOf(component: Int32Array, graph: TransactionGraph): Part[] {
  const parts = new Map<number, Part>();
  for (const node of component) {
    const thread = graph.thread[node];
    const part = parts.get(thread);
    if (part !== undefined) part.nodes.push(node);
    else parts.set(thread, { thread, nodes: [node], next: 0, place: 0, left: 0, event: 0 });
  }
  for (const { nodes } of parts.values()) nodes.sort((a, b) => graph.start[a] - graph.start[b]);
  return [...parts.values()];
}

/** Moves on to the part's next event; false if there is none. */
function advance(part: Part, log: AccessLog): boolean {
  if (part.left > 0) {
    part.place = log.after(part.place);
  } else {
    if (part.next === part.nodes.length) return false;
    const node = part.nodes[part.next++];
    part.place = log.firstOf(node);
    part.left = log.length(node);
  }
  part.left--;
  part.event = log.eventAt(part.place);
  return true;
}

/** A heap of parts; the one with the earliest event is first. */
class EarliestFirst {
  readonly #parts: Part[] = [];

  get first(): Part | undefined {
    return this.#parts[0];
  }

  push(part: Part): void {
    const parts = this.#parts;
    let at = parts.push(part) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (parts[parent].event <= part.event) break;
      parts[at] = parts[parent];
      at = parent;
    }
    parts[at] = part;
  }

  pop(): void {
    const last = this.#parts.pop()!;
    if (this.#parts.length === 0) return;
    this.#parts[0] = last;
    this.sinkFirst();
  }

  /** Puts the first part where it belongs, after its event became a later one. */
  sinkFirst(): void {
    const parts = this.#parts;
    const part = parts[0];
    let at = 0;
    for (let child = 1; child < parts.length; child = 2 * at + 1) {
      if (child + 1 < parts.length && parts[child + 1].event < parts[child].event) child++;
      if (part.event <= parts[child].event) break;
      parts[at] = parts[child];
      at = child;
    }
    parts[at] = part;
  }
}
