/*
 * Async functions that a compiler has already turned into something else: TypeScript's `__awaiter` around a generator or
 * around an ES5 state machine (`__generator`), esbuild's `__async`, Babel's `_asyncToGenerator`, SWC's
 * `_async_to_generator` and `_ts_generator`. Regenerator's machines keep their state in numbers that say nothing, and are
 * not followed.
 */

import {
  type CallExpression,
  giveName,
  isFunction,
  isWithBody,
  type Node,
  staticKey,
  unwrap,
} from './ast.ts';
import { rewriteFunction } from './functions.ts';
import type { Rewriter } from './rewriter.ts';

/** Which argument is the body of the async function, by the name of the helper that makes it one. */
const MAKERS: ReadonlyMap<string, number> = new Map([
  ['__awaiter', 3],
  ['__async', 2],
  ['_asyncToGenerator', 0],
  ['asyncToGenerator', 0],
  ['_async_to_generator', 0],
]);

const MACHINES: ReadonlySet<string> = new Set(['__generator', '_ts_generator']);

/** Helpers that do nothing but drive the others. */
const DRIVERS: ReadonlySet<string> = new Set(['asyncGeneratorStep', '__asyncGenerator', '__asyncValues']);

/**
 * Whether a function of this name is one of the compiler's. Its variables are where a promise and a generator meet, and
 * no state of the program.
 */
export function isHelper(name: string): boolean {
  return MAKERS.has(name) || MACHINES.has(name) || DRIVERS.has(name);
}

/** Rewrites a call that makes an async function; false, with nothing done, if it is another call. */
export function downlevelledCall(r: Rewriter, node: CallExpression, callee: Node): boolean {
  const name = helperName(callee);
  if (name === undefined) return false;
  // A bundler numbers the helpers of the modules that it puts together.
  const index = MAKERS.get(name.replace(/\d+$/, ''));
  if (index !== undefined) return awaiter(r, node, index);
  if (MACHINES.has(name)) return machine(r, node);
  const renamed = callee.type === 'Identifier' ? r.helpers.get(name) : undefined;
  if (renamed === 'machine') return machine(r, node);
  if (renamed !== undefined) return awaiter(r, node, renamed);
  if (name === '__asyncGenerator') {
    r.warnOnce('async generators that were compiled to __asyncGenerator are not followed');
  } else if (isRegenerator(callee, name)) {
    r.warnOnce('async functions that were compiled to regenerator state machines are not followed');
  }
  return false;
}

/** `__awaiter` for `__awaiter`, `tslib.__awaiter`, `(0, tslib_1.__awaiter)`; the object's name for `x.default`, `x._`. */
function helperName(callee: Node): string | undefined {
  if (callee.type === 'SequenceExpression') return helperName(unwrap(callee.expressions.at(-1)!));
  if (callee.type === 'Identifier') return callee.name;
  if (callee.type !== 'MemberExpression') return undefined;
  const key = staticKey(callee);
  const object = unwrap(callee.object);
  return (key === 'default' || key === '_') && object.type === 'Identifier' ? object.name : key;
}

function isRegenerator(callee: Node, name: string): boolean {
  if (name !== 'wrap' || callee.type !== 'MemberExpression') return false;
  let object = unwrap(callee.object);
  if (object.type === 'CallExpression') object = unwrap(object.callee);
  return /regenerator/i.test(helperName(object) ?? '');
}

function awaiter(r: Rewriter, node: CallExpression, index: number): boolean {
  const body = node.arguments[index] === undefined ? undefined : unwrap(node.arguments[index]);
  if (body === undefined || !isFunction(body) || !isWithBody(body) || body.async) return false;
  for (const argument of node.arguments) {
    if (argument !== node.arguments[index]) r.visit(argument);
  }
  giveName(body, node.givenName);
  rewriteFunction(r, body, body.generator ? 'downlevelled' : 'machine');
  return true;
}

/** `__generator(this, function (_a) {…})` → `__generator(this, machine(a, function (_a) {…}))`. */
function machine(r: Rewriter, node: CallExpression): boolean {
  const body = node.arguments[1];
  if (r.frame.kind !== 'machine' || body === undefined || body.type !== 'FunctionExpression') return false;
  if (!isWithBody(body)) return false;
  const state = body.params[0];
  if (state?.type === 'Identifier' && state.binding !== undefined) r.machineParams.add(state.binding);
  rewriteFunction(r, body, 'machineBody');
  r.edits.wrap(body, `${r.probe('machine')}(${r.frame.token},`, ')');
  return true;
}
