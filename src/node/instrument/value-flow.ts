import {
  type AssignmentExpression,
  type FunctionNode,
  forEachChild,
  isFunction,
  isPattern,
  isTypeOnly,
  type Node,
  staticKey,
  unwrap,
} from './ast.ts';
import { CallFlow } from './call-flow.ts';
import type { Callees } from './callees.ts';
import type { FlowState } from './flow-state.ts';
import { NO_SOURCES, OUTSIDE_ONLY, type SourceSet, union } from './source-sets.ts';

/** So many of the arguments that a rest parameter takes are told apart. */
const REST = [0, 1, 2, 3];

const LOGICAL = new Set(['??=', '||=', '&&=']);

/** Interprets expressions for `Dependence`: which reads their values are made of, and what is given these. */
export class ValueFlow {
  /** What is written at some places is an old object with new properties, none of which is made of what it was. */
  readonly merges = new Set<Node>();
  readonly #state: FlowState;
  readonly #callees: Callees;
  readonly #calls: CallFlow;
  readonly #run: (statements: readonly Node[]) => void;

  /** `run` interprets statements, such as those of a function's body. */
  constructor(state: FlowState, callees: Callees, run: (statements: readonly Node[]) => void) {
    this.#state = state;
    this.#callees = callees;
    this.#calls = new CallFlow(state, callees, this);
    this.#run = run;
  }

  // ---- What values are given to --------------------------------------------------------------------------------

  bind(pattern: Node, value: SourceSet): void {
    const state = this.#state;
    const target = unwrap(pattern);
    switch (target.type) {
      case 'Identifier':
        state.give(target.binding, value);
        state.act(target, value);
        return;
      case 'TSParameterProperty':
        this.bind(target.parameter, value);
        return;
      case 'AssignmentPattern':
        this.bind(target.left, union(value, this.evaluate(target.right)));
        return;
      case 'RestElement':
        this.bind(target.argument, value);
        return;
      case 'ArrayPattern':
        for (const element of target.elements) if (element) this.bind(element, value);
        return;
      case 'ObjectPattern':
        for (const property of target.properties) {
          if (property.type === 'RestElement') this.bind(property, value);
          else {
            if (property.computed) this.evaluate(property.key);
            this.bind(property.value, union(value, state.property(staticKey(property))));
          }
        }
        return;
      case 'MemberExpression': {
        this.evaluate(target.object);
        // Which place is written may be decided by what was read: `list[at] = x`.
        const key = target.computed ? this.evaluate(target.property) : NO_SOURCES;
        state.act(target, union(value, key));
        state.putInto(target, value);
        return;
      }
      default:
        this.evaluate(target);
    }
  }

  /** The value that a pattern takes apart, of which a probe of its own records what is taken. */
  taken(pattern: Node, value: Node): SourceSet {
    const sources = this.evaluate(value);
    return isPattern(unwrap(pattern)) ? union(sources, this.#state.source(value)) : sources;
  }

  #function(node: FunctionNode): void {
    const { body } = node;
    if (!body) return;
    const state = this.#state;
    const flow = this.#callees.flowOf(node);
    state.inFunction(flow, node.type === 'FunctionDeclaration', () => {
      for (const [i, param] of node.params.entries()) {
        const given: SourceSet = new Set(
          param.type === 'RestElement' ? REST.map((more) => flow.parameter(i + more)) : [flow.parameter(i)],
        );
        this.bind(param, param.type === 'Identifier' ? given : union(given, state.source(param)));
      }
      if (body.type === 'BlockStatement') this.#run(body.body);
      else flow.returns = union(flow.returns, this.evaluate(body), state.decisions());
    });
  }

  // ---- Expressions ---------------------------------------------------------------------------------------------

  #evaluateAll(nodes: readonly (Node | null)[]): SourceSet {
    return union(...nodes.map((node) => (node ? this.evaluate(node) : NO_SOURCES)));
  }

  evaluate(outer: Node): SourceSet {
    const node = unwrap(outer);
    if (isTypeOnly(node)) return NO_SOURCES;
    if (isFunction(node)) {
      this.#function(node);
      return NO_SOURCES;
    }
    const state = this.#state;
    switch (node.type) {
      case 'Identifier': {
        const { binding } = node;
        if (binding === undefined) return NO_SOURCES;
        this.#calls.noteMention(binding);
        const value = state.lookUp(binding);
        return binding.index < 0 ? value : union(value, state.source(node));
      }
      case 'Literal':
      case 'ThisExpression':
      case 'Super':
      case 'MetaProperty':
        return NO_SOURCES;
      case 'MemberExpression': {
        const object = state.takenBy(staticKey(node), this.evaluate(node.object));
        const key = node.computed ? this.evaluate(node.property) : NO_SOURCES;
        const got = this.#calls.look(node);
        return union(object, key, got, state.source(node), state.property(staticKey(node)));
      }
      case 'ChainExpression':
        return this.evaluate(node.expression);
      case 'AwaitExpression': {
        state.flowOf.set(node, state.flow);
        const value = this.evaluate(node.argument);
        state.wait();
        return value;
      }
      case 'SpreadElement':
        return union(this.evaluate(node.argument), state.source(node.argument));
      case 'ConditionalExpression': {
        const test = this.evaluate(node.test);
        const condition = state.condition(node.test, test);
        const values: SourceSet[] = [test];
        state.branches(
          () => state.under(condition, () => values.push(this.evaluate(node.consequent))),
          () => state.under(condition, () => values.push(this.evaluate(node.alternate))),
        );
        return union(...values);
      }
      case 'LogicalExpression': {
        const left = this.evaluate(node.left);
        let right = NO_SOURCES;
        state.branches(
          () => {},
          () =>
            state.under(state.condition(node.left, left), () => {
              right = this.evaluate(node.right);
            }),
        );
        return union(left, right);
      }
      case 'BinaryExpression': {
        const operands = this.#evaluateAll([node.left, node.right]);
        return node.operator === 'in' ? union(operands, state.source(node)) : operands;
      }
      case 'UnaryExpression': {
        const value = this.evaluate(node.argument);
        if (node.operator === 'delete') state.act(unwrap(node.argument), keysOf(value, node.argument));
        return value;
      }
      case 'UpdateExpression': {
        const target = unwrap(node.argument);
        const old = union(this.evaluate(target), state.source(target));
        state.act(target, old);
        if (target.type === 'Identifier') state.give(target.binding, old);
        return old;
      }
      case 'AssignmentExpression':
        return this.#assignment(node);
      case 'SequenceExpression': {
        let last = NO_SOURCES;
        for (const part of node.expressions) last = this.evaluate(part);
        return last;
      }
      case 'CallExpression':
      case 'NewExpression':
        return this.#calls.call(node);
      case 'ImportExpression':
        return union(this.evaluate(node.source), OUTSIDE_ONLY);
      case 'YieldExpression': {
        const value = node.argument ? union(this.evaluate(node.argument), OUTSIDE_ONLY) : OUTSIDE_ONLY;
        state.wait();
        return value;
      }
      case 'ClassDeclaration':
      case 'ClassExpression':
        for (const member of node.body.body)
          if (member.type === 'StaticBlock') this.#run([member]);
          else if ('value' in member && member.value) this.evaluate(member.value);
        return node.superClass ? this.evaluate(node.superClass) : NO_SOURCES;
      case 'Property':
        if (node.computed) this.evaluate(node.key);
        return this.evaluate(node.value);
      default: {
        const values: SourceSet[] = [];
        forEachChild(node, (child) => values.push(this.evaluate(child)));
        return union(...values);
      }
    }
  }

  #assignment({ operator, left, right }: AssignmentExpression): SourceSet {
    const state = this.#state;
    const target = unwrap(left);
    if (operator === '=') {
      const value = this.taken(target, right);
      this.bind(target, value);
      this.noteMerge(target, right);
      return value;
    }
    const old = union(this.evaluate(target), state.source(target));
    let value = NO_SOURCES;
    if (!LOGICAL.has(operator)) {
      value = union(old, this.evaluate(right));
      this.bind(target, value);
    } else {
      state.branches(
        () => {},
        () =>
          state.under(state.condition(target, old), () => {
            value = this.evaluate(right);
            this.bind(target, value);
          }),
      );
    }
    return union(old, value);
  }

  /** `x = { ...x, found }`: keeps what is there, unless it puts back what it had taken from there under the same name. */
  noteMerge(target: Node, written: Node): void {
    const value = unwrap(written);
    if (value.type !== 'ObjectExpression') return;
    if (!value.properties.some(({ type }) => type === 'SpreadElement')) return;
    const isPutBack = (property: (typeof value.properties)[number]) => {
      if (property.type === 'SpreadElement')
        return unwrap(property.argument).type !== 'MemberExpression' && !isTracked(property.argument);
      const [name] = this.#state.property(staticKey(property));
      return name === undefined || this.evaluate(property.value).has(name);
    };
    if (value.properties.some(isPutBack)) this.merges.delete(target);
    else this.merges.add(target);
  }
}

/** A removal depends on what was removed only as far as that says which: `delete users[id]`. */
function keysOf(value: SourceSet, argument: Node): SourceSet {
  const target = unwrap(argument);
  return target.type === 'MemberExpression' && target.computed ? value : NO_SOURCES;
}

function isTracked(node: Node): boolean {
  const inner = unwrap(node);
  return inner.type === 'Identifier' && (inner.binding?.index ?? -1) >= 0;
}
