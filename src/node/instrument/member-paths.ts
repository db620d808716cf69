import { type Node, staticKey, unwrap } from './ast.ts';

/** Stands for a property whose name is not known. */
export const ANY_KEY = '*';

/** `b` of `a.b[c].d`. */
export function firstKey(node: Node): string {
  let member = unwrap(node);
  let key: string | undefined;
  while (member.type === 'MemberExpression') {
    key = staticKey(member);
    member = unwrap(member.object);
  }
  return key ?? ANY_KEY;
}

/** `a` of `a.b[c].d`. */
export function rootOf(node: Node): Node {
  let root = unwrap(node);
  while (root.type === 'MemberExpression') root = unwrap(root.object);
  return root;
}
