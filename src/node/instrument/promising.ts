/*
 * Plain functions that make a promise and return it: they stand for async functions.
 */

import { contains, type FunctionWithBody, isGlobal, type Node, staticKey, unwrap } from './ast.ts';

const REACTIONS = new Set(['then', 'catch', 'finally']);
const COMBINATORS = new Set(['all', 'allSettled', 'race', 'any', 'resolve', 'reject']);

export function makesPromise(fn: FunctionWithBody): boolean {
  const { body } = fn;
  if (REACTIONS.has(fn.givenName ?? '')) return false;
  if (body.type !== 'BlockStatement') return isMadePromise(body);
  return contains(
    body,
    (node) => node.type === 'ReturnStatement' && node.argument !== null && isMadePromise(node.argument),
  );
}

/** Is the value of an expression a promise that the expression itself makes? */
export function isMadePromise(node: Node): boolean {
  const inner = unwrap(node);
  switch (inner.type) {
    case 'NewExpression':
      return isGlobal(unwrap(inner.callee), 'Promise');
    case 'CallExpression': {
      const callee = unwrap(inner.callee);
      if (callee.type !== 'MemberExpression') return false;
      const name = staticKey(callee) ?? '';
      if (isGlobal(unwrap(callee.object), 'Promise')) return COMBINATORS.has(name);
      return REACTIONS.has(name) && inner.arguments.length > 0;
    }
    case 'ConditionalExpression':
      return isMadePromise(inner.consequent) || isMadePromise(inner.alternate);
    case 'LogicalExpression':
      return isMadePromise(inner.right);
    case 'SequenceExpression':
      return isMadePromise(inner.expressions.at(-1)!);
    default:
      return false;
  }
}
