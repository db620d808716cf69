/*
 * Which plain functions are one unit of work on memory that threads share: those that access elements in at least two
 * places of their own code. What makes a lock, or waits, or uses `Atomics` in a loop, is meant to be interrupted, but not
 * from its first plain access on. What is accessed in a loop as well is worked on step by step.
 */

import { isOfBytes } from '../builtins.ts';
import {
  type CallExpression,
  contains,
  type FunctionWithBody,
  forEachChild,
  isFunction,
  type Node,
  unwrap,
} from './ast.ts';
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

class ElementAccesses {
  /** Outside of loops: by `Atomics`, and others. */
  atomics = 0;
  plain = 0;
  synchronises = false;
  waits = false;
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
    if (isFunction(node)) return;
    const within = isInLoop || LOOPS.has(node.type);
    const [pattern, taken] = destructured(node);
    // `const [first] = array`.
    if (pattern?.type === 'ArrayPattern' && taken && NAMES.has(unwrap(taken).type)) this.#add(taken, within);
    if (node.type === 'MemberExpression' && isElement(node)) this.#add(node.object, within);
    else if (node.type === 'CallExpression') this.#call(node, within);
    else {
      const inner = changedTarget(node);
      if (inner?.type === 'MemberExpression' && isElement(inner)) this.#add(inner.object, within);
    }
    forEachChild(node, (child) => this.look(child, within));
  }

  #call(node: CallExpression, isInLoop: boolean): void {
    const callee = unwrap(node.callee);
    const atomic = atomicFunction(callee);
    if (atomic !== undefined) {
      this.waits ||= atomic === 'wait';
      if (SYNCHRONISING.has(atomic) || isInLoop) this.synchronises = true;
      else if (node.arguments.length > 0) {
        this.#outside.add(this.#nameOf(node.arguments[0]));
        this.atomics++;
      }
    } else if (callee.type !== 'MemberExpression') return;
    else if (isOfBytes(methodName(callee)) || isOfElements(node, methodName(callee)))
      this.#add(callee.object, isInLoop);
    // `a[i]()` calls a function, which is no element of a typed array.
    else if (isElement(callee)) this.plain--;
  }

  #add(array: Node, isInLoop: boolean): void {
    (isInLoop ? this.#inLoops : this.#outside).add(this.#nameOf(array));
    if (!isInLoop) this.plain++;
  }

  #nameOf(array: Node): string {
    return this.#source.slice(array.start, array.end);
  }
}

/** A pattern, and what it is given. */
function destructured(node: Node): [pattern?: Node, value?: Node | null] {
  switch (node.type) {
    case 'VariableDeclarator':
      return [node.id, node.init];
    case 'AssignmentExpression':
    case 'AssignmentPattern':
    case 'ForInStatement':
    case 'ForOfStatement':
      return [node.left, node.right];
    default:
      return [];
  }
}

/** What is both read and written: `a[i]` in `a[i]++` and in `a[i] += 1`. */
function changedTarget(node: Node): Node | undefined {
  if (node.type === 'UpdateExpression') return unwrap(node.argument);
  return node.type === 'AssignmentExpression' && node.operator !== '=' ? unwrap(node.left) : undefined;
}

/** Whether a call may be one that writes many elements of a typed array: a Map has `set`, too, but with a key. */
function isOfElements({ arguments: args }: CallExpression, name: string): boolean {
  if (name === 'set') return args.length === 1 || (args.length === 2 && args[0].type === 'ArrayExpression');
  return name === 'fill' || name === 'copyWithin';
}

/** Whether a function is one unit: from its first access on, from its first plain one on, or not at all. */
export function unitOf(fn: FunctionWithBody, source: string): 'all' | 'plain' | null {
  const accesses = new ElementAccesses(source);
  accesses.look(fn.body, false);
  if (accesses.areRepeated) return null;
  if (!accesses.synchronises) return accesses.plain + accesses.atomics > 1 ? 'all' : null;
  return accesses.plain > 1 ? 'plain' : null;
}

/** What programs speak of that have to do with memory that threads share. */
const SHARES = /\b(?:Atomics|SharedArrayBuffer|workerData|worker_threads)\b/;

/**
 * The same for what a loop does each time: if it reads an element and writes it again in another place. `a[i] = a[i] + 1` is a
 * unit by itself.
 */
export function stepOf(body: Node, source: string): 'all' | 'plain' | null {
  if (!SHARES.test(source) || contains(body, ({ type }) => type === 'FunctionDeclaration')) return null;
  const elements = new Elements(source);
  elements.look(body);
  if (!elements.areReadAndWritten) return null;
  const accesses = new ElementAccesses(source);
  accesses.look(body, false);
  if (!accesses.synchronises) return 'all';
  // Whoever waits each time waits for what others do.
  return accesses.plain > 1 && !accesses.waits ? 'plain' : null;
}

/** The elements that a piece of code reads, and those that it writes, as they are called in it. */
class Elements {
  readonly #read = new Set<string>();
  readonly #written = new Set<string>();
  readonly #source: string;

  constructor(source: string) {
    this.#source = source;
  }

  get areReadAndWritten(): boolean {
    return [...this.#written].some((name) => this.#read.has(name));
  }

  /** `changed` is the element that the code is the new value of. */
  look(node: Node, changed = ''): void {
    if (isFunction(node) || LOOPS.has(node.type) || node.type === 'UpdateExpression') return;
    let own = changed;
    if (node.type === 'AssignmentExpression') {
      const target = unwrap(node.left);
      if (target.type === 'MemberExpression' && isElement(target)) {
        own = this.#textOf(target);
        if (node.operator === '=') this.#written.add(own);
        this.look(node.right, own);
        return;
      }
    } else if (node.type === 'MemberExpression' && isElement(node)) {
      const text = this.#textOf(node);
      if (text !== changed) this.#read.add(text);
    } else if (node.type === 'CallExpression') this.#call(node);
    forEachChild(node, (child) => this.look(child, own));
  }

  #call({ callee, arguments: [array, index] }: CallExpression): void {
    const name = atomicFunction(unwrap(callee));
    if (index === undefined || (name !== 'load' && name !== 'store')) return;
    (name === 'load' ? this.#read : this.#written).add(`${this.#textOf(array)}[${this.#textOf(index)}]`);
  }

  #textOf(node: Node): string {
    return this.#source.slice(node.start, node.end);
  }
}
