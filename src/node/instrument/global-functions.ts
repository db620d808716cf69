/*
 * Functions of the language that access the properties of their arguments: `Object.keys(o)`, `Object.assign(o, p)`,
 * `Object.hasOwn(o, k)`, `Array.from(o)`, …
 */

import {
  ARRAY_METHODS,
  ASSIGNING,
  CONSTRUCTORS,
  type Effect,
  effectOfFunction,
  MAKING_TEXT,
} from '../builtins.ts';
import {
  type CallExpression,
  isGlobal,
  type MemberExpression,
  type NewExpression,
  type Node,
  unwrap,
} from './ast.ts';
import { asArgument } from './edits.ts';
import { copied, enumerated, isFresh, iterated } from './members.ts';
import { methodName, takesArguments } from './methods.ts';
import type { Rewriter } from './rewriter.ts';

const KEYED = {
  'reads-entry': 'readKey',
  'writes-entry': 'writtenKey',
  'removes-entry': 'deletedKey',
} as const;

/** Rewrites callee and arguments of such a call; false, with nothing done, if it is another. */
export function globalFunction(r: Rewriter, node: CallExpression, callee: MemberExpression): boolean {
  const args = node.arguments;
  const name = methodName(callee);
  const object = unwrap(callee.object);
  if (args.length === 0 || args.some((argument) => argument.type === 'SpreadElement')) return false;
  if (name === 'hasOwnProperty' && object.type !== 'Super' && !r.isUntracked(callee)) {
    return keyed(r, callee.object, args[0], args, 'readKey');
  }
  if (name === 'call' && isHasOwnProperty(object) && args.length > 1) {
    return keyed(r, args[0], args[1], args, 'readKey');
  }
  if (object.type !== 'Identifier' || object.binding !== undefined) return false;
  const fullName = `${object.name}.${name}`;
  if (ASSIGNING.has(fullName)) return objectAssign(r, args);
  return touched(r, args, effectOfFunction(fullName));
}

/** `structuredClone(o)`: a function that is no method. */
export function plainFunction(r: Rewriter, node: CallExpression, callee: Node): boolean {
  if (callee.type !== 'Identifier' || callee.binding !== undefined || !takesArguments(node)) return false;
  if (MAKING_TEXT.has(callee.name)) return madeText(r, node.arguments);
  return touched(r, node.arguments, effectOfFunction(callee.name));
}

/** `String(o)` → `String(method(o, 'toString', s, true))`. */
function madeText(r: Rewriter, args: readonly Node[]): boolean {
  const [first] = args;
  r.visitAll(args);
  if (isFresh(first) || r.sites.isIgnored(first.start)) return true;
  const [open, close] = asArgument(first);
  r.edits.wrap(
    first,
    `${r.probe('method')}(${open}`,
    `${close},${JSON.stringify('toString')},${r.access(first)},true)`,
  );
  return true;
}

function touched(r: Rewriter, args: readonly Node[], effect: Effect): boolean {
  switch (effect) {
    case 'reads-entry':
    case 'writes-entry':
    case 'removes-entry':
      return args.length > 1 && keyed(r, args[0], args[1], args, KEYED[effect]);
    case 'reads-keys':
    case 'reads-values':
      r.visitAll(args);
      enumerated(r, args[0], effect === 'reads-values');
      return true;
    case 'reads-deep':
      r.visitAll(args);
      copied(r, args[0]);
      return true;
    case 'reads-all': {
      r.visitAll(args);
      const first = unwrap(args[0]);
      // `Buffer.concat([a, b])`, `new Map([…])`: what is in a list that is written there.
      if (first.type !== 'ArrayExpression') iterated(r, args[0]);
      else
        for (const element of first.elements)
          if (element && element.type !== 'SpreadElement') iterated(r, element);
      return true;
    }
    default:
      return false;
  }
}

/** Of a call of any function, which has been rewritten: `[].concat(o)`, `[].slice.call(o)`, `f.apply(x, o)` go through o. */
export function passedElements(r: Rewriter, { arguments: args }: CallExpression, callee: Node): void {
  if (callee.type !== 'MemberExpression' || args.some(({ type }) => type === 'SpreadElement')) return;
  const name = methodName(callee);
  const object = unwrap(callee.object);
  if (name === 'concat' && object.type === 'ArrayExpression')
    for (const argument of args) iterated(r, argument);
  else if (name === 'apply' && args.length === 2) iterated(r, args[1]);
  else if (name === 'call' && args.length > 0 && isReadingArrays(object)) iterated(r, args[0]);
}

/** `[].slice`, `Array.prototype.map`. */
function isReadingArrays(method: Node): boolean {
  if (method.type !== 'MemberExpression' || ARRAY_METHODS[methodName(method)] !== 'reads-all') return false;
  const owner = unwrap(method.object);
  if (owner.type === 'ArrayExpression') return true;
  if (owner.type !== 'MemberExpression' || methodName(owner) !== 'prototype') return false;
  return isGlobal(unwrap(owner.object), 'Array');
}

/** `Object.prototype.hasOwnProperty` and its aliases. */
function isHasOwnProperty(node: Node): boolean {
  const name =
    node.type === 'Identifier' ? node.name : node.type === 'MemberExpression' ? methodName(node) : '';
  return name === 'hasOwnProperty' || name === 'hasOwn';
}

/** `f(o, k)` → `f(o, readKey(o, k, s))`; `object` may also be the object of the callee. */
function keyed(
  r: Rewriter,
  object: Node,
  key: Node,
  args: readonly Node[],
  probe: 'readKey' | 'writtenKey' | 'deletedKey',
): boolean {
  const repeatable = r.repeatable(object, [key]);
  if (repeatable === undefined && !r.canDeclare) return false;
  const base = repeatable ?? r.temp();
  if (!args.includes(object)) r.visit(object);
  r.visitAll(args);
  if (repeatable === undefined) r.edits.wrap(object, `(${base}=`, ')');
  if (!r.sites.isIgnored(object.start)) {
    r.edits.wrap(key, `${r.probe(probe)}(${base},`, `,${r.access(object)})`);
  }
  return true;
}

/** `Object.assign(o, p)` → `Object.assign(o, assigned(o, p, s))`. */
function objectAssign(r: Rewriter, args: readonly Node[]): boolean {
  const [target, ...sources] = args;
  const repeatable = r.repeatable(target, sources);
  if (repeatable === undefined && !r.canDeclare) return false;
  r.visitAll(args);
  const isFresh = unwrap(target).type === 'ObjectExpression';
  if (isFresh || sources.length === 0 || r.sites.isIgnored(target.start)) {
    for (const source of sources) enumerated(r, source, true);
    return true;
  }
  const base = repeatable ?? r.temp();
  if (repeatable === undefined) r.edits.wrap(target, `${base}=`, '');
  for (const source of sources) {
    r.edits.wrap(source, `${r.probe('assigned')}(${base},`, `,${r.access(target)})`);
  }
  return true;
}

/** `new Set(o)` goes through o. */
export function constructorArgument(r: Rewriter, node: NewExpression, callee: Node): void {
  const [first] = node.arguments;
  if (first === undefined || first.type === 'SpreadElement' || callee.type !== 'Identifier') return;
  if (CONSTRUCTORS.has(callee.name) && isGlobal(callee, callee.name)) iterated(r, first);
}
