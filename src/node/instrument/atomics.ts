import { ATOMICS } from '../probes.ts';
import { isGlobal, type Node, unwrap } from './ast.ts';
import { methodName } from './methods.ts';

/** Which function of `Atomics` a callee is, of those that access an element: by its own name, or as a constant. */
export function atomicFunction(callee: Node): string | undefined {
  const { taken } = callee.binding ?? {};
  const isMember = callee.type === 'MemberExpression';
  const [from, name] = isMember
    ? [unwrap(callee.object), methodName(callee)]
    : [taken?.from, taken?.key ?? ''];
  return from !== undefined && isGlobal(from, 'Atomics') && ATOMICS.has(name) ? name : undefined;
}
