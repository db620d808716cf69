/*
 * Which reads may flow into what is written or passed on, and which decide whether that happens at all.
 *
 * The functions of a file are interpreted with sets of sources in the place of values: forwards, by scopes and the
 * syntax tree, so that a variable that was given a new value has forgotten the old one. Conditions are kept apart: what
 * stands in a branch, behind an early return or behind a loop depends on its test. Calls of functions of the same file
 * are followed through their parameters and results, whoever calls them; of calls into other files it is noted what they
 * are given, and the judgement puts the files together. Other calls pass on all that they are given.
 */

import {
  type AssignmentExpression,
  type FunctionNode,
  forEachChild,
  isFunction,
  isGlobal,
  isPattern,
  isTypeOnly,
  type Node,
  type NodeOf,
  type Program,
  type Statement,
  staticKey,
  suspends,
  unwrap,
} from './ast.ts';
import { Callees, type FunctionFlow } from './callees.ts';
import { FlowState, rootOf } from './flow-state.ts';
import type { Binding } from './scope.ts';
import { NO_SOURCES, OUTSIDE, type SourceSet, union } from './source-sets.ts';

/** Functions call each other: so often all are looked at, each time with what is known of the others. */
const PASSES = 3;

const OUTSIDE_ONLY: SourceSet = new Set([OUTSIDE]);

/** Global functions and objects whose results are made of their arguments and nothing else. */
const PURE = new Set([
  ...['Array', 'BigInt', 'Boolean', 'Date', 'JSON', 'Map', 'Math', 'Number', 'Object', 'Reflect', 'Set'],
  ...[
    'String',
    'Symbol',
    'isFinite',
    'isNaN',
    'parseFloat',
    'parseInt',
    'structuredClone',
    'Promise',
    'console',
  ],
]);

/** Names of methods that most objects have which are no program's own; those throw by no decision of the program. */
const BUILT_IN = new Set(
  [Object, Array, Function, Map, Promise, RegExp, Set, String, Uint8Array].flatMap(({ prototype }) =>
    Object.getOwnPropertyNames(prototype),
  ),
);

/** Expressions whose value is an object that nobody else has. */
const MAKING: ReadonlySet<string> = new Set(['ObjectExpression', 'ArrayExpression', 'NewExpression']);

/** So many of the arguments that a rest parameter takes are told apart. */
const REST = [0, 1, 2, 3];

/** Methods of arrays and promises that call what they are given, with what is theirs, and give it to nobody else. */
const CALLING_BACK = new Set([
  ...[
    'every',
    'filter',
    'find',
    'findIndex',
    'findLast',
    'flatMap',
    'forEach',
    'map',
    'reduce',
    'some',
    'sort',
  ],
  ...['toSorted', 'then', 'catch', 'finally'],
]);

const LOGICAL = new Set(['??=', '||=', '&&=']);

export class Dependence {
  readonly state = new FlowState();
  readonly callees: Callees;
  /** What is written at some places is an old object with new properties, none of which is made of what it was. */
  readonly merges = new Set<Node>();
  /** The functions by which promises are settled, with the one that is given them. */
  readonly #resolvers = new Map<Binding, FunctionFlow>();

  constructor(program: Program) {
    this.callees = new Callees(program, this.state.newSource);
    for (let pass = 0; pass < PASSES; pass++) {
      this.state.restart(this.callees.module);
      this.#statements(program.body);
    }
  }

  get acts(): FlowState['acts'] {
    return this.state.acts;
  }

  // ---- Statements ----------------------------------------------------------------------------------------------

  #statements(statements: readonly Node[]): void {
    for (const statement of statements) this.#statement(statement as Statement);
  }

  #statement(node: Statement | Node | null | undefined): void {
    if (!node || isTypeOnly(node)) return;
    const { state } = this;
    switch (node.type) {
      case 'VariableDeclaration':
        for (const { id, init } of node.declarations) {
          if (!init) continue;
          this.#bind(id, this.#taken(id, init));
          if (id.type !== 'Identifier') continue;
          if (MAKING.has(unwrap(init).type)) state.noteFresh(id.binding);
          state.noteMadeBy(id.binding, makerOf(init));
        }
        return;
      case 'IfStatement': {
        const condition = state.condition(node.test, this.#evaluate(node.test));
        state.branches(
          () => state.under(condition, () => this.#statement(node.consequent)),
          () => state.under(condition, () => this.#statement(node.alternate)),
        );
        this.#pass(condition, [node.consequent, node.alternate]);
        return;
      }
      case 'SwitchStatement': {
        const condition = state.condition(node, this.#evaluate(node.discriminant));
        state.under(condition, () => {
          for (const { test, consequent } of node.cases) {
            if (test) this.#evaluate(test);
            state.branches(
              () => {},
              () => this.#statements(consequent),
            );
          }
        });
        this.#pass(condition, node.cases);
        return;
      }
      case 'WhileStatement':
      case 'DoWhileStatement':
      case 'ForStatement':
        this.#loop(node);
        return;
      case 'ForInStatement':
      case 'ForOfStatement':
        this.#iteration(node);
        return;
      case 'TryStatement':
        this.#statement(node.block);
        if (node.handler) {
          const { body } = node.handler;
          state.branches(
            () => {},
            () => this.#statement(body),
          );
        }
        this.#statement(node.finalizer);
        return;
      case 'ReturnStatement': {
        const value = node.argument ? this.#evaluate(node.argument) : NO_SOURCES;
        state.flow.returns = union(state.flow.returns, value, state.decisions());
        return;
      }
      case 'ExpressionStatement':
        this.#evaluate(node.expression);
        return;
      case 'BlockStatement':
      case 'StaticBlock':
      case 'TSModuleBlock':
        this.#statements(node.body);
        return;
      case 'ExportNamedDeclaration':
      case 'ExportDefaultDeclaration':
        this.#statement(node.declaration);
        return;
      case 'LabeledStatement':
        this.#statement(node.body);
        return;
      case 'ThrowStatement':
        this.#evaluate(node.argument);
        state.flow.throws = union(state.flow.throws, state.decisions());
        return;
      case 'TSModuleDeclaration':
        this.#statement(node.body);
        return;
      case 'ImportDeclaration':
      case 'ExportAllDeclaration':
      case 'BreakStatement':
      case 'ContinueStatement':
      case 'EmptyStatement':
        return;
      default:
        this.#evaluate(node);
    }
  }

  /** Whoever comes past branches that may leave has been let through by their condition. */
  #pass(condition: number, branches: readonly (Node | null)[]): void {
    const kinds = new Set<string>();
    for (const branch of branches) if (branch) leavesBy(branch, kinds);
    // Who has waited because of it goes on as if it were settled: `if (busy) await turn(); busy = true`.
    if (branches.some((branch) => branch !== null && suspends(branch))) this.state.behind(condition);
    const isOnlyForThisRound = kinds.size === 1 && kinds.has('ContinueStatement');
    if (isOnlyForThisRound) this.state.behind(condition);
    else if (kinds.size > 0) this.state.behindExit(condition);
  }

  #loop(node: NodeOf<'WhileStatement' | 'DoWhileStatement' | 'ForStatement'>): void {
    const { state } = this;
    if (node.type === 'ForStatement') this.#statement(node.init);
    const { test } = node;
    const decide = () => (test ? state.condition(test, this.#evaluate(test)) : null);
    state.loop(() => {
      const condition = node.type === 'DoWhileStatement' ? null : decide();
      const body = () => {
        this.#statement(node.body);
        if (node.type === 'ForStatement' && node.update) this.#evaluate(node.update);
      };
      if (condition === null) body();
      else state.under(condition, body);
      return node.type === 'DoWhileStatement' ? decide() : condition;
    });
  }

  #iteration(node: NodeOf<'ForInStatement' | 'ForOfStatement'>): void {
    const { left, right, body } = node;
    const { state } = this;
    const values = union(this.#evaluate(right), state.source(right));
    state.loop(() => {
      if (node.type === 'ForOfStatement' && node.await) state.wait();
      const target = left.type === 'VariableDeclaration' ? left.declarations[0].id : left;
      this.#bind(target, values);
      state.under(state.condition(right, values), () => this.#statement(body));
      return null;
    });
  }

  // ---- What values are given to --------------------------------------------------------------------------------

  #bind(pattern: Node, value: SourceSet): void {
    const { state } = this;
    const target = unwrap(pattern);
    switch (target.type) {
      case 'Identifier':
        state.give(target.binding, value);
        state.act(target, value);
        return;
      case 'TSParameterProperty':
        this.#bind(target.parameter, value);
        return;
      case 'AssignmentPattern':
        this.#bind(target.left, union(value, this.#evaluate(target.right)));
        return;
      case 'RestElement':
        this.#bind(target.argument, value);
        return;
      case 'ArrayPattern':
        for (const element of target.elements) if (element) this.#bind(element, value);
        return;
      case 'ObjectPattern':
        for (const property of target.properties) {
          if (property.type === 'RestElement') this.#bind(property, value);
          else {
            if (property.computed) this.#evaluate(property.key);
            this.#bind(property.value, union(value, state.property(staticKey(property))));
          }
        }
        return;
      case 'MemberExpression': {
        this.#evaluate(target.object);
        // Which place is written may be decided by what was read: `list[at] = x`.
        const key = target.computed ? this.#evaluate(target.property) : NO_SOURCES;
        state.act(target, union(value, key));
        state.putInto(target, value);
        return;
      }
      default:
        this.#evaluate(target);
    }
  }

  /** The value that a pattern takes apart, of which a probe of its own records what is taken. */
  #taken(pattern: Node, value: Node): SourceSet {
    const sources = this.#evaluate(value);
    return isPattern(unwrap(pattern)) ? union(sources, this.state.source(value)) : sources;
  }

  #function(node: FunctionNode): void {
    const { body } = node;
    if (!body) return;
    const { state } = this;
    const flow = this.callees.flowOf(node);
    state.inFunction(flow, node.type === 'FunctionDeclaration', () => {
      for (const [i, param] of node.params.entries()) {
        const given: SourceSet = new Set(
          param.type === 'RestElement' ? REST.map((more) => flow.parameter(i + more)) : [flow.parameter(i)],
        );
        this.#bind(param, param.type === 'Identifier' ? given : union(given, state.source(param)));
      }
      if (body.type === 'BlockStatement') this.#statements(body.body);
      else flow.returns = union(flow.returns, this.#evaluate(body), state.decisions());
    });
  }

  // ---- Expressions ---------------------------------------------------------------------------------------------

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
    const { state } = this;
    switch (node.type) {
      case 'Identifier': {
        const { binding } = node;
        if (binding === undefined) return NO_SOURCES;
        const resolver = this.#resolvers.get(binding);
        if (resolver !== undefined) resolver.settled = union(resolver.settled, OUTSIDE_ONLY);
        const value = state.lookUp(binding);
        return binding.index < 0 ? value : union(value, state.source(node));
      }
      case 'Literal':
      case 'ThisExpression':
      case 'Super':
      case 'MetaProperty':
        return NO_SOURCES;
      case 'MemberExpression': {
        const object = state.takenBy(staticKey(node), this.#evaluate(node.object));
        const key = node.computed ? this.#evaluate(node.property) : NO_SOURCES;
        return union(object, key, state.source(node), state.property(staticKey(node)));
      }
      case 'ChainExpression':
        return this.#evaluate(node.expression);
      case 'AwaitExpression': {
        state.flowOf.set(node, state.flow);
        const value = this.#evaluate(node.argument);
        state.wait();
        return value;
      }
      case 'SpreadElement':
        return union(this.#evaluate(node.argument), state.source(node.argument));
      case 'ConditionalExpression': {
        const test = this.#evaluate(node.test);
        const condition = state.condition(node.test, test);
        const values: SourceSet[] = [test];
        state.branches(
          () => state.under(condition, () => values.push(this.#evaluate(node.consequent))),
          () => state.under(condition, () => values.push(this.#evaluate(node.alternate))),
        );
        return union(...values);
      }
      case 'LogicalExpression': {
        const left = this.#evaluate(node.left);
        let right = NO_SOURCES;
        state.branches(
          () => {},
          () =>
            state.under(state.condition(node.left, left), () => {
              right = this.#evaluate(node.right);
            }),
        );
        return union(left, right);
      }
      case 'BinaryExpression': {
        const operands = this.#evaluateAll([node.left, node.right]);
        return node.operator === 'in' ? union(operands, state.source(node)) : operands;
      }
      case 'UnaryExpression': {
        const value = this.#evaluate(node.argument);
        if (node.operator === 'delete') state.act(unwrap(node.argument), keysOf(value, node.argument));
        return value;
      }
      case 'UpdateExpression': {
        const target = unwrap(node.argument);
        const old = union(this.#evaluate(target), state.source(target));
        state.act(target, old);
        if (target.type === 'Identifier') state.give(target.binding, old);
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
        return this.#call(node);
      case 'ImportExpression':
        return union(this.#evaluate(node.source), OUTSIDE_ONLY);
      case 'YieldExpression': {
        const value = node.argument ? union(this.#evaluate(node.argument), OUTSIDE_ONLY) : OUTSIDE_ONLY;
        state.wait();
        return value;
      }
      case 'ClassDeclaration':
      case 'ClassExpression':
        for (const member of node.body.body)
          if (member.type === 'StaticBlock') this.#statement(member);
          else if ('value' in member && member.value) this.#evaluate(member.value);
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

  #assignment({ operator, left, right }: AssignmentExpression): SourceSet {
    const { state } = this;
    const target = unwrap(left);
    if (operator === '=') {
      const value = this.#taken(target, right);
      this.#bind(target, value);
      this.#noteMerge(target, right);
      return value;
    }
    const old = union(this.#evaluate(target), state.source(target));
    let value = NO_SOURCES;
    if (!LOGICAL.has(operator)) {
      value = union(old, this.#evaluate(right));
      this.#bind(target, value);
    } else {
      state.branches(
        () => {},
        () =>
          state.under(state.condition(target, old), () => {
            value = this.#evaluate(right);
            this.#bind(target, value);
          }),
      );
    }
    return union(old, value);
  }

  /** `x = { ...x, found }`: keeps what is there, unless it puts back what it had taken from there under the same name. */
  #noteMerge(target: Node, written: Node): void {
    const value = unwrap(written);
    if (value.type !== 'ObjectExpression') return;
    if (!value.properties.some(({ type }) => type === 'SpreadElement')) return;
    const isPutBack = (property: (typeof value.properties)[number]) => {
      if (property.type === 'SpreadElement')
        return unwrap(property.argument).type !== 'MemberExpression' && !isTracked(property.argument);
      const [name] = this.state.property(staticKey(property));
      return name === undefined || this.#evaluate(property.value).has(name);
    };
    if (value.properties.some(isPutBack)) this.merges.delete(target);
    else this.merges.add(target);
  }

  #call(node: NodeOf<'CallExpression' | 'NewExpression'>): SourceSet {
    const { state } = this;
    const args: readonly Node[] = node.arguments;
    const callee = unwrap(node.callee);
    const isMethod = callee.type === 'MemberExpression';
    const object = isMethod ? this.#evaluate(callee.object) : NO_SOURCES;
    if (isMethod && callee.computed) this.#evaluate(callee.property);
    const resolver =
      callee.type === 'Identifier' && callee.binding ? this.#resolvers.get(callee.binding) : undefined;
    if (!isMethod && resolver === undefined) this.#evaluate(callee);
    const inline = args.map(unwrap).filter(isFunction);
    const isPromise = node.type === 'NewExpression' && isGlobal(callee, 'Promise');
    if (isPromise && inline.length > 0) this.#noteResolvers(inline[0]);
    const given = args.map((argument) =>
      isFunction(unwrap(argument)) ? NO_SOURCES : this.#evaluate(argument),
    );
    if (resolver !== undefined) resolver.settled = union(resolver.settled, ...given);
    const all = union(object, ...given);
    const flows = inline.map((fn) => this.callees.flowOf(fn));
    const link = resolver === undefined ? this.callees.links.of(callee) : null;
    const targets = link?.from ? [] : this.callees.of(callee);
    const isKnownCaller =
      isPromise || (isMethod && targets.length === 0 && CALLING_BACK.has(staticKey(callee) ?? ''));
    const handed = isMethod ? union(all, state.source(callee)) : all;
    for (const flow of flows) {
      if (!isPromise) flow.handed = union(flow.handed, handed);
      if (isKnownCaller) flow.calledBy = 'this-file';
    }
    for (const fn of inline) this.#evaluate(fn);
    const answers = flows.map((flow) => (isPromise ? flow.settled : flow.returns));
    const root = rootOf(callee);
    const isPure = root.type === 'Identifier' && root.binding === undefined && PURE.has(root.name);
    const isOwn = isMethod && unwrap(callee.object).type === 'ThisExpression' && targets.length > 0;
    const isFollowed = node.type === 'CallExpression' && !isPure;
    const call = isFollowed
      ? state.call(node, { targets, link: isOwn ? null : link, given: spreadOut(args, given) })
      : null;
    for (const target of targets) {
      if (target !== state.flow) target.calls.add(node);
      answers.push(target.answer(given, state.readNow));
    }
    this.#mayThrow(
      node,
      union(
        ...targets.map((target) => target.substituted(target.throws, given, state.readNow)),
        call !== null && call.link !== null && !BUILT_IN.has(call.link.name)
          ? new Set([call.throws])
          : NO_SOURCES,
      ),
    );
    const held = isMethod ? state.putIn(callee.object, args.length === 0) : NO_SOURCES;
    if (isMethod) {
      state.act(callee, union(...given, ...answers));
      state.putInto(callee.object, union(...given));
      if (args.length > 1) this.#noteMerge(callee, args[args.length - 1]);
    }
    // `Object.assign(o, …)`, `Reflect.set(o, …)`: the probe of what is done to the object stands at the argument.
    const first = args.length > 0 ? unwrap(args[0]) : undefined;
    if (first?.type === 'Identifier' || first?.type === 'MemberExpression')
      state.act(first, union(...given.slice(1)));
    // A function of the file does what stands there; of all others nobody knows what else they look at.
    if (targets.length > 0 && !isMethod) return union(...answers);
    state.act(node, union(held, ...given, ...answers));
    // What is made of the arguments of an imported function, that says itself.
    if (call?.link?.from) return union(...answers, new Set([call.result]), state.source(node));
    // What is done to an argument, such as going through it, has its probe there.
    const looks = args.map((argument) =>
      state.source(argument.type === 'SpreadElement' ? argument.argument : argument),
    );
    const made = union(all, ...answers, ...looks, isMethod ? state.source(callee) : NO_SOURCES);
    if (isPure) return made;
    if (isOwn) return union(made, state.source(node));
    return union(made, call?.link ? new Set([call.result]) : OUTSIDE_ONLY, state.source(node));
  }

  /** Whoever comes past a call that may have thrown was let through by what that has looked at. */
  #mayThrow(call: Node, decidedBy: SourceSet): void {
    if (decidedBy.size === 0) return;
    this.state.flow.throws = union(this.state.flow.throws, decidedBy);
    const condition = this.state.condition(call, decidedBy);
    this.state.throwing.add(condition);
    this.state.behind(condition);
  }

  /** What is given to `resolve` is what the promise comes to; if it is kept, anybody may settle it. */
  #noteResolvers(executor: FunctionNode): void {
    const flow = this.callees.flowOf(executor);
    for (const param of executor.params) {
      const target = unwrap(param);
      if (target.type === 'Identifier' && target.binding !== undefined)
        this.#resolvers.set(target.binding, flow);
    }
  }
}

/** A removal depends on what was removed only as far as that says which: `delete users[id]`. */
function keysOf(value: SourceSet, argument: Node): SourceSet {
  const target = unwrap(argument);
  return target.type === 'MemberExpression' && target.computed ? value : NO_SOURCES;
}

/** What each parameter is given; behind `...rest`, anything of what is left. */
function spreadOut(args: readonly Node[], given: readonly SourceSet[]): readonly SourceSet[] {
  const spread = args.findIndex(({ type }) => type === 'SpreadElement');
  if (spread < 0) return given;
  const rest = union(...given.slice(spread));
  return [...given.slice(0, spread), rest, rest, rest, rest];
}

/** `em` of `await em.findOne(…)`. */
function makerOf(value: Node): Binding | undefined {
  const inner = unwrap(value);
  const call = inner.type === 'AwaitExpression' ? unwrap(inner.argument) : inner;
  if (call.type !== 'CallExpression') return undefined;
  const callee = unwrap(call.callee);
  const root = callee.type === 'MemberExpression' ? rootOf(callee) : null;
  return root?.type === 'Identifier' ? root.binding : undefined;
}

function isTracked(node: Node): boolean {
  const inner = unwrap(node);
  return inner.type === 'Identifier' && (inner.binding?.index ?? -1) >= 0;
}

/** By what kinds of statements a branch may be left. */
function leavesBy(node: Node, kinds: Set<string>): void {
  if (
    node.type === 'ReturnStatement' ||
    node.type === 'ThrowStatement' ||
    node.type === 'BreakStatement' ||
    node.type === 'ContinueStatement'
  )
    kinds.add(node.type);
  forEachChild(node, (child) => {
    if (!isFunction(child) && child.type !== 'ClassDeclaration' && child.type !== 'ClassExpression')
      leavesBy(child, kinds);
  });
}
