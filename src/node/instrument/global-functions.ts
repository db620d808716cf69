/*
 * Functions of the language that access the properties of their arguments: `Object.keys(o)`, `Object.assign(o, p)`,
 * `Object.hasOwn(o, k)`, `Array.from(o)`, …
 */

import {
  type CallExpression,
  isGlobal,
  type MemberExpression,
  type NewExpression,
  type Node,
  unwrap,
} from './ast.ts';
import { enumerated, iterated } from './members.ts';
import { methodName } from './methods.ts';
import type { Rewriter } from './rewriter.ts';

/** Those that go through their first argument: its keys, its keys and values, or its elements. */
const WHOLE = new Map<string, 'keys' | 'values' | 'elements'>([
  ['Object.keys', 'keys'],
  ['Object.getOwnPropertyNames', 'keys'],
  ['Reflect.ownKeys', 'keys'],
  ['Object.values', 'values'],
  ['Object.entries', 'values'],
  ['JSON.stringify', 'values'],
  ['Array.from', 'elements'],
  ['Object.fromEntries', 'elements'],
]);

/** Those that access one property: the object is the first argument, the key the second. */
const KEYED = new Map<string, 'readKey' | 'writtenKey' | 'deletedKey'>([
  ['Object.hasOwn', 'readKey'],
  ['Reflect.get', 'readKey'],
  ['Reflect.has', 'readKey'],
  ['Object.defineProperty', 'writtenKey'],
  ['Reflect.defineProperty', 'writtenKey'],
  ['Reflect.set', 'writtenKey'],
  ['Reflect.deleteProperty', 'deletedKey'],
]);

const COLLECTIONS = new Set(['Map', 'Set', 'WeakMap', 'WeakSet']);

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
  if (fullName === 'Object.assign') return objectAssign(r, args);
  const probe = KEYED.get(fullName);
  if (probe !== undefined && args.length > 1) return keyed(r, args[0], args[1], args, probe);
  const what = WHOLE.get(fullName);
  if (what === undefined) return false;
  r.visitAll(args);
  if (what === 'elements') iterated(r, args[0]);
  else enumerated(r, args[0], what === 'values');
  return true;
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
  if (COLLECTIONS.has(callee.name) && isGlobal(callee, callee.name)) iterated(r, first);
}
