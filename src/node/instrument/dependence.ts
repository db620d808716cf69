/*
 * Which reads may flow into what is written or passed on, and which decide whether that happens at all.
 *
 * The functions of a file are interpreted with sets of sources in the place of values: forwards, by scopes and the
 * syntax tree, so that a variable that was given a new value has forgotten the old one. Conditions are kept apart: what
 * stands in a branch, behind an early return or behind a loop depends on its test. Calls of functions of the same file
 * are followed through their parameters and results, whoever calls them; other calls pass on all that they are given.
 */

import { forEachChild, isFunction, isTypeOnly, type Node, unwrap } from './ast.ts';
import { Callees, type FunctionFlow } from './callees.ts';
import type { Binding } from './scopes.ts';
import { NO_SOURCES, OUTSIDE, type SourceSet, union } from './source-sets.ts';

/** What an access, or a call, depends on. */
export interface Act {
  /** The function that it stands in. */
  flow: FunctionFlow;
  /** Sources of what is written or passed. */
  data: SourceSet;
  /** Numbers of the conditions that decide whether it is reached, within its function. */
  conditions: ReadonlySet<number>;
}

type Environment = Map<Binding, SourceSet>;

/** Functions call each other: so often all are looked at, each time with what is known of the others. */
const PASSES = 3;

const OUTSIDE_ONLY: SourceSet = new Set([OUTSIDE]);

/** Global functions and objects whose results are made of their arguments and nothing else. */
const PURE = new Set([
  ...['Array', 'BigInt', 'Boolean', 'Date', 'JSON', 'Math', 'Number', 'Object', 'Reflect', 'String', 'Symbol'],
  ...['isFinite', 'isNaN', 'parseFloat', 'parseInt', 'structuredClone', 'Promise', 'console'],
]);

const ABRUPT = new Set(['ReturnStatement', 'ThrowStatement', 'BreakStatement']);

export class Dependence {
  readonly #sourceIds = new Map<Node, number>();
  /** By number; the first two are `OUTSIDE` and `CALLER`. Parameters of functions have numbers as well, but no node. */
  readonly sources: (Node | null)[] = [null, null];
  /** What each condition looks at. */
  readonly conditions: SourceSet[] = [];
  readonly #conditionIds = new Map<Node, number>();
  readonly acts = new Map<Node, Act>();
  /** Which function a source or an act stands in. */
  readonly flowOf = new Map<Node, FunctionFlow>();
  readonly callees: Callees;

  /** What a variable has ever been given, for functions that look at variables of others. */
  readonly #everywhere: Environment = new Map();
  #flow: FunctionFlow;
  #environment: Environment = new Map();
  #conditions: readonly number[] = [];
  /** Conditions by which the loop that is being looked at may be left. */
  #exits: number[] = [];

  constructor(program: Node) {
    this.callees = new Callees(program, () => this.sources.push(null) - 1);
    this.#flow = this.callees.module;
    for (let pass = 0; pass < PASSES; pass++) {
      this.#environment = new Map();
      this.#conditions = [];
      this.#statements(program.body);
    }
  }

  #source(node: Node): SourceSet {
    let id = this.#sourceIds.get(node);
    if (id === undefined) {
      id = this.sources.push(node) - 1;
      this.#sourceIds.set(node, id);
      this.flowOf.set(node, this.#flow);
    }
    return new Set([id]);
  }

  #act(node: Node, data: SourceSet): void {
    const known = this.acts.get(node);
    this.flowOf.set(node, this.#flow);
    this.acts.set(node, {
      flow: this.#flow,
      data: known === undefined ? data : union(known.data, data),
      conditions: new Set([...(known?.conditions ?? []), ...this.#conditions]),
    });
  }

  // ---- Variables -----------------------------------------------------------------------------------------------

  #lookUp(binding: Binding): SourceSet {
    const here = this.#environment.get(binding);
    if (here !== undefined) return here;
    // What others put into a variable that changes is read in the trace.
    return binding.index < 0 ? (this.#everywhere.get(binding) ?? NO_SOURCES) : NO_SOURCES;
  }

  #give(binding: Binding | undefined, value: SourceSet): void {
    if (binding === undefined) return;
    this.#environment.set(binding, value);
    if (binding.captured || binding.kind === 'param')
      this.#everywhere.set(binding, union(this.#everywhere.get(binding) ?? NO_SOURCES, value));
  }

  /** Something is put into an object: whoever has the object has it too. */
  #putInto(object: Node, value: SourceSet): void {
    let root = unwrap(object);
    while (root.type === 'MemberExpression') root = unwrap(root.object);
    const { binding } = root;
    if (root.type === 'Identifier' && binding !== undefined && value.size > 0)
      this.#give(binding, union(this.#lookUp(binding), value));
  }

  #bindPattern(pattern: Node, value: SourceSet): void {
    const target = unwrap(pattern);
    switch (target.type) {
      case 'Identifier':
        this.#give(target.binding, value);
        this.#act(target, value);
        return;
      case 'TSParameterProperty':
        this.#bindPattern(target.parameter, value);
        return;
      case 'AssignmentPattern':
        this.#bindPattern(target.left, union(value, this.#evaluate(target.right)));
        return;
      case 'RestElement':
        this.#bindPattern(target.argument, value);
        return;
      case 'ArrayPattern':
        for (const element of target.elements) if (element) this.#bindPattern(element, value);
        return;
      case 'ObjectPattern':
        for (const property of target.properties) {
          if (property.computed) this.#evaluate(property.key);
          this.#bindPattern(property.type === 'RestElement' ? property : property.value, value);
        }
        return;
      default:
        this.#evaluate(target);
        this.#act(target, value);
        if (target.type === 'MemberExpression') this.#putInto(target.object, value);
    }
  }

  // ---- Control -------------------------------------------------------------------------------------------------

  /** The number of a condition, with what it looks at. */
  #condition(node: Node, sources: SourceSet): number {
    let id = this.#conditionIds.get(node);
    if (id === undefined) {
      id = this.conditions.push(NO_SOURCES) - 1;
      this.#conditionIds.set(node, id);
    }
    this.conditions[id] = union(this.conditions[id], sources);
    return id;
  }

  #under(condition: number, inside: () => void): void {
    const outer = this.#conditions;
    if (!outer.includes(condition)) this.#conditions = [...outer, condition];
    inside();
    this.#conditions = outer;
  }

  /** What follows is reached only because of this. */
  #behind(condition: number): void {
    if (!this.#conditions.includes(condition)) this.#conditions = [...this.#conditions, condition];
  }

  #decidedBy(conditions: readonly number[]): SourceSet {
    return union(...conditions.map((id) => this.conditions[id]));
  }

  #merge(other: Environment): void {
    for (const [binding, value] of other)
      this.#environment.set(binding, union(this.#environment.get(binding) ?? NO_SOURCES, value));
  }

  /** Runs each branch from the same start, and goes on with what any of them may have left. */
  #branches(...branches: readonly (() => void)[]): void {
    const start = this.#environment;
    const ends: Environment[] = [];
    for (const branch of branches) {
      this.#environment = new Map(start);
      branch();
      ends.push(this.#environment);
    }
    this.#environment = ends[0];
    for (const end of ends.slice(1)) this.#merge(end);
  }

  // ---- Statements ----------------------------------------------------------------------------------------------

  #statements(statements: readonly Node[]): void {
    for (const statement of statements) this.#statement(statement);
  }

  #statement(node: Node | null | undefined): void {
    if (!node || isTypeOnly(node)) return;
    switch (node.type) {
      case 'VariableDeclaration':
        for (const { id, init } of node.declarations) if (init) this.#bindPattern(id, this.#taken(id, init));
        return;
      case 'IfStatement': {
        const condition = this.#condition(node.test, this.#evaluate(node.test));
        const exits = this.#exits.length;
        this.#branches(
          () => this.#under(condition, () => this.#statement(node.consequent)),
          () => this.#under(condition, () => this.#statement(node.alternate)),
        );
        for (const exit of this.#exits.slice(exits)) this.#behind(exit);
        this.#afterBranches(condition, [node.consequent, node.alternate]);
        return;
      }
      case 'SwitchStatement': {
        const condition = this.#condition(node, this.#evaluate(node.discriminant));
        this.#under(condition, () => {
          for (const { test, consequent } of node.cases) {
            if (test) this.#evaluate(test);
            this.#branches(
              () => {},
              () => this.#statements(consequent),
            );
          }
        });
        this.#afterBranches(condition, node.cases);
        return;
      }
      case 'WhileStatement':
      case 'DoWhileStatement':
      case 'ForStatement':
        this.#statement(node.init);
        this.#loop(node, node.test ?? null, () => {
          this.#statement(node.body);
          if (node.update) this.#evaluate(node.update);
        });
        return;
      case 'ForInStatement':
      case 'ForOfStatement': {
        const { left, right } = node;
        const values = union(this.#evaluate(right), this.#source(right));
        this.#loop(node, null, () => {
          this.#bindPattern(left.type === 'VariableDeclaration' ? left.declarations[0].id : left, values);
          this.#under(this.#condition(right, values), () => this.#statement(node.body));
        });
        return;
      }
      case 'TryStatement':
        this.#statement(node.block);
        if (node.handler)
          this.#branches(
            () => {},
            () => this.#statement(node.handler.body),
          );
        this.#statement(node.finalizer);
        return;
      case 'ReturnStatement': {
        const value = node.argument ? this.#evaluate(node.argument) : NO_SOURCES;
        this.#flow.returns = union(this.#flow.returns, value, this.#decidedBy(this.#conditions));
        return;
      }
      case 'FunctionDeclaration':
        this.#function(node);
        return;
      case 'ExpressionStatement':
        this.#evaluate(node.expression);
        return;
      case 'BlockStatement':
      case 'StaticBlock':
      case 'TSModuleBlock':
        this.#statements(node.body);
        return;
      case 'LabeledStatement':
        this.#statement(node.body);
        return;
      case 'ExportNamedDeclaration':
      case 'ExportDefaultDeclaration':
        if (node.declaration) this.#statementOrValue(node.declaration);
        return;
      case 'ImportDeclaration':
      case 'ExportAllDeclaration':
        return;
      default:
        forEachChild(node, (child) => this.#statementOrValue(child));
    }
  }

  #statementOrValue(node: Node): void {
    if (/Statement$|Declaration$|^StaticBlock$|^TSModule/.test(node.type) && node.type !== 'ClassDeclaration')
      this.#statement(node);
    else this.#evaluate(node);
  }

  /** Whoever comes past a branch that may leave has been let through by its condition. */
  #afterBranches(condition: number, branches: readonly (Node | null)[]): void {
    const kinds = new Set<string>();
    for (const branch of branches) if (branch) leavesBy(branch, kinds);
    if (kinds.size === 0) return;
    if ([...ABRUPT].some((kind) => kinds.has(kind))) this.#exits.push(condition);
    this.#behind(condition);
  }

  #loop(node: Node, test: Node | null, body: () => void): void {
    const outer = this.#conditions;
    const exits = this.#exits;
    this.#exits = [];
    let condition = -1;
    for (let round = 0; round < 2; round++) {
      const start = new Map(this.#environment);
      if (test !== null && node.type !== 'DoWhileStatement')
        condition = this.#condition(test, this.#evaluate(test));
      if (condition >= 0) this.#under(condition, body);
      else body();
      if (node.type === 'DoWhileStatement') condition = this.#condition(node.test, this.#evaluate(node.test));
      this.#merge(start);
    }
    this.#conditions = outer;
    if (condition >= 0) this.#behind(condition);
    for (const exit of this.#exits) this.#behind(exit);
    this.#exits = [...exits, ...this.#exits];
  }

  // ---- Expressions ---------------------------------------------------------------------------------------------

  /** The value that a pattern takes apart, of which a probe of its own records what is taken. */
  #taken(pattern: Node, value: Node): SourceSet {
    const sources = this.#evaluate(value);
    return pattern.type === 'Identifier' ? sources : union(sources, this.#source(value));
  }

  #evaluateAll(nodes: readonly (Node | null)[]): SourceSet {
    return union(...nodes.map((node) => (node ? this.#evaluate(node) : NO_SOURCES)));
  }

  #evaluate(outer: Node): SourceSet {
    const node = unwrap(outer);
    if (isTypeOnly(node)) return NO_SOURCES;
    if (isFunction(node)) {
      this.#function(node);
      return NO_SOURCES;
    }
    switch (node.type) {
      case 'Identifier': {
        const { binding } = node;
        if (binding === undefined) return NO_SOURCES;
        const value = this.#lookUp(binding);
        return binding.index < 0 ? value : union(value, this.#source(node));
      }
      case 'Literal':
      case 'ThisExpression':
      case 'Super':
      case 'MetaProperty':
        return NO_SOURCES;
      case 'MemberExpression': {
        const object = this.#evaluate(node.object);
        const key = node.computed ? this.#evaluate(node.property) : NO_SOURCES;
        return union(object, key, this.#source(node));
      }
      case 'ChainExpression':
      case 'AwaitExpression':
        return this.#evaluate(node.expression ?? node.argument);
      case 'SpreadElement':
        return union(this.#evaluate(node.argument), this.#source(node.argument));
      case 'ConditionalExpression': {
        const test = this.#evaluate(node.test);
        const condition = this.#condition(node.test, test);
        const values: SourceSet[] = [test];
        this.#branches(
          () => this.#under(condition, () => values.push(this.#evaluate(node.consequent))),
          () => this.#under(condition, () => values.push(this.#evaluate(node.alternate))),
        );
        return union(...values);
      }
      case 'LogicalExpression': {
        const left = this.#evaluate(node.left);
        let right = NO_SOURCES;
        this.#branches(
          () => {},
          () =>
            this.#under(this.#condition(node.left, left), () => {
              right = this.#evaluate(node.right);
            }),
        );
        return union(left, right);
      }
      case 'BinaryExpression': {
        const operands = this.#evaluateAll([node.left, node.right]);
        return node.operator === 'in' ? union(operands, this.#source(node)) : operands;
      }
      case 'UnaryExpression':
        if (node.operator === 'delete') this.#act(unwrap(node.argument), this.#evaluate(node.argument));
        return this.#evaluate(node.argument);
      case 'UpdateExpression': {
        const target = unwrap(node.argument);
        const old = union(this.#evaluate(target), this.#source(target));
        this.#act(target, old);
        if (target.type === 'Identifier') this.#give(target.binding, old);
        return old;
      }
      case 'AssignmentExpression':
        return this.#assignment(node);
      case 'SequenceExpression': {
        let last = NO_SOURCES;
        for (const part of node.expressions) last = this.#evaluate(part);
        return last;
      }
      case 'CallExpression':
      case 'NewExpression':
      case 'ImportExpression':
        return this.#call(node);
      case 'YieldExpression':
        return node.argument ? union(this.#evaluate(node.argument), OUTSIDE_ONLY) : OUTSIDE_ONLY;
      case 'ClassDeclaration':
      case 'ClassExpression':
        for (const member of node.body.body) this.#classMember(member);
        return node.superClass ? this.#evaluate(node.superClass) : NO_SOURCES;
      case 'Property':
        if (node.computed) this.#evaluate(node.key);
        return this.#evaluate(node.value);
      default: {
        const values: SourceSet[] = [];
        forEachChild(node, (child) => values.push(this.#evaluate(child)));
        return union(...values);
      }
    }
  }

  #classMember(member: Node): void {
    if (member.type === 'StaticBlock') this.#statement(member);
    else if (member.value) this.#evaluate(member.value);
  }

  #assignment(node: Node): SourceSet {
    const { operator, right } = node;
    const left = unwrap(node.left);
    if (operator === '=') {
      const value = this.#taken(left.type.endsWith('Pattern') ? left : { ...left, type: 'Identifier' }, right);
      this.#bindPattern(left, value);
      return value;
    }
    const old = union(this.#evaluate(left), this.#source(left));
    const isLogical = operator === '??=' || operator === '||=' || operator === '&&=';
    let value = NO_SOURCES;
    const assign = () => {
      value = isLogical ? this.#evaluate(right) : union(old, this.#evaluate(right));
      this.#bindPattern(left, value);
    };
    if (!isLogical) assign();
    else
      this.#branches(
        () => {},
        () => this.#under(this.#condition(left, old), assign),
      );
    return union(old, value);
  }

  #call(node: Node): SourceSet {
    const args: Node[] = node.arguments ?? [node.source];
    const callee = node.callee ? unwrap(node.callee) : node;
    const isMethod = callee.type === 'MemberExpression';
    const object = isMethod ? this.#evaluate(callee.object) : NO_SOURCES;
    if (isMethod && callee.computed) this.#evaluate(callee.property);
    if (!isMethod && callee !== node) this.#evaluate(callee);
    const inline = args.map(unwrap).filter(isFunction);
    const given = args.map((argument) => (isFunction(unwrap(argument)) ? NO_SOURCES : this.#evaluate(argument)));
    const all = union(object, ...given);
    for (const fn of inline) this.callees.flowOf(fn).hand(all);
    for (const fn of inline) this.#evaluate(fn);
    const answers = inline.map((fn) => this.callees.flowOf(fn).returns);
    const targets = this.callees.of(node, callee);
    for (const target of targets) {
      target.call(given, this.#flow, this.#conditions);
      answers.push(target.answer(given));
    }
    const root = rootOf(callee);
    const isPure = root.type === 'Identifier' && root.binding === undefined && PURE.has(root.name);
    // A class or function of the file does what stands there; of all others nobody knows what else they look at.
    const isKnown = targets.length > 0 && !isMethod;
    if (isMethod) {
      this.#act(callee, union(...given, ...answers));
      this.#putInto(callee.object, all);
    }
    if (args.length > 0) this.#firstArgument(args[0], union(...given.slice(1)));
    if (isKnown) return union(...answers);
    this.#act(node, union(...given, ...answers));
    const made = union(all, ...answers, isMethod ? this.#source(callee) : NO_SOURCES);
    return isPure ? union(made, args.length > 0 ? this.#source(args[0]) : NO_SOURCES) : union(made, OUTSIDE_ONLY, this.#source(node));
  }

  /** `Object.assign(o, …)`, `Reflect.set(o, …)`: the probe of what is done to the object stands at the argument. */
  #firstArgument(argument: Node, others: SourceSet): void {
    const target = unwrap(argument);
    if (target.type === 'Identifier' || target.type === 'MemberExpression') this.#act(target, others);
  }

  #function(node: Node): void {
    if (!node.body) return;
    const outer = { flow: this.#flow, environment: this.#environment, conditions: this.#conditions, exits: this.#exits };
    const flow = this.callees.flowOf(node);
    flow.around ??= this.#flow;
    this.#flow = flow;
    // What it looks at of the functions around it, it may look at later, when that has changed.
    this.#environment = new Map();
    this.#exits = [];
    if (node.type === 'FunctionDeclaration') this.#conditions = [];
    for (const [i, param] of node.params.entries()) this.#bindPattern(param, new Set([flow.parameter(i)]));
    if (node.body.type === 'BlockStatement') this.#statements(node.body.body);
    else flow.returns = union(flow.returns, this.#evaluate(node.body), this.#decidedBy(this.#conditions));
    this.#flow = outer.flow;
    this.#environment = outer.environment;
    this.#conditions = outer.conditions;
    this.#exits = outer.exits;
  }
}

function rootOf(node: Node): Node {
  let root = unwrap(node);
  while (root.type === 'MemberExpression') root = unwrap(root.object);
  return root;
}

/** By what kinds of statements a branch may be left. */
function leavesBy(node: Node, kinds: Set<string>): void {
  if (ABRUPT.has(node.type) || node.type === 'ContinueStatement') kinds.add(node.type);
  forEachChild(node, (child) => {
    if (!isFunction(child) && !child.type.startsWith('Class')) leavesBy(child, kinds);
  });
}
