/*
 * Async functions that a compiler has already turned into something else: TypeScript's `__awaiter` around a generator or
 * around an ES5 state machine (`__generator`), Babel's `_asyncToGenerator`. Regenerator's machines keep their state in
 * numbers that say nothing, and are not followed.
 */

import { giveName, isFunction, type Node, staticKey, unwrap } from './ast.ts';
import { rewriteFunction } from './functions.ts';
import type { Rewriter } from './rewriter.ts';

/** Rewrites a call that makes an async function; false, with nothing done, if it is another call. */
export function downlevelledCall(r: Rewriter, node: Node, callee: Node): boolean {
  const name = helperName(callee);
  if (name === undefined) return false;
  if (name === '__awaiter') return awaiter(r, node, 3);
  if (/^_?asyncToGenerator\d*$/.test(name)) return awaiter(r, node, 0);
  if (name === '__generator') return machine(r, node);
  if (name === '__asyncGenerator') {
    r.warnOnce('async generators that were compiled to __asyncGenerator are not followed');
  } else if (isRegenerator(callee, name)) {
    r.warnOnce('async functions that were compiled to regenerator state machines are not followed');
  }
  return false;
}

/** `__awaiter` for `__awaiter`, `tslib.__awaiter`, `(0, tslib_1.__awaiter)`; the object's name for `x.default`. */
function helperName(callee: Node): string | undefined {
  if (callee.type === 'SequenceExpression') return helperName(unwrap(callee.expressions.at(-1)));
  if (callee.type === 'Identifier') return callee.name;
  if (callee.type !== 'MemberExpression') return undefined;
  const key = staticKey(callee);
  const object = unwrap(callee.object);
  return key === 'default' && object.type === 'Identifier' ? object.name : key;
}

function isRegenerator(callee: Node, name: string): boolean {
  if (name !== 'wrap' || callee.type !== 'MemberExpression') return false;
  let object = unwrap(callee.object);
  if (object.type === 'CallExpression') object = unwrap(object.callee);
  return /regenerator/i.test(helperName(object) ?? '');
}

function awaiter(r: Rewriter, node: Node, index: number): boolean {
  const body = node.arguments[index] === undefined ? undefined : unwrap(node.arguments[index]);
  if (body === undefined || !isFunction(body) || body.async) return false;
  for (const argument of node.arguments) {
    if (argument !== node.arguments[index]) r.visit(argument);
  }
  giveName(body, node.givenName);
  rewriteFunction(r, body, body.generator ? 'downlevelled' : 'machine');
  return true;
}

/** `__generator(this, function (_a) {…})` → `__generator(this, machine(a, function (_a) {…}))`. */
function machine(r: Rewriter, node: Node): boolean {
  const body: Node | undefined = node.arguments[1];
  if (r.frame.kind !== 'machine' || body === undefined || body.type !== 'FunctionExpression') return false;
  const state = body.params[0];
  if (state?.binding !== undefined) r.machineParams.add(state.binding);
  rewriteFunction(r, body, 'machineBody');
  r.edits.wrap(body, `${r.probe('machine')}(${r.frame.token},`, ')');
  return true;
}
