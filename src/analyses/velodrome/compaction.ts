import { NONE, type TransactionGraph } from './graph.ts';

/**
 * Keeps the graph small while some transaction stays open for long. All that follows that transaction is live
 * and would stay in the graph, one node for each transaction of the trace. But along the nodes of a thread the
 * root sets only grow, and neighbours with equal sets are alike for every cycle to come: finished, they get no
 * more incoming edges, and what reaches one reaches the other. So they become one node, a run of transactions,
 * and a thread is left with at most one node more than there are open transactions.
 *
 * This is the merging of Velodrome §4.2, applied to transactions. It is done only when the graph has doubled,
 * so its cost is constant for each node, and graphs of ordinary size keep every edge and its times for blame.
 */
export class Compaction {
  readonly #graph: TransactionGraph;
  readonly #allowance: number;
  #limit: number;
  /** How many nodes were merged into others. */
  compacted = 0;

  /** Compacts once there are `allowance` nodes more than twice those that were left the last time. */
  constructor(graph: TransactionGraph, allowance: number) {
    this.#graph = graph;
    this.#allowance = allowance;
    this.#limit = allowance;
  }

  compactIfDue(): void {
    if (this.#graph.alive > this.#limit) this.#compact();
  }

  #compact(): void {
    const graph = this.#graph;
    graph.forgetCyclic();
    for (let node = 0; node < graph.nodeEnd; node++) {
      if (!graph.isFinished(node)) continue;
      const older = graph.older[node];
      if (older !== NONE && graph.roots.equal(older, node)) this.#mergeIntoOlder(node, older);
    }
    this.#limit = 2 * graph.alive + this.#allowance;
  }

  #mergeIntoOlder(node: number, older: number): void {
    const graph = this.#graph;
    this.#takeIncoming(node, older);
    for (let edge = graph.firstOut[node]; edge !== NONE; ) {
      const next = graph.nextOut[edge];
      this.#takeOutgoing(edge, older);
      edge = next;
    }
    graph.last[older] = graph.last[node];
    graph.roots.leave(node);
    graph.freeNode(node);
    this.compacted++;
  }

  /**
   * What is open reaches the older node anyway, so edges from it can be moved there without closing a cycle;
   * their later times replace earlier ones, as they do where edges are added. Others could close one (a path
   * from the older node to the newer one through another thread), and are not needed.
   */
  #takeIncoming(node: number, older: number): void {
    const graph = this.#graph;
    for (let edge = graph.firstIn[node]; edge !== NONE; ) {
      const next = graph.nextIn[edge];
      const source = graph.source[edge];
      const known = graph.isOpen(source) ? graph.edgeBetween(source, older) : NONE;
      if (graph.isOpen(source) && known === NONE) {
        graph.moveTarget(edge, older);
      } else {
        if (known !== NONE) graph.replaceTimes(known, edge);
        graph.removeEdge(edge);
      }
      edge = next;
    }
  }

  #takeOutgoing(edge: number, older: number): void {
    const graph = this.#graph;
    const known = graph.edgeBetween(older, graph.target[edge]);
    if (known === NONE) {
      graph.moveSource(edge, older);
    } else {
      graph.replaceTimes(known, edge);
      graph.removeEdge(edge);
    }
  }
}
