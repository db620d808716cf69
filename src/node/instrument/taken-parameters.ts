/*
 * What a function takes of its arguments by patterns: `({ taken }) => !taken` reads `taken`. It is recorded at the start of the
 * body, where it is the function that takes it, and no longer who calls.
 */

import type { ArrowFunctionExpression, FunctionWithBody, Node, NodeOf } from './ast.ts';
import { hasRest, takenKeys } from './patterns.ts';
import type { Rewriter } from './rewriter.ts';
import type { Scope } from './scope.ts';

/** Text for the start of a body. A generator begins later than it is called, when all may have changed. */
export function takenParameters(r: Rewriter, node: FunctionWithBody): string {
  if (node.generator) return '';
  // TypeScript's own, for the type of `this`.
  const params = node.params.filter((param) => param.type !== 'Identifier' || param.name !== 'this');
  const isArrow = node.type === 'ArrowFunctionExpression';
  if (isArrow ? !canMove(node, params) : (node.scope as Scope).bindings.has('arguments')) return '';
  const texts = params.map((param, i) => {
    const pattern = param.type === 'AssignmentPattern' ? param.left : param;
    if (pattern.type !== 'ObjectPattern' || r.sites.isIgnored(param.start)) return '';
    const keys = hasRest(pattern) ? 'void 0' : takenKeys(pattern);
    if (keys === undefined) return '';
    const place = r.sites.add(param.start);
    r.sites.nodes[place] = param;
    const site = r.number(place);
    const taken = (value: string) => `${r.probe('taken')}(${value},${keys},${site});`;
    return isArrow ? moved(r, pattern, `${r.prefix}p${i}`, taken) : taken(`arguments[${i}]`);
  });
  return texts.join('');
}

/**
 * `({ a }) => …` → `(p) => { taken(p, ["a"], s); var { a } = p; … }`: nothing else knows the arguments of an arrow function. What V8
 * says of an argument that is not there must stay the same, and depends on how the value is written.
 */
function moved(
  r: Rewriter,
  pattern: NodeOf<'ObjectPattern'>,
  name: string,
  taken: (value: string) => string,
): string {
  const end = pattern.typeAnnotation?.start ?? pattern.end;
  const text = r.edits.source.slice(pattern.start, end);
  r.edits.replace(pattern.start, end, name);
  const missing = `if(${name}===void 0)var${text}=undefined;else if(${name}===null)((${text})=>{})(${name});`;
  return `${taken(name)}${missing}else var${text}=${name};`;
}

/** Whether the patterns of an arrow function mean the same in its body. */
function canMove(node: ArrowFunctionExpression, params: readonly Node[]): boolean {
  // Code in a string may know the names; and what closures change is declared with its scope.
  const { dynamic, tracked } = node.scope as Scope;
  if (dynamic || tracked.length > 0) return false;
  const names = new Set<string>();
  const isPlain = params.every((param) => {
    // A default could refer to the parameters before it.
    if (param.type === 'Identifier') return true;
    return param.type === 'ObjectPattern' && isPlainPattern(param, names);
  });
  const statements = node.body.type === 'BlockStatement' ? node.body.body : [];
  return (
    isPlain &&
    !statements.some((one) => one.type === 'FunctionDeclaration' && one.id !== null && names.has(one.id.name))
  );
}

/** Whether it only names things, and runs no code that has been changed. */
function isPlainPattern(pattern: Node, names: Set<string>): boolean {
  switch (pattern.type) {
    case 'Identifier':
      names.add(pattern.name);
      return !pattern.typeAnnotation;
    case 'AssignmentPattern':
      return pattern.right.type === 'Literal' && isPlainPattern(pattern.left, names);
    case 'RestElement':
      return isPlainPattern(pattern.argument, names);
    case 'ArrayPattern':
      return pattern.elements.every((element) => element === null || isPlainPattern(element, names));
    case 'ObjectPattern':
      return pattern.properties.every((property) =>
        property.type === 'RestElement'
          ? isPlainPattern(property, names)
          : !property.computed && isPlainPattern(property.value, names),
      );
    default:
      return false;
  }
}
