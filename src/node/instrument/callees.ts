/*
 * Which functions of a file a call in the file may run, and what flows through their parameters.
 */

import {
  type FunctionNode,
  forEachChild,
  isFunction,
  type Node,
  type Program,
  staticKey,
  unwrap,
} from './ast.ts';
import type { Binding } from './scope.ts';
import { CALLER, NO_SOURCES, type SourceSet, union } from './source-sets.ts';

/** Methods of one name in a file that a call may mean; more are no help. */
const MOST_METHODS = 4;

/** What flows into a function, and out of it. */
export class FunctionFlow {
  readonly node: FunctionNode | Program;
  readonly index: number;
  /** The function in which it is written. */
  around: FunctionFlow | null = null;
  /** Whether only calls are known of it, so that nobody else can call it. */
  areCallersKnown = false;
  returns: SourceSet = NO_SOURCES;
  /** What decides whether it throws. */
  throws: SourceSet = NO_SOURCES;
  /** For the function that makes a promise: what the promise is settled with. */
  settled: SourceSet = NO_SOURCES;
  readonly #newSource: () => number;
  readonly #parameters: number[] = [];
  /** What is handed to each parameter. */
  readonly #given: SourceSet[] = [];
  /** The conditions under which it is called, with the functions that do. */
  readonly calledUnder = new Set<number>();
  readonly callers = new Set<FunctionFlow>();
  /** The calls of it in the file, but for its own. */
  readonly calls = new Set<Node>();

  constructor(node: FunctionNode | Program, index: number, newSource: () => number) {
    this.node = node;
    this.index = index;
    this.#newSource = newSource;
  }

  /** The number that stands for what the parameter is given. */
  parameter(index: number): number {
    this.#parameters[index] ??= this.#newSource();
    return this.#parameters[index];
  }

  /** A callback is handed something of this, in whatever parameter. */
  hand(value: SourceSet): void {
    if (this.node.type === 'Program') return;
    for (let i = 0; i < this.node.params.length; i++)
      this.#given[i] = union(this.#given[i] ?? NO_SOURCES, value);
  }

  call(node: Node, given: readonly SourceSet[], by: FunctionFlow, conditions: readonly number[]): void {
    if (by !== this) this.calls.add(node);
    for (const [i, value] of given.entries()) this.#given[i] = union(this.#given[i] ?? NO_SOURCES, value);
    for (const condition of conditions) this.calledUnder.add(condition);
    this.callers.add(by);
  }

  /** What a call with these arguments gives back. */
  answer(given: readonly SourceSet[]): SourceSet {
    return this.substituted(this.returns, given);
  }

  /** The set with what a call hands over in the place of the parameters. */
  substituted(sources: SourceSet, given: readonly SourceSet[]): SourceSet {
    let answer = sources;
    for (const [i, parameter] of this.#parameters.entries()) {
      if (!answer.has(parameter)) continue;
      const rest = new Set(answer);
      rest.delete(parameter);
      answer = union(rest, given[i] ?? NO_SOURCES);
    }
    return answer;
  }

  /** The parameters by their numbers, each with what it may be given. */
  *parameters(): Generator<[source: number, given: SourceSet]> {
    for (const [i, source] of this.#parameters.entries()) {
      if (source === undefined) continue;
      const given = this.#given[i] ?? NO_SOURCES;
      yield [source, this.areCallersKnown ? given : union(given, new Set([CALLER]))];
    }
  }
}

export class Callees {
  /** What is in no function. */
  readonly module: FunctionFlow;
  readonly #newSource: () => number;
  readonly #flows = new Map<FunctionNode | Program, FunctionFlow>();
  readonly #byBinding = new Map<Binding, FunctionNode[]>();
  readonly #byName = new Map<string, FunctionNode[]>();

  constructor(program: Program, newSource: () => number) {
    this.#newSource = newSource;
    this.module = this.flowOf(program);
    this.module.areCallersKnown = true;
    const used = new Map<Binding, boolean>();
    this.#collect(program, used);
    for (const name of program.scope?.exported.values() ?? []) {
      const binding = program.scope?.bindings.get(name);
      if (binding !== undefined) used.set(binding, true);
    }
    for (const [binding, functions] of this.#byBinding)
      for (const fn of functions) this.flowOf(fn).areCallersKnown = used.get(binding) !== true;
  }

  get flows(): Iterable<FunctionFlow> {
    return this.#flows.values();
  }

  flowOf(fn: FunctionNode | Program): FunctionFlow {
    let flow = this.#flows.get(fn);
    if (flow === undefined) {
      flow = new FunctionFlow(fn, this.#flows.size, this.#newSource);
      this.#flows.set(fn, flow);
    }
    return flow;
  }

  /** The functions that a call may run, as far as they are in the file. */
  of(callee: Node): FunctionFlow[] {
    if (isFunction(callee)) return [this.flowOf(callee)];
    const functions =
      callee.type === 'Identifier' && callee.binding !== undefined
        ? this.#byBinding.get(callee.binding)
        : callee.type === 'MemberExpression'
          ? this.#byName.get(staticKey(callee) ?? '')
          : undefined;
    if (functions === undefined || functions.length > MOST_METHODS) return [];
    return functions.map((fn) => this.flowOf(fn));
  }

  /** `used`: the bindings that are mentioned other than by calling them. */
  #collect(node: Node, used: Map<Binding, boolean>): void {
    switch (node.type) {
      case 'FunctionDeclaration': {
        const binding = node.id && node.scope?.parent?.bindings.get(node.id.name);
        if (binding) add(this.#byBinding, binding, node);
        break;
      }
      case 'VariableDeclarator': {
        const init = node.init && unwrap(node.init);
        if (init && isFunction(init) && node.id.type === 'Identifier' && node.id.binding !== undefined)
          add(this.#byBinding, node.id.binding, init);
        break;
      }
      case 'MethodDefinition':
      case 'PropertyDefinition':
      case 'Property': {
        const value = node.value && unwrap(node.value);
        const name = staticKey(node);
        if (value && isFunction(value) && name !== undefined) add(this.#byName, name, value);
        break;
      }
      case 'ExportNamedDeclaration':
      case 'ExportDefaultDeclaration': {
        const { declaration } = node;
        if (declaration?.type !== 'FunctionDeclaration' || !declaration.id) break;
        const binding = declaration.scope?.parent?.bindings.get(declaration.id.name);
        if (binding) used.set(binding, true);
        break;
      }
      case 'AssignmentExpression': {
        const target = unwrap(node.left);
        const value = unwrap(node.right);
        const name = target.type === 'MemberExpression' ? staticKey(target) : undefined;
        if (isFunction(value) && name !== undefined) add(this.#byName, name, value);
      }
    }
    const callee = node.type === 'CallExpression' ? unwrap(node.callee) : null;
    forEachChild(node, (child) => {
      if (child.type === 'Identifier' && child.binding !== undefined && child !== callee)
        if (!isDeclared(node, child)) used.set(child.binding, true);
      this.#collect(child, used);
    });
  }
}

/** Whether the node declares the name, and does not use it. */
function isDeclared(node: Node, name: Node): boolean {
  return (node.type === 'VariableDeclarator' || isFunction(node)) && node.id === name;
}

function add<K>(map: Map<K, FunctionNode[]>, key: K, fn: FunctionNode): void {
  const known = map.get(key);
  if (known === undefined) map.set(key, [fn]);
  else known.push(fn);
}
