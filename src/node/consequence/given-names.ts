import { contains, forEachChild, isFunction, type Node } from '../instrument/ast.ts';

/** All that is given to variables in a function by declarations and assignments, in the order of the text. */
export function forEachGiven(node: Node, visit: (target: Node, value: Node) => void): void {
  forEachChild(node, (child) => {
    if (child.type === 'VariableDeclarator' && child.init) visit(child.id, child.init);
    else if (child.type === 'AssignmentExpression' && child.left.type === 'Identifier')
      visit(child.left, child.right);
    if (!isFunction(child)) forEachGiven(child, visit);
  });
}

/** Whether a value is computed from what stands there, and nobody else is asked for it. */
export function isPlain(value: Node): boolean {
  return !contains(value, ({ type }) => type === 'AwaitExpression' || type === 'CallExpression');
}

export function mentions(node: Node, names: ReadonlySet<string>): boolean {
  if (names.size === 0) return false;
  return contains(node, (inner) => inner.type === 'Identifier' && names.has(inner.name));
}

export function addNames(target: Node, names: Set<string>): void {
  if (target.type === 'Identifier') names.add(target.name);
  else if (target.type === 'Property') addNames(target.value, names);
  else if (target.type === 'AssignmentPattern') addNames(target.left, names);
  else forEachChild(target, (child) => addNames(child, names));
}
