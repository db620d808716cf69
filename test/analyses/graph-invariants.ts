import { NONE, type TransactionGraph } from '../../src/analyses/velodrome/graph.ts';

/** Throws unless the graph is what it says: consistent lists, and root sets that its edges give. */
export function checkGraph(graph: TransactionGraph, options: { acyclic: boolean }): void {
  const nodes = liveNodes(graph);
  if (nodes.length !== graph.alive) throw new Error(`${nodes.length} nodes are alive, not ${graph.alive}`);
  checkThreadLists(graph, nodes);
  for (const node of nodes) {
    checkEdges(graph, node);
    checkRoots(graph, node, nodes);
    if (options.acyclic && reaches(graph, node, node)) throw new Error(`node ${node} is on a cycle`);
  }
}

function liveNodes(graph: TransactionGraph): number[] {
  return Array.from({ length: graph.nodeEnd }, (_, node) => node).filter(
    (node) => graph.isOpen(node) || graph.isFinished(node),
  );
}

function checkThreadLists(graph: TransactionGraph, nodes: readonly number[]): void {
  const listed = new Set<number>();
  graph.newest.forEach((newest, thread) => {
    for (let node = newest; node !== NONE; node = graph.older[node]) {
      listed.add(node);
      const older = graph.older[node];
      if (graph.thread[node] !== thread) throw new Error(`node ${node} is in the list of another thread`);
      if (older === NONE) continue;
      if (graph.newer[older] !== node) throw new Error(`nodes ${older} and ${node} disagree`);
      if (!graph.isFinished(older)) throw new Error(`node ${older} is not the newest and still open`);
      if (graph.start[older] >= graph.start[node]) throw new Error(`node ${node} began too early`);
    }
  });
  if (listed.size !== nodes.length) throw new Error('not every live node is in the list of its thread');
}

function checkEdges(graph: TransactionGraph, node: number): void {
  const targets = new Set<number>();
  for (let edge = graph.firstOut[node]; edge !== NONE; edge = graph.nextOut[edge]) {
    const target = graph.target[edge];
    if (graph.source[edge] !== node) throw new Error(`edge ${edge} is in the list of another source`);
    if (targets.has(target)) throw new Error(`there are two edges from ${node} to ${target}`);
    targets.add(target);
    if (!incoming(graph, target).includes(edge)) throw new Error(`node ${target} does not know edge ${edge}`);
  }
  for (const edge of incoming(graph, node))
    if (graph.to[edge] > graph.last[node] && graph.isFinished(node))
      throw new Error(`node ${node} is entered after its last event`);
}

function incoming(graph: TransactionGraph, node: number): number[] {
  const edges: number[] = [];
  for (let edge = graph.firstIn[node]; edge !== NONE; edge = graph.nextIn[edge]) edges.push(edge);
  return edges;
}

/** Its roots are the open nodes that reach it through finished ones; a finished node that has none is garbage. */
function checkRoots(graph: TransactionGraph, node: number, nodes: readonly number[]): void {
  const roots = rootsByEdges(graph, node);
  for (const other of nodes) {
    if (!graph.isOpen(other)) continue;
    if (graph.roots.has(node, other) !== roots.has(other))
      throw new Error(`${other} ${roots.has(other) ? 'is' : 'is not'} a root of ${node}`);
    if (graph.roots.leadsTo(other, node) !== reaches(graph, other, node))
      throw new Error(`${other} ${reaches(graph, other, node) ? 'reaches' : 'does not reach'} ${node}`);
  }
  if (graph.isFinished(node) && roots.size === 0) throw new Error(`node ${node} should have been collected`);
}

function rootsByEdges(graph: TransactionGraph, node: number): Set<number> {
  const roots = new Set<number>();
  const seen = new Set([node]);
  const pending = [node];
  for (let next = pending.pop(); next !== undefined; next = pending.pop())
    for (const edge of incoming(graph, next)) {
      const source = graph.source[edge];
      if (graph.isOpen(source)) roots.add(source);
      else if (!seen.has(source)) pending.push(source);
      seen.add(source);
    }
  return roots;
}

/** Whether there is a path, of at least one edge. */
function reaches(graph: TransactionGraph, from: number, to: number): boolean {
  const seen = new Set<number>();
  const pending = [to];
  for (let next = pending.pop(); next !== undefined; next = pending.pop())
    for (const edge of incoming(graph, next)) {
      const source = graph.source[edge];
      if (source === from) return true;
      if (!seen.has(source)) pending.push(source);
      seen.add(source);
    }
  return false;
}
