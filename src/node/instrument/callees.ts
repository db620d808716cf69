/*
 * Which functions of a file a call in the file may run, and what flows through their parameters.
 */

import {
  contains,
  type FunctionNode,
  forEachChild,
  isFunction,
  isGlobal,
  isWithBody,
  type Node,
  type Program,
  staticKey,
  unwrap,
} from './ast.ts';
import { FileLinks } from './links.ts';
import type { Binding } from './scope.ts';
import { NO_SOURCES, type SourceSet, union } from './source-sets.ts';

/** Methods of one name in a file that a call may mean; more are no help. */
const MOST_METHODS = 4;

/** Who may call a function. */
export type CalledBy =
  /** Anybody: it is given away. */
  | 'anybody'
  /** Only what is seen to call it in this file. */
  | 'this-file'
  /** Also whoever imports it. */
  | 'importers'
  /** Whoever has the object that it is a property of, by its name. */
  | 'name';

/** What flows into a function, and out of it. */
export class FunctionFlow {
  readonly node: FunctionNode | Program;
  readonly index: number;
  /** The function in which it is written. */
  around: FunctionFlow | null = null;
  calledBy: CalledBy = 'anybody';
  returns: SourceSet = NO_SOURCES;
  /** What decides whether it throws. */
  throws: SourceSet = NO_SOURCES;
  /** For the function that makes a promise: what the promise is settled with. */
  settled: SourceSet = NO_SOURCES;
  /** By parameters, and by the way to where it is: what the function puts into the objects that it is given. */
  readonly puts: Map<string, SourceSet>[] = [];
  /** What a callback is handed, in whatever parameter. */
  handed: SourceSet = NO_SOURCES;
  /** The calls of it in the file, but for its own. */
  readonly calls = new Set<Node>();
  readonly #newSource: () => number;
  #mayBeAnswered: boolean | null = null;
  readonly #parameters: number[] = [];

  constructor(node: FunctionNode | Program, index: number, newSource: () => number) {
    this.node = node;
    this.index = index;
    this.#newSource = newSource;
  }

  /** Whether it may wait for something before it is over. */
  get isAsync(): boolean {
    return this.node.type !== 'Program' && (this.node.async || this.node.generator === true);
  }

  /** Whether it is a plain function that makes a promise, which whoever has got hold of its resolver may settle, such as a batch. */
  get mayBeAnswered(): boolean {
    const { node } = this;
    this.#mayBeAnswered ??=
      node.type !== 'Program' && !this.isAsync && isWithBody(node) && contains(node.body, isNewPromise);
    return this.#mayBeAnswered;
  }

  /** The number that stands for what the parameter is given. */
  parameter(index: number): number {
    this.#parameters[index] ??= this.#newSource();
    return this.#parameters[index];
  }

  /** What a call with these arguments gives back; `mark` says when what the function has read itself was read. */
  answer(given: readonly SourceSet[], mark: (sources: SourceSet) => SourceSet): SourceSet {
    return this.substituted(this.returns, given, mark);
  }

  /** Something is put into what a parameter is given, if the variable is one. */
  notePut(variable: Binding, path: string, value: SourceSet): void {
    const { node } = this;
    if (node.type === 'Program') return;
    const index = node.params.findIndex((param) => param.type === 'Identifier' && param.binding === variable);
    if (index < 0) return;
    this.puts[index] ??= new Map();
    this.puts[index].set(path, union(this.puts[index].get(path) ?? NO_SOURCES, value));
  }

  /** The set with what a call hands over in the place of the parameters. */
  substituted(
    sources: SourceSet,
    given: readonly SourceSet[],
    mark: (sources: SourceSet) => SourceSet,
  ): SourceSet {
    const own = new Set(sources);
    const handed: SourceSet[] = [];
    for (const [i, parameter] of this.#parameters.entries())
      if (own.delete(parameter)) handed.push(given[i] ?? NO_SOURCES);
    return union(mark(own), ...handed);
  }

  /** The parameters by their numbers. */
  *parameters(): Generator<[source: number, index: number]> {
    for (const [i, source] of this.#parameters.entries()) if (source !== undefined) yield [source, i];
  }
}

export class Callees {
  /** What is in no function. */
  readonly module: FunctionFlow;
  readonly #newSource: () => number;
  readonly #flows = new Map<FunctionNode | Program, FunctionFlow>();
  readonly #byBinding = new Map<Binding, FunctionNode[]>();
  readonly #byName = new Map<string, FunctionNode[]>();
  readonly #getters = new Map<string, FunctionNode[]>();
  readonly links: FileLinks;

  constructor(program: Program, newSource: () => number) {
    this.#newSource = newSource;
    this.module = this.flowOf(program);
    this.module.calledBy = 'this-file';
    this.#collect(program);
    this.links = new FileLinks(program, (binding) => {
      const functions = this.#byBinding.get(binding) ?? [];
      return functions.length === 1 ? functions[0] : undefined;
    });
    for (const functions of this.#byName.values())
      for (const fn of functions) this.flowOf(fn).calledBy = 'name';
    const used = new Set<Binding>();
    this.#collectUses(program, used);
    const exported = new Set(this.links.exports.values());
    for (const [binding, functions] of this.#byBinding)
      for (const fn of functions)
        this.flowOf(fn).calledBy = used.has(binding)
          ? 'anybody'
          : exported.has(fn)
            ? 'importers'
            : 'this-file';
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

  /** The getters of the file that a look at a property of this name may run. */
  gettersOf(name: string | undefined): FunctionFlow[] {
    const functions = this.#getters.get(name ?? '') ?? [];
    return functions.length > MOST_METHODS ? [] : functions.map((fn) => this.flowOf(fn));
  }

  /** The functions that are properties, by their names. */
  get methods(): ReadonlyMap<string, readonly FunctionNode[]> {
    return this.#byName;
  }

  #collect(node: Node): void {
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
        if (node.kind === 'method') this.#addMethod(staticKey(node), node.value);
        else if (node.kind === 'get') this.#addMethod(staticKey(node), node.value, this.#getters);
        break;
      case 'PropertyDefinition':
        if (node.value) this.#addMethod(staticKey(node), node.value);
        break;
      case 'Property':
        if (node.kind === 'init') this.#addMethod(staticKey(node), node.value);
        else if (node.kind === 'get') this.#addMethod(staticKey(node), node.value, this.#getters);
        break;
      case 'AssignmentExpression': {
        const target = unwrap(node.left);
        if (target.type === 'MemberExpression') this.#addMethod(staticKey(target), node.right);
      }
    }
    forEachChild(node, (child) => this.#collect(child));
  }

  #addMethod(name: string | undefined, node: Node, methods = this.#byName): void {
    const value = unwrap(node);
    if (isFunction(value) && name !== undefined) add(methods, name, value);
  }

  /** `used`: the bindings that are mentioned other than by calling or exporting them. */
  #collectUses(node: Node, used: Set<Binding>): void {
    const callee = node.type === 'CallExpression' ? unwrap(node.callee) : null;
    if (callee !== null && isFunction(callee)) this.flowOf(callee).calledBy = 'this-file';
    forEachChild(node, (child) => {
      if (child.type === 'Identifier' && child.binding !== undefined && child !== callee)
        if (!isDeclared(node, child) && !this.links.exporting.has(child)) used.add(child.binding);
      this.#collectUses(child, used);
    });
  }
}

/** Whether the node declares or exports the name, and does not use it. */
function isDeclared(node: Node, name: Node): boolean {
  if (node.type === 'ExportSpecifier') return true;
  return (node.type === 'VariableDeclarator' || isFunction(node)) && node.id === name;
}

function add<K>(map: Map<K, FunctionNode[]>, key: K, fn: FunctionNode): void {
  const known = map.get(key);
  if (known === undefined) map.set(key, [fn]);
  else known.push(fn);
}

function isNewPromise(node: Node): boolean {
  return node.type === 'NewExpression' && isGlobal(unwrap(node.callee), 'Promise');
}
