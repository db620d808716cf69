/*
 * Which plain functions are one unit of work on memory that threads share: those that access elements in at least two
 * places of their own code. What makes a lock, or waits, or works in a loop, is none: it is meant to be interrupted.
 */

import { isOfBytes } from '../probes.ts';
import { forEachChild, isFunction, type Node, unwrap } from './ast.ts';
import { atomicFunction } from './atomics.ts';
import { methodName } from './methods.ts';
import { isElement } from './references.ts';

const LOOPS = new Set([
  'ForStatement',
  'ForInStatement',
  'ForOfStatement',
  'WhileStatement',
  'DoWhileStatement',
]);

/** Functions of `Atomics` that locks, and those who wait, are made of. */
const SYNCHRONISING = new Set(['compareExchange', 'exchange', 'wait', 'waitAsync', 'notify']);

/** What an array may be called by. */
const NAMES = new Set(['Identifier', 'MemberExpression']);

class Accesses {
  count = 0;
  synchronises = false;
  /** How the arrays are called that are accessed, outside of loops and in them. */
  readonly #outside = new Set<string>();
  readonly #inLoops = new Set<string>();
  readonly #source: string;

  constructor(source: string) {
    this.#source = source;
  }

  get areRepeated(): boolean {
    return [...this.#inLoops].some((name) => this.#outside.has(name));
  }

  look(node: Node, isInLoop: boolean): void {
    if (isFunction(node) || this.synchronises) return;
    const within = isInLoop || LOOPS.has(node.type);
    const target = node.type === 'AssignmentExpression' ? node.left : node.argument;
    const [pattern, taken]: [Node?, Node?] =
      node.type === 'VariableDeclarator' ? [node.id, node.init] : [node.left, node.right];
    // `const [first] = array`.
    if (pattern?.type === 'ArrayPattern' && taken && NAMES.has(unwrap(taken).type))
      this.#add(taken, within, 1);
    if (node.type === 'MemberExpression' && isElement(node)) this.#add(node.object, within, 1);
    else if (
      node.type === 'UpdateExpression' ||
      (node.type === 'AssignmentExpression' && node.operator !== '=')
    ) {
      // It reads and writes.
      const inner = unwrap(target);
      if (inner.type === 'MemberExpression' && isElement(inner)) this.#add(inner.object, within, 1);
    } else if (node.type === 'CallExpression') this.#call(node, within);
    forEachChild(node, (child) => this.look(child, within));
  }

  #call(node: Node, isInLoop: boolean): void {
    const callee = unwrap(node.callee);
    const atomic = atomicFunction(callee);
    if (atomic !== undefined) {
      if (SYNCHRONISING.has(atomic) || isInLoop) this.synchronises = true;
      else if (node.arguments.length > 0) this.#add(node.arguments[0], false, 1);
    } else if (callee.type !== 'MemberExpression') return;
    else if (isOfBytes(methodName(callee)) || isOfElements(node, methodName(callee)))
      this.#add(callee.object, isInLoop, 1);
    // `a[i]()` calls a function, which is no element of a typed array.
    else if (isElement(callee)) this.count--;
  }

  #add(array: Node, isInLoop: boolean, count: number): void {
    const name = this.#source.slice(array.start, array.end);
    if (isInLoop) this.#inLoops.add(name);
    else {
      this.#outside.add(name);
      this.count += count;
    }
  }
}

/** Whether a call may be one that writes many elements of a typed array: a Map has `set`, too, but with a key. */
function isOfElements({ arguments: args }: Node, name: string): boolean {
  if (name === 'set') return args.length === 1 || (args.length === 2 && args[0].type === 'ArrayExpression');
  return name === 'fill' || name === 'copyWithin';
}

export function isUnit(fn: Node, source: string): boolean {
  const accesses = new Accesses(source);
  accesses.look(fn.body, false);
  return accesses.count > 1 && !accesses.synchronises && !accesses.areRepeated;
}
