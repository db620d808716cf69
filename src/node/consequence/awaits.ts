import { forEachChild, isFunction, type Node } from '../instrument/ast.ts';

/** So many are told; where there are more, one more says nothing. */
const MOST = 4;

const LOOPS = new Set([
  'ForStatement',
  'ForInStatement',
  'ForOfStatement',
  'WhileStatement',
  'DoWhileStatement',
]);

/**
 * The offsets of the awaits that control passes between two accesses of one function, by where they stand: in a loop, what stands
 * behind the first access and what stands before the last. Empty where the accesses are in different functions.
 */
export function awaitsBetween(toFirst: readonly Node[], toLast: readonly Node[]): number[] {
  const body = toFirst.findLast(isFunction) ?? toFirst[0];
  if (body !== (toLast.findLast(isFunction) ?? toLast[0])) return [];
  const first = toFirst[toFirst.length - 1].start;
  const last = toLast[toLast.length - 1].start;
  // What is computed for a write is awaited before it is written.
  const written = toLast.find(
    (node) => node.start === last && (node.type === 'AssignmentExpression' || node.type === 'CallExpression'),
  );
  const isBefore = (node: Node) =>
    node.end <= last || (written !== undefined && written.start < node.start && node.end <= written.end);
  const isAfter = (node: Node) => node.end > first;
  const loop =
    last < first ? toFirst.findLast((node) => LOOPS.has(node.type) && toLast.includes(node)) : undefined;
  const found: number[] = [];
  const visit = (node: Node): void => {
    if (
      isWait(node) &&
      (loop === undefined ? isAfter(node) && isBefore(node) : isAfter(node) || isBefore(node))
    )
      found.push(node.start);
    forEachChild(node, (child) => {
      if (!isFunction(child)) visit(child);
    });
  };
  visit(loop ?? body);
  return found.sort((a, b) => a - b).slice(0, MOST);
}

function isWait(node: Node): boolean {
  return node.type === 'AwaitExpression' || (node.type === 'ForOfStatement' && node.await);
}
