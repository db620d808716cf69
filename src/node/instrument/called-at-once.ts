/*
 * Functions of a file that call what they are given at once, and do nothing else with it: `take(text, (c) => c !== '"')`. Whoever gives
 * them a function does not go on in that later.
 */

import {
  type FunctionNode,
  forEachChild,
  type Identifier,
  isFunction,
  isWithBody,
  type Node,
  type Program,
  unwrap,
} from './ast.ts';
import type { Binding } from './scope.ts';

export class CalledAtOnce {
  /** Functions by where their names are declared. */
  readonly #functions = new Map<number, FunctionNode>();
  /** The names of declared functions, and those that are declared more than once: the last one counts. */
  readonly #names = new Set<string>();
  readonly #twice = new Set<string>();
  /** Private methods by their names, which several classes may have. */
  readonly #methods = new Map<string, Node[]>();
  readonly #known = new Map<FunctionNode, ReadonlySet<Binding>>();

  constructor(program: Program) {
    this.#collect(program);
  }

  /** Whether the argument at this place is called while the call lasts, if it is at all. */
  has(callee: Node, index: number): boolean {
    if (callee.type === 'Identifier') {
      const { binding } = callee;
      if (binding?.offset === undefined || binding.assignments > 0 || this.#twice.has(callee.name))
        return false;
      const found = this.#functions.get(binding.offset);
      return found !== undefined && this.#isAtOnce(found, index);
    }
    if (callee.type !== 'MemberExpression' || callee.property.type !== 'PrivateIdentifier') return false;
    const methods = this.#methods.get(callee.property.name) ?? [];
    return (
      methods.length > 0 && methods.every((method) => isFunction(method) && this.#isAtOnce(method, index))
    );
  }

  #collect(node: Node): void {
    if (node.type === 'FunctionDeclaration' && node.id) {
      if (this.#names.has(node.id.name)) this.#twice.add(node.id.name);
      this.#names.add(node.id.name);
      this.#functions.set(node.id.start, node);
    }
    if (node.type === 'VariableDeclarator' && node.id.type === 'Identifier' && node.init) {
      const value = unwrap(node.init);
      if (isFunction(value)) this.#functions.set(node.id.start, value);
    }
    if (
      (node.type === 'MethodDefinition' || node.type === 'PropertyDefinition') &&
      node.key.type === 'PrivateIdentifier'
    ) {
      const methods = this.#methods.get(node.key.name) ?? [];
      // A field may hold anything later, and so may what an accessor gives.
      methods.push(node.type === 'MethodDefinition' && node.kind === 'method' ? node.value : node);
      this.#methods.set(node.key.name, methods);
    }
    forEachChild(node, (child) => this.#collect(child));
  }

  #isAtOnce(node: FunctionNode, index: number): boolean {
    const param = node.params[index];
    const name = param?.type === 'AssignmentPattern' ? param.left : param;
    if (name?.type !== 'Identifier' || name.binding === undefined) return false;
    return this.#onlyCalled(node).has(name.binding);
  }

  /** The parameters of a plain function that it only calls. */
  #onlyCalled(node: FunctionNode): ReadonlySet<Binding> {
    const known = this.#known.get(node);
    if (known !== undefined) return known;
    const called = new Set<Binding>();
    if (!node.async && !node.generator && isWithBody(node)) {
      for (const param of node.params) {
        const name = param.type === 'AssignmentPattern' ? param.left : param;
        const binding = name.type === 'Identifier' ? name.binding : undefined;
        if (binding !== undefined && !binding.captured && binding.assignments === 0) called.add(binding);
      }
      look(node.body, null, called);
    }
    this.#known.set(node, called);
    return called;
  }
}

/** Takes out what is used for anything but a call. */
function look(node: Node, parent: Node | null, called: Set<Binding>): void {
  if (node.type === 'Identifier') {
    // All arguments may be handed on together, and code in a string may know their names.
    if (node.name === 'arguments' || node.name === 'eval') called.clear();
    else if (node.binding !== undefined && !isCallee(node, parent)) called.delete(node.binding);
    return;
  }
  forEachChild(node, (child) => look(child, node, called));
}

function isCallee(node: Identifier, parent: Node | null): boolean {
  return parent?.type === 'CallExpression' && parent.callee === node;
}
