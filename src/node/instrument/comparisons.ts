import { type Node, unwrap } from './ast.ts';

/* Where values are compared for equality. */

const EQUALITIES = new Set(['==', '===', '!=', '!==']);

/** The two sides, if it compares them; null if one of them stands for nothing, which only tells whether there is something at all. */
export function comparedIn(node: Node): readonly [Node, Node] | null {
  if (node.type !== 'BinaryExpression' || !EQUALITIES.has(node.operator)) return null;
  const sides = [unwrap(node.left), unwrap(node.right)] as const;
  return sides.some(isNothing) ? null : sides;
}

function isNothing(node: Node): boolean {
  if (node.type === 'Identifier') return node.name === 'undefined' && node.binding === undefined;
  return node.type === 'Literal' && (node.value === null || typeof node.value === 'boolean');
}
