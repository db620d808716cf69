/*
 * What a program does with what it reads, by where the read stands. Whoever only tells somebody what is in a variable has not
 * looked at it to go by that.
 */

import { type CallExpression, forEachChild, isTransparent, type Node, staticKey, unwrap } from './ast.ts';

/**
 * What is done with a value that was read.
 *
 * - `test`: compares it, or decides by it.
 * - `value`: goes on with it in some other way, and may decide by it yet.
 * - `mention`: only says it, as in a line of a log.
 */
export type ReadUse = 'test' | 'value' | 'mention';

const COMPARISONS = new Set(['==', '===', '!=', '!==', '<', '<=', '>', '>=', 'in', 'instanceof']);

/** Methods that keep or show what they are given, if nobody uses what they return. */
const TELLING = new Set([
  ...['log', 'info', 'debug', 'warn', 'error', 'trace', 'print'],
  ...['write', 'emit', 'push', 'unshift', 'append'],
]);

/** The part of a statement or an expression that decides what is done next. */
export function decisivePart(node: Node): Node | null {
  switch (node.type) {
    case 'IfStatement':
    case 'WhileStatement':
    case 'DoWhileStatement':
    case 'ForStatement':
    case 'ConditionalExpression':
    case 'SwitchCase':
      return node.test;
    case 'SwitchStatement':
      return node.discriminant;
    case 'LogicalExpression':
      return node.left;
    default:
      return null;
  }
}

/** What the outer node does with the value of the inner one; null if its own value is what counts. */
export function useBy(outer: Node, inner: Node, around: Node | undefined): ReadUse | null {
  if (decisivePart(outer) === inner) return 'test';
  switch (outer.type) {
    case 'BinaryExpression':
      return COMPARISONS.has(outer.operator) ? 'test' : null;
    case 'TemplateLiteral':
      return around?.type === 'TaggedTemplateExpression' ? 'value' : 'mention';
    case 'ExpressionStatement':
      return 'mention';
    case 'CallExpression':
      if (outer.callee === inner) return isStatement(around) ? 'value' : null;
      return isStatement(around) && isTelling(outer) ? 'mention' : 'value';
    case 'AwaitExpression':
    case 'ChainExpression':
    case 'ConditionalExpression':
    case 'LogicalExpression':
    case 'UnaryExpression':
      return null;
    case 'MemberExpression':
      return outer.object === inner ? null : 'value';
    default:
      return isTransparent(outer) ? null : 'value';
  }
}

/** Whether nobody uses the value of what stands in there. */
function isStatement(around: Node | undefined): boolean {
  return around === undefined || around.type === 'ExpressionStatement' || around.type === 'AwaitExpression';
}

function isTelling(call: CallExpression): boolean {
  const callee = unwrap(call.callee);
  return callee.type === 'MemberExpression' && TELLING.has(staticKey(callee) ?? '');
}

/** Marks all nodes whose value is only told to somebody. */
export function markMentions(program: Node): void {
  mark(program, undefined, 'value');
}

function mark(node: Node, around: Node | undefined, use: ReadUse): void {
  if (use === 'mention') node.isMention = true;
  forEachChild(node, (child) => mark(child, node, useBy(node, child, around) ?? use));
}
