/*
 * Objects, arrays, Maps and Sets that never leave the function in which they are made: no other call, and so no other task, can
 * come to them, and what is done with them needs no probes. A variable holds such an object if
 * - it is declared in a function and holds the object from its declaration on: never assigned again, and no other function
 *   refers to it;
 * - it is used only to get at properties and elements, to go through them, or to call methods that do the same and neither
 *   return the object nor give it to anybody, or functions of the language that look into it and forget it;
 * - the function is no generator, whose code runs in the task of whoever asks for the next value.
 * (What is in it may still be shared; accesses to that have probes of their own.)
 */

import { CONSTRUCTORS, type Effect, effectOfFunction } from '../builtins.ts';
import {
  type CallExpression,
  forEachChild,
  type Identifier,
  isGlobal,
  type MemberExpression,
  type NewExpression,
  type Node,
  type ObjectExpression,
  type Program,
  staticKey,
  unwrap,
} from './ast.ts';
import type { Binding } from './scope.ts';

type ContainerKind = 'object' | 'array' | 'map' | 'set';

/** Methods that give nobody the object, whatever becomes of what they return. */
const CLOSED: Record<ContainerKind, ReadonlySet<string>> = {
  object: new Set(),
  array: new Set([
    ...['push', 'unshift', 'pop', 'shift', 'splice', 'at', 'concat', 'slice', 'join', 'keys', 'values'],
    ...['entries', 'includes', 'indexOf', 'lastIndexOf', 'toReversed', 'toSpliced', 'with'],
  ]),
  map: new Set(['get', 'has', 'delete', 'clear', 'keys', 'values', 'entries']),
  set: new Set(['has', 'delete', 'clear', 'keys', 'values', 'entries']),
};

/** Methods that return the object: nobody may look at that. */
const RETURNING: Record<ContainerKind, ReadonlySet<string>> = {
  object: new Set(),
  array: new Set(['reverse', 'fill', 'copyWithin']),
  map: new Set(['set']),
  set: new Set(['add']),
};

/** What functions of the language do that only look into their argument. */
const LOOKING: ReadonlySet<Effect> = new Set<Effect>([
  'reads-keys',
  'reads-values',
  'reads-deep',
  'reads-all',
]);

/** Functions that do so, too, and of which nothing is recorded; and one that goes on looking later. */
const ALSO_LOOKING = new Set([
  'Promise.all',
  'Promise.allSettled',
  'Promise.any',
  'Promise.race',
  'Array.isArray',
]);
const LOOKING_LATER = 'Array.fromAsync';

/** Marks the bindings that hold such objects. */
export function markLocalObjects(program: Program): void {
  const found = new Map<Binding, ContainerKind>();
  collect(program, found);
  if (found.size === 0) return;
  const look = (node: Node, parents: Node[]): void => {
    if (node.type === 'Identifier' && node.binding !== undefined) {
      const kind = found.get(node.binding);
      if (kind !== undefined && !staysIn(node, kind, parents)) found.delete(node.binding);
    }
    parents.push(node);
    forEachChild(node, (child) => look(child, parents));
    parents.pop();
  };
  look(program, []);
  for (const binding of found.keys()) binding.isLocalObject = true;
}

function collect(node: Node, found: Map<Binding, ContainerKind>, isInGenerator = false): void {
  const isHere = 'generator' in node ? node.generator : isInGenerator;
  if (!isHere && node.type === 'VariableDeclarator' && node.id.type === 'Identifier' && node.init) {
    const { binding } = node.id;
    const kind = kindOf(unwrap(node.init));
    if (kind !== null && binding !== undefined && isPlain(binding)) found.set(binding, kind);
  }
  forEachChild(node, (child) => collect(child, found, isHere));
}

/** Whether the variable holds what it is declared with, for one call of a function. */
function isPlain({ kind, scope, assignments, initialisations, captured }: Binding): boolean {
  if (kind !== 'const' && kind !== 'let') return false;
  return scope.home.kind === 'function' && assignments === 0 && initialisations === 1 && !captured;
}

function kindOf(init: Node): ContainerKind | null {
  if (init.type === 'ArrayExpression') return 'array';
  if (init.type === 'ObjectExpression') return isPlainObject(init) ? 'object' : null;
  if (init.type !== 'NewExpression') return null;
  const callee = unwrap(init.callee);
  if (callee.type !== 'Identifier' || callee.binding !== undefined) return null;
  return callee.name === 'Map' ? 'map' : callee.name === 'Set' ? 'set' : null;
}

const UNUSUAL = new Set(['__proto__', 'toJSON']);

/** No accessors and no `toJSON`, which would get the object as `this`, and the usual prototype. */
export function isPlainObject({ properties }: ObjectExpression): boolean {
  return properties.every(
    (part) =>
      part.type === 'SpreadElement' ||
      (part.kind === 'init' &&
        !part.computed &&
        (part.key.type !== 'Identifier' || !UNUSUAL.has(part.key.name))),
  );
}

/** Whether this use of the variable leaves the object to the function. `parents`: what is around it, outermost first. */
function staysIn(node: Identifier, kind: ContainerKind, parents: readonly Node[]): boolean {
  const parent = parents.at(-1);
  switch (parent?.type) {
    case 'VariableDeclarator':
      return parent.id === node;
    case 'MemberExpression':
      return parent.object === node && !parent.optional && staysInAccess(parent, kind, parents);
    case 'ForOfStatement':
      return kind !== 'object' && parent.right === node && !parent.await;
    case 'SpreadElement':
      return kind !== 'object' || parents.at(-2)?.type === 'ObjectExpression';
    case 'CallExpression':
    case 'NewExpression':
      return isOnlyLookedAt(parent, node);
    default:
      return false;
  }
}

/** `JSON.stringify(o)`, `Promise.all(list)`, `new Set(list)`: what takes callbacks besides may give them the object. */
function isOnlyLookedAt(call: CallExpression | NewExpression, argument: Identifier): boolean {
  const callee = unwrap(call.callee);
  if (call.arguments.length !== 1 || call.arguments[0] !== argument) return false;
  if (call.type === 'NewExpression')
    return callee.type === 'Identifier' && CONSTRUCTORS.has(callee.name) && isGlobal(callee, callee.name);
  if (call.optional) return false;
  const name = fullName(callee);
  return (
    name !== null && name !== LOOKING_LATER && (ALSO_LOOKING.has(name) || LOOKING.has(effectOfFunction(name)))
  );
}

/** Functions whose result is an object that nobody else has; what is in it may be another's. */
const MAKING = new Set([
  ...['Object.keys', 'Object.values', 'Object.entries', 'Object.getOwnPropertyNames', 'Reflect.ownKeys'],
  ...['Array.from', 'Array.of', 'Buffer.concat'],
]);

/** Methods of arrays whose result is a list that nobody else has if it is called on such a one. */
const MAKING_ANOTHER = new Set([
  ...[
    'concat',
    'filter',
    'flat',
    'flatMap',
    'map',
    'reverse',
    'slice',
    'sort',
    'splice',
    'toReversed',
    'toSorted',
  ],
]);

/** `Object.keys(o)`, `Object.entries(o).map(f)`, `Buffer.concat(list)`. */
export function isJustMade(node: Node): boolean {
  if (node.type !== 'CallExpression' || node.optional) return false;
  const callee = unwrap(node.callee);
  const name = fullName(callee);
  if (name !== null) return MAKING.has(name);
  if (callee.type !== 'MemberExpression' || callee.computed || callee.optional) return false;
  return MAKING_ANOTHER.has(staticKey(callee) ?? '') && isJustMade(unwrap(callee.object));
}

/** Of a global function, or one of a global object. */
function fullName(callee: Node): string | null {
  if (callee.type === 'Identifier') return callee.binding === undefined ? callee.name : null;
  if (callee.type !== 'MemberExpression' || callee.computed || callee.optional) return null;
  const object = unwrap(callee.object);
  if (object.type !== 'Identifier' || object.binding !== undefined) return null;
  return `${object.name}.${staticKey(callee)}`;
}

function staysInAccess(member: MemberExpression, kind: ContainerKind, parents: readonly Node[]): boolean {
  const name = staticKey(member);
  const around = parents.at(-2);
  if (name === '__proto__' || around === undefined) return false;
  switch (around.type) {
    case 'CallExpression':
      if (around.callee !== member) return true;
      return !around.optional && isClosedCall(around, kind, name, parents.at(-3));
    // They hand the object on as `this`, or make a method of it that may.
    case 'TaggedTemplateExpression':
    case 'ChainExpression':
    case 'ParenthesizedExpression':
    case 'TSNonNullExpression':
      return false;
    case 'AssignmentExpression':
      return around.left !== member || kind === 'object' || (kind === 'array' && isOfArray(member, name));
    default:
      return kind === 'object' || !isTarget(member, around, parents.at(-3), kind);
  }
}

/** Whether the access may put a function in the place of a method. */
function isTarget(
  member: MemberExpression,
  around: Node,
  outer: Node | undefined,
  kind: ContainerKind,
): boolean {
  switch (around.type) {
    case 'ArrayPattern':
    case 'AssignmentPattern':
    case 'RestElement':
      return true;
    case 'Property':
      return outer?.type === 'ObjectPattern';
    case 'ForInStatement':
    case 'ForOfStatement':
      return around.left === member;
    case 'UpdateExpression':
      return kind !== 'array';
    default:
      return false;
  }
}

function isClosedCall(
  call: CallExpression,
  kind: ContainerKind,
  name: string | undefined,
  around: Node | undefined,
): boolean {
  if (name === undefined) return false;
  if (CLOSED[kind].has(name)) return true;
  return RETURNING[kind].has(name) && around?.type === 'ExpressionStatement' && around.expression === call;
}

/** An element, or the length: nothing that would be called as a method. */
function isOfArray(member: MemberExpression, name: string | undefined): boolean {
  return member.computed || name === 'length';
}
