import { forEachChild, type Node, type Program } from './ast.ts';

/**
 * Errors about a property have the position of its name; but if there is a call in what stands before it, V8 gives them
 * the position of the dot. A probe is a call where there was none. So for each dot that an error may be at now, this
 * tells where it was before: the offsets of dots, with those of the names behind them.
 */
export function propertyPositions(program: Program, source: string): Map<number, number> {
  const positions = new Map<number, number>();
  const look = (node: Node): void => {
    if (node.type === 'MemberExpression' && !node.computed && !isBehindCall(node.object)) {
      const { start } = node.property;
      positions.set(source.lastIndexOf('.', start - 1), start);
    }
    forEachChild(node, look);
  };
  look(program);
  return positions;
}

function isBehindCall(node: Node): boolean {
  let object = node;
  while (object.type === 'MemberExpression') object = object.object;
  return object.type === 'CallExpression' || object.type === 'ImportExpression';
}
