/*
 * The syntax tree as oxc-parser gives it (ESTree, with TypeScript's nodes), and the questions that several parts of
 * the instrumenter ask of it. Offsets are in UTF-16 units, like those of JavaScript strings.
 */

import { visitorKeys } from 'oxc-parser';
import type { Binding, Scope } from './scopes.ts';

/**
 * A node of any kind. The tree is walked by type names in strings, so a union of 200 node types would only get in
 * the way.
 */
export interface Node {
  type: string;
  start: number;
  end: number;
  /** What an identifier refers to, once scopes.ts has seen it; undefined for globals. */
  binding?: Binding;
  /** The scope that a function, block, … opens. */
  scope?: Scope;
  /** What the place where a function, class or object is written calls it. */
  givenName?: string;
  /** Whether this is the old value of a variable, from which an assignment computes the new one. */
  isOperand?: boolean;
  /** Whether its value is only told to somebody: see read-uses.ts. */
  isMention?: boolean;
  // biome-ignore lint/suspicious/noExplicitAny: the fields depend on `type`
  [field: string]: any;
}

/** Wrappers that TypeScript erases and that keep the meaning of what they wrap, `this` of a call included. */
const TRANSPARENT = new Set([
  'ParenthesizedExpression',
  'TSAsExpression',
  'TSSatisfiesExpression',
  'TSNonNullExpression',
  'TSTypeAssertion',
  'TSInstantiationExpression',
]);

export function isTransparent(node: Node): boolean {
  return TRANSPARENT.has(node.type);
}

/** Without parentheses, `as T`, `!`, … */
export function unwrap(node: Node): Node {
  let inner = node;
  while (TRANSPARENT.has(inner.type)) inner = inner.expression;
  return inner;
}

/** True for what only exists for the type checker. */
export function isTypeOnly(node: Node): boolean {
  if (node.declare === true) return true;
  return node.type.startsWith('TS') && !TRANSPARENT.has(node.type) && !TS_WITH_CODE.has(node.type);
}

const TS_WITH_CODE = new Set([
  'TSEnumDeclaration',
  'TSModuleDeclaration',
  'TSModuleBlock',
  'TSParameterProperty',
  'TSExportAssignment',
]);

export function isFunction(node: Node): boolean {
  return (
    node.type === 'ArrowFunctionExpression' ||
    node.type === 'FunctionExpression' ||
    node.type === 'FunctionDeclaration'
  );
}

/** Does `x = <node>` give the function or class the name `x`? (ECMA-262, IsAnonymousFunctionDefinition.) */
export function isAnonymousFunction(node: Node): boolean {
  const inner = unwrap(node);
  if (inner.type === 'ArrowFunctionExpression') return true;
  return (inner.type === 'FunctionExpression' || inner.type === 'ClassExpression') && !inner.id;
}

export function isPattern(node: Node): boolean {
  return node.type === 'ObjectPattern' || node.type === 'ArrayPattern';
}

/** The children of a node, in the order of the text. */
export function forEachChild(node: Node, visit: (child: Node) => void): void {
  const keys = visitorKeys[node.type];
  if (keys === undefined) return;
  for (const key of keys) {
    const child = node[key];
    if (Array.isArray(child)) {
      for (const element of child) if (element) visit(element);
    } else if (child) visit(child);
  }
}

/** Is there a node for which `test` holds in `node`, nested functions left out? */
export function contains(node: Node, test: (node: Node) => boolean): boolean {
  if (test(node)) return true;
  if (isFunction(node)) return false;
  let found = false;
  forEachChild(node, (child) => {
    if (!found) found = contains(child, test);
  });
  return found;
}

/** Can the event loop run something else while `node` is evaluated? A `yield` counts: it may stand for an `await`. */
export function suspends(node: Node): boolean {
  return contains(
    node,
    (inner) =>
      inner.type === 'AwaitExpression' ||
      inner.type === 'YieldExpression' ||
      (inner.type === 'ForOfStatement' && inner.await === true),
  );
}

const EFFECTS = new Set([
  'AssignmentExpression',
  'AwaitExpression',
  'CallExpression',
  'ImportExpression',
  'NewExpression',
  'TaggedTemplateExpression',
  'UpdateExpression',
  'YieldExpression',
]);

/** May evaluating `node` assign a variable? */
export function hasEffects(node: Node): boolean {
  return contains(node, (inner) => EFFECTS.has(inner.type));
}

/** The name after the dot (`#` included), or undefined for a computed key that is no literal. */
export function staticKey(member: Node): string | undefined {
  const key = member.property ?? member.key;
  if (!member.computed) {
    if (key.type === 'PrivateIdentifier') return `#${key.name}`;
    if (key.type === 'Identifier') return key.name;
  }
  return key.type === 'Literal' && (typeof key.value === 'string' || typeof key.value === 'number')
    ? String(key.value)
    : undefined;
}

/** Does evaluating `node` end with a call, whose value is then the value of `node`? */
export function endsInCall(node: Node): boolean {
  const inner = unwrap(node);
  switch (inner.type) {
    case 'CallExpression':
    case 'TaggedTemplateExpression':
      return true;
    case 'ChainExpression':
      return unwrap(inner.expression).type === 'CallExpression';
    case 'ConditionalExpression':
      return endsInCall(inner.consequent) || endsInCall(inner.alternate);
    case 'LogicalExpression':
      return endsInCall(inner.right);
    case 'SequenceExpression':
      return endsInCall(inner.expressions.at(-1));
    default:
      return false;
  }
}

/** An identifier that nothing in the file declares. */
export function isGlobal(node: Node, name: string): boolean {
  return node.type === 'Identifier' && node.name === name && node.binding === undefined;
}

const NAMED = new Set(['CallExpression', 'ClassDeclaration', 'ClassExpression', 'ObjectExpression']);

/** Tells a function, class or object what it is called, or a call what its result is. */
export function giveName(node: Node | null | undefined, name: string | undefined): void {
  if (!node || name === undefined) return;
  const inner = unwrap(node);
  if (isFunction(inner) || NAMED.has(inner.type)) inner.givenName = name;
}

export function isModuleExports(node: Node): boolean {
  if (node.type !== 'MemberExpression' || staticKey(node) !== 'exports') return false;
  return isGlobal(unwrap(node.object), 'module');
}

/** `exports` or `module.exports` of a CommonJS module. */
export function isExports(node: Node): boolean {
  return isGlobal(node, 'exports') || isModuleExports(node);
}

const ARITHMETIC = new Set(['+', '-', '*', '/', '%', '**']);

/** What a number is computed of, as in `a - b` and `Math.max(a, b)`; nothing for what is no such computation. */
export function operandsOf(node: Node): Node[] {
  if (node.type === 'BinaryExpression' && ARITHMETIC.has(node.operator)) return [node.left, node.right];
  return node.type === 'CallExpression' && isMath(unwrap(node.callee)) ? node.arguments : [];
}

function isMath(callee: Node): boolean {
  return callee.type === 'MemberExpression' && isGlobal(unwrap(callee.object), 'Math');
}
