import { type Node, staticKey, unwrap } from './ast.ts';

/** Stands for a property whose name is not known. */
export const ANY_KEY = '*';

/** Between the keys of a path. */
const NEXT = '\0';

/** More keys are not told apart. */
const LONGEST = 3;

/** The way to what is in an object, by keys: `b`, any and `d` of `a.b[c].d`; `behind` is how it goes on from there. */
export function keyPath(node: Node, behind: string | null = null): string {
  const keys = behind === null || behind === ANY_KEY ? [] : behind.split(NEXT);
  let member = unwrap(node);
  while (member.type === 'MemberExpression') {
    keys.unshift(staticKey(member) ?? ANY_KEY);
    member = unwrap(member.object);
  }
  return keys.length === 0 ? ANY_KEY : keys.slice(0, LONGEST).join(NEXT);
}

/** The rest of the way, for who has taken the first step by this key; null if it leads elsewhere. */
export function pathBehind(path: string, key: string): string | null {
  const end = path.indexOf(NEXT);
  const first = end < 0 ? path : path.slice(0, end);
  if (first !== ANY_KEY && first !== key) return null;
  // What is there may be in anything that it has.
  return end < 0 ? ANY_KEY : path.slice(end + 1);
}

/** `a` of `a.b[c].d`. */
export function rootOf(node: Node): Node {
  let root = unwrap(node);
  while (root.type === 'MemberExpression') root = unwrap(root.object);
  return root;
}

/** `c` of `c` and of `a.b.c`, if that is known. */
export function nameOf(callee: Node): string {
  if (callee.type === 'Identifier') return callee.name;
  return callee.type === 'MemberExpression' ? (staticKey(callee) ?? '') : '';
}
