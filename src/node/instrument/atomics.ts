import { ATOMICS } from '../probes.ts';
import { isGlobal, type Node, unwrap } from './ast.ts';
import { methodName } from './methods.ts';

/** Which function of `Atomics` a callee is, of those that access an element: by its own name, or as a constant. */
export function atomicFunction(callee: Node): string | undefined {
  if (callee.type === 'MemberExpression') return nameIfAtomic(unwrap(callee.object), methodName(callee));
  const taken = callee.type === 'Identifier' ? callee.binding?.taken : undefined;
  return taken && nameIfAtomic(taken.from, taken.key);
}

function nameIfAtomic(from: Node, name: string): string | undefined {
  return isGlobal(from, 'Atomics') && ATOMICS.has(name) ? name : undefined;
}
