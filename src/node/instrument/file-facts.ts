/*
 * The facts of a file's sites (site-facts.ts), from its syntax tree and the dependence analysis.
 */

import { type ActFacts, type FileFacts, SiteBit } from '../../trace/site-facts.ts';
import {
  type AssignmentExpression,
  contains,
  forEachChild,
  isFunction,
  isGlobal,
  isPattern,
  type Node,
  type NodeOf,
  type Program,
  staticKey,
  unwrap,
} from './ast.ts';
import type { FunctionFlow } from './callees.ts';
import { comparedIn } from './comparisons.ts';
import type { Dependence } from './dependence.ts';
import { FlowEncoder } from './flow-encoder.ts';

/** Methods that take something away, whatever it is by then. */
const REMOVING = new Set(['clear', 'delete', 'pop', 'shift', 'splice']);

/** Methods of arrays that move elements, or take them away. */
const MOVING = new Set(['copyWithin', 'pop', 'reverse', 'shift', 'sort', 'splice', 'unshift']);

/**
 * `nodes[i]` is the node that site `i` stands for, if it is an access, a call or a function. `isIgnored`: whether a comment
 * says of what begins there that it is not meant to be atomic.
 */
export function fileFacts(
  program: Program,
  nodes: readonly (Node | undefined)[],
  dependence: Dependence,
  isIgnored: (offset: number) => boolean,
): FileFacts {
  const bits = bitsOf(program);
  const { state, callees } = dependence;
  const flow = new FlowEncoder(nodes, dependence);
  const siteBits: number[] = [];
  const functions: number[] = [];
  const acts: ActFacts[] = [];
  for (const [site, node] of nodes.entries()) {
    const around = node && (isFunction(node) ? callees.flowOf(node) : state.flowOf.get(node));
    functions.push(around?.index ?? -1);
    let own = node === undefined ? 0 : (bits.get(node) ?? 0) | (node.isMention ? SiteBit.mention : 0);
    if (around !== undefined && isUnmeant(around, isIgnored)) own |= SiteBit.unmeant;
    if (around !== undefined && around.calls.size > 1) own |= SiteBit.calledAgain;
    if (around?.isAsync) own |= SiteBit.inAsync;
    const act = node && state.acts.get(node);
    if (node && dependence.merges.has(node)) own |= SiteBit.merge;
    if (act !== undefined) acts.push([site, flow.sources(act.data), flow.conditionsOf(act.conditions)]);
    siteBits.push(own);
  }
  const rest = Object.entries(flow.facts()).filter(([, list]) => list.length > 0);
  return { bits: siteBits, functions, acts, ...Object.fromEntries(rest) };
}

function isUnmeant(start: FunctionFlow, isIgnored: (offset: number) => boolean): boolean {
  for (let flow: FunctionFlow | null = start; flow !== null; flow = flow.around) {
    const { node } = flow;
    if (node.type !== 'Program' && isIgnored(node.keyStart ?? node.start)) return true;
  }
  return false;
}

/** What can be said of accesses by what stands around them. */
function bitsOf(program: Node): Map<Node, number> {
  const bits = new Map<Node, number>();
  const add = (node: Node, bit: number) => bits.set(node, (bits.get(node) ?? 0) | bit);
  /** Calls whose answer nobody uses, or nobody knows who does. */
  const unanswered = new Set<Node>();
  const keyed = (target: Node) => {
    if (target.type === 'MemberExpression' && staticKey(target) === undefined) add(target, SiteBit.keyed);
  };
  let imported = 0;
  const visit = (node: Node): void => {
    if (isFunction(node)) {
      if (node.body) unanswered.add(unwrap(node.body));
      const outer = imported;
      imported = waitsForModules(node) ? SiteBit.imported : 0;
      forEachChild(node, visit);
      imported = outer;
      return;
    }
    switch (node.type) {
      case 'AwaitExpression':
        add(node, SiteBit.wait);
        break;
      case 'ExpressionStatement':
        unanswered.add(unwrap(node.expression));
        for (let on = receiverOf(node.expression); on !== null; on = objectOf(on)) add(on, SiteBit.receiver);
        break;
      case 'AssignmentExpression':
        keyed(unwrap(node.left));
        if (!isPattern(unwrap(node.left)))
          add(unwrap(node.left), assignmentBits(node) | ownChange(node.right) | imported);
        break;
      case 'UnaryExpression':
        if (node.operator === 'delete') {
          add(unwrap(node.argument), SiteBit.removal);
          keyed(unwrap(node.argument));
        }
        break;
      case 'VariableDeclarator':
        if (node.init && node.id.type === 'Identifier') add(node.id, valueBits(node.init) | SiteBit.declared);
        break;
      case 'UpdateExpression':
        keyed(unwrap(node.argument));
        add(unwrap(node.argument), node.operator === '++' ? SiteBit.stepUp : SiteBit.stepDown);
        break;
      case 'BinaryExpression':
        for (const side of comparedIn(node) ?? []) {
          const read = side.type === 'CallExpression' ? unwrap(side.callee) : side;
          add(read, SiteBit.compared);
        }
        break;
      case 'CallExpression': {
        const callee = unwrap(node.callee);
        if (callee.type !== 'MemberExpression') break;
        const name = staticKey(callee) ?? '';
        if (MOVING.has(name)) add(callee, SiteBit.move);
        if (REMOVING.has(name)) add(callee, SiteBit.removal);
        if (takesFirst(node)) add(callee, SiteBit.front);
        if ((name === 'delete' || takesAll(node)) && !unanswered.has(node)) add(callee, SiteBit.answered);
        if (name !== 'set' || node.arguments.length !== 2) break;
        add(callee, valueBits(node.arguments[1]) | ownChange(node.arguments[1]) | imported);
      }
    }
    forEachChild(node, visit);
  };
  visit(program);
  return bits;
}

/** Whether a function waits for modules only: those are loaded once, however often they are asked for. */
function waitsForModules(fn: Node, isInner = false): boolean {
  let count = 0;
  /** Its own functions may do the waiting: `const load = async (name) => await import(name)`. */
  const own = new Map<string, Node>();
  const isModule = (node: Node): boolean => {
    const inner = unwrap(node);
    if (inner.type === 'CallExpression') return isModule(inner.callee);
    if (inner.type === 'MemberExpression') return isModule(inner.object);
    const called = inner.type === 'Identifier' && !isInner ? own.get(inner.name) : undefined;
    return inner.type === 'ImportExpression' || (called !== undefined && waitsForModules(called, true));
  };
  const isOther = (node: Node): boolean => {
    if (isFunction(node)) return false;
    if (node.type === 'VariableDeclarator' && node.id.type === 'Identifier' && node.init)
      if (isFunction(unwrap(node.init))) own.set(node.id.name, unwrap(node.init));
    if (node.type === 'ForOfStatement' && node.await) return true;
    if (node.type === 'AwaitExpression' && !isModule(node.argument)) return true;
    if (node.type === 'AwaitExpression') count++;
    let found = false;
    forEachChild(node, (child) => {
      found ||= isOther(child);
    });
    return found;
  };
  let found = false;
  forEachChild(fn, (child) => {
    found ||= isOther(child);
  });
  return !found && count > 0;
}

/** `list.splice(0)`: takes all that is there by then. */
function takesAll(call: NodeOf<'CallExpression'>): boolean {
  return call.arguments.length === 1 && isSpliceAtZero(call);
}

/** `list.shift()`, or `list.splice(0, n)`, which puts nothing in its place. */
function takesFirst(call: NodeOf<'CallExpression'>): boolean {
  const method = unwrap(call.callee);
  if (method.type === 'MemberExpression' && staticKey(method) === 'shift') return true;
  return call.arguments.length === 2 && isSpliceAtZero(call);
}

function isSpliceAtZero({ callee, arguments: [first] }: NodeOf<'CallExpression'>): boolean {
  const method = unwrap(callee);
  if (method.type !== 'MemberExpression' || staticKey(method) !== 'splice') return false;
  return first?.type === 'Literal' && first.value === 0;
}

/** What a method is called on, if the call is all that there is. */
function receiverOf(statement: Node): Node | null {
  const outer = unwrap(statement);
  if (outer.type === 'AwaitExpression' || outer.type === 'UnaryExpression') return receiverOf(outer.argument);
  if (outer.type === 'ChainExpression') return receiverOf(outer.expression);
  return outer.type === 'CallExpression' ? objectOf(unwrap(outer.callee)) : null;
}

function objectOf(node: Node): Node | null {
  return node.type === 'MemberExpression' ? unwrap(node.object) : null;
}

/** Whether what is written is computed of what was there: such reads have no probe of their own. */
function ownChange(value: Node): number {
  return contains(value, ({ isOperand }) => isOperand === true) ? SiteBit.ownChange : 0;
}

function assignmentBits({ operator, left, right }: AssignmentExpression): number {
  if (operator === '+=') return SiteBit.stepUp;
  if (operator === '-=') return SiteBit.stepDown;
  const value = unwrap(right);
  if (operator === '=' && value.type === 'BinaryExpression' && isSame(unwrap(value.left), unwrap(left)))
    return value.operator === '+' ? SiteBit.stepUp : value.operator === '-' ? SiteBit.stepDown : 0;
  return valueBits(value) | (operator === '=' && isAddition(value, unwrap(left)) ? SiteBit.adds : 0);
}

function isAddition(value: Node, old: Node): boolean {
  if (value.type === 'CallExpression') {
    const callee = unwrap(value.callee);
    return (
      callee.type === 'MemberExpression' &&
      staticKey(callee) === 'concat' &&
      isSame(unwrap(callee.object), old)
    );
  }
  return (
    value.type === 'ArrayExpression' &&
    value.elements.some(
      (element) => element?.type === 'SpreadElement' && isSame(unwrap(element.argument), old),
    )
  );
}

/** Whether two expressions are the same names, one after the other. */
function isSame(one: Node, other: Node): boolean {
  if (one.type === 'Identifier') return other.type === 'Identifier' && one.name === other.name;
  if (one.type === 'ThisExpression') return other.type === 'ThisExpression';
  if (one.type === 'Literal') return other.type === 'Literal' && one.value === other.value;
  if (one.type !== 'MemberExpression' || other.type !== 'MemberExpression') return false;
  if (one.computed !== other.computed) return false;
  const areKeysSame = one.computed
    ? isSame(unwrap(one.property), unwrap(other.property))
    : staticKey(one) === staticKey(other);
  return areKeysSame && isSame(unwrap(one.object), unwrap(other.object));
}

const EMPTY_CONTAINER = SiteBit.constant | SiteBit.empty | SiteBit.container;

function valueBits(value: Node): number {
  const inner = unwrap(value);
  switch (inner.type) {
    case 'Literal':
      if (typeof inner.value === 'boolean') return SiteBit.flag | SiteBit.constant;
      return inner.value ? SiteBit.constant : SiteBit.constant | SiteBit.empty;
    case 'UnaryExpression': {
      const argument = unwrap(inner.argument);
      if (argument.type !== 'Literal') return 0;
      // `!0` and `void 0` are how minifiers write `true` and `undefined`.
      if (inner.operator === '!') return SiteBit.flag | SiteBit.constant;
      return inner.operator === 'void' ? SiteBit.constant | SiteBit.empty : SiteBit.constant;
    }
    case 'Identifier':
      return inner.binding === undefined && inner.name === 'undefined' ? SiteBit.constant | SiteBit.empty : 0;
    case 'NewExpression':
      if (isEmptyContainer(inner)) return EMPTY_CONTAINER;
      return inner.arguments.length === 0 ? SiteBit.instance : 0;
    case 'ArrayExpression':
      return inner.elements.length === 0 ? EMPTY_CONTAINER : 0;
    case 'ObjectExpression':
      return inner.properties.length === 0 ? EMPTY_CONTAINER : 0;
    default:
      return 0;
  }
}

const CONTAINERS = ['Array', 'Map', 'Set', 'WeakMap', 'WeakSet'];

function isEmptyContainer({ callee, arguments: args }: NodeOf<'NewExpression'>): boolean {
  return args.length === 0 && CONTAINERS.some((name) => isGlobal(unwrap(callee), name));
}
