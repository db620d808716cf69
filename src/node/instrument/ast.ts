/*
 * The syntax tree as oxc-parser gives it (ESTree, with TypeScript's nodes), and the questions that several parts of
 * the instrumenter ask of it. Offsets are in UTF-16 units, like those of JavaScript strings.
 */

import type { Node } from 'oxc-parser';
import visitorKeys from 'oxc-parser/src-js/generated/visit/keys.js';
import type {} from './annotations.ts';

export type {
  ArrowFunctionExpression,
  AssignmentExpression,
  BindingPattern,
  CallExpression,
  ChainExpression,
  Expression,
  MemberExpression,
  NewExpression,
  Node,
  ObjectExpression,
  Program,
  Statement,
  VariableDeclarator,
} from 'oxc-parser';

/** Nodes by the name of their type. */
export type NodeOf<T extends Node['type'], N extends Node = Node> = N extends Node
  ? T extends N['type']
    ? N
    : never
  : never;

/** A function of any kind; what TypeScript only declares has no body. */
export type FunctionNode = NodeOf<'ArrowFunctionExpression' | 'FunctionExpression'>;

/** A function with code in it. */
export type FunctionWithBody = FunctionNode & { body: NonNullable<FunctionNode['body']> };

export type Identifier = NodeOf<'Identifier'>;

/** What TypeScript and parentheses put around an expression. */
export type Transparent = NodeOf<
  | 'ParenthesizedExpression'
  | 'TSAsExpression'
  | 'TSSatisfiesExpression'
  | 'TSNonNullExpression'
  | 'TSTypeAssertion'
  | 'TSInstantiationExpression'
>;

/** Wrappers that TypeScript erases and that keep the meaning of what they wrap, `this` of a call included. */
const TRANSPARENT: ReadonlySet<Node['type']> = new Set<Transparent['type']>([
  'ParenthesizedExpression',
  'TSAsExpression',
  'TSSatisfiesExpression',
  'TSNonNullExpression',
  'TSTypeAssertion',
  'TSInstantiationExpression',
]);

export function isTransparent(node: Node): node is Transparent {
  return TRANSPARENT.has(node.type);
}

/** Without parentheses, `as T`, `!`, … */
export function unwrap(node: Node): Node {
  let inner = node;
  while (isTransparent(inner)) inner = inner.expression;
  return inner;
}

/** True for what only exists for the type checker. */
export function isTypeOnly(node: Node): boolean {
  if ('declare' in node && node.declare === true) return true;
  return node.type.startsWith('TS') && !TRANSPARENT.has(node.type) && !TS_WITH_CODE.has(node.type);
}

const TS_WITH_CODE = new Set([
  'TSEnumDeclaration',
  'TSModuleDeclaration',
  'TSModuleBlock',
  'TSParameterProperty',
  'TSExportAssignment',
]);

export function isFunction(node: Node): node is FunctionNode {
  return (
    node.type === 'ArrowFunctionExpression' ||
    node.type === 'FunctionExpression' ||
    node.type === 'FunctionDeclaration'
  );
}

export function isWithBody(node: FunctionNode): node is FunctionWithBody {
  return Boolean(node.body);
}

/** The last of the directives (`'use strict'`) that a list of statements begins with. */
export function lastDirective(statements: readonly Node[]): Node | undefined {
  return statements.findLast((one) => one.type === 'ExpressionStatement' && one.directive);
}

/** Does `x = <node>` give the function or class the name `x`? (ECMA-262, IsAnonymousFunctionDefinition.) */
export function isAnonymousFunction(node: Node): boolean {
  const inner = unwrap(node);
  if (inner.type === 'ArrowFunctionExpression') return true;
  return (inner.type === 'FunctionExpression' || inner.type === 'ClassExpression') && !inner.id;
}

export function isPattern(node: Node): node is NodeOf<'ObjectPattern' | 'ArrayPattern'> {
  return node.type === 'ObjectPattern' || node.type === 'ArrayPattern';
}

/** The children of a node, in the order of the text. */
export function forEachChild(node: Node, visit: (child: Node) => void): void {
  const keys = visitorKeys[node.type];
  if (keys === undefined) return;
  const children = node as unknown as Record<string, Node | (Node | null)[] | null | undefined>;
  for (const key of keys) {
    const child = children[key];
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

/** What has a key: a member of an object, by its name or computed. */
export type Keyed = NodeOf<
  'MemberExpression' | 'Property' | 'MethodDefinition' | 'PropertyDefinition' | 'AccessorProperty'
>;

export function keyOf(member: Keyed): Node {
  return member.type === 'MemberExpression' ? member.property : member.key;
}

/** The name after the dot (`#` included), or undefined for a computed key that is no literal. */
export function staticKey(member: Keyed): string | undefined {
  const key = keyOf(member);
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
      return endsInCall(inner.expressions.at(-1)!);
    default:
      return false;
  }
}

/** An identifier that nothing in the file declares. */
export function isGlobal(node: Node, name: string): boolean {
  return node.type === 'Identifier' && node.name === name && node.binding === undefined;
}

type Named = FunctionNode | NodeOf<'CallExpression' | 'ClassDeclaration' | 'ObjectExpression'>;

const NAMED = new Set(['CallExpression', 'ClassDeclaration', 'ClassExpression', 'ObjectExpression']);

function takesName(node: Node): node is Named {
  return isFunction(node) || NAMED.has(node.type);
}

/** Tells a function, class or object what it is called, or a call what its result is. */
export function giveName(node: Node | null | undefined, name: string | undefined): void {
  if (!node || name === undefined) return;
  const inner = unwrap(node);
  if (takesName(inner)) inner.givenName = name;
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
