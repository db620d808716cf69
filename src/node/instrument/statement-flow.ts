import {
  forEachChild,
  isFunction,
  isTypeOnly,
  type Node,
  type NodeOf,
  type Statement,
  suspends,
  unwrap,
} from './ast.ts';
import type { FlowState } from './flow-state.ts';
import { nameOf, rootOf } from './member-paths.ts';
import type { Binding } from './scope.ts';
import { NO_SOURCES, union } from './source-sets.ts';
import { callsInBoth } from './sure-calls.ts';
import type { ValueFlow } from './value-flow.ts';

/** Expressions whose value is an object that nobody else has. */
const MAKING: ReadonlySet<string> = new Set(['ObjectExpression', 'ArrayExpression', 'NewExpression']);

/** Interprets statements for `Dependence`: what decides whether they are reached. */
export class StatementFlow {
  readonly #state: FlowState;
  readonly #values: ValueFlow;

  constructor(state: FlowState, values: ValueFlow) {
    this.#state = state;
    this.#values = values;
  }

  all(statements: readonly Node[]): void {
    for (const statement of statements) this.#statement(statement as Statement);
  }

  #statement(node: Statement | Node | null | undefined): void {
    if (!node || isTypeOnly(node)) return;
    const state = this.#state;
    switch (node.type) {
      case 'VariableDeclaration':
        for (const { id, init } of node.declarations) {
          if (!init) continue;
          this.#values.bind(id, this.#values.taken(id, init));
          if (id.type !== 'Identifier') continue;
          if (MAKING.has(unwrap(init).type)) state.noteFresh(id.binding);
          state.noteMadeBy(id.binding, makerOf(init));
          state.noteOpened(id.binding, openedBy(init));
        }
        return;
      case 'IfStatement': {
        const condition = state.condition(node.test, this.#values.evaluate(node.test));
        const calls = callsInBoth(node.consequent, node.alternate);
        const branch = (inside: Statement | null) => () => {
          state.under(condition, () => this.#statement(inside));
          return inside !== null && isAlwaysLeft(inside);
        };
        state.branches(branch(node.consequent), branch(node.alternate));
        for (const call of calls) state.noteChoosing(call, condition);
        this.#pass(condition, [node.consequent, node.alternate]);
        return;
      }
      case 'SwitchStatement': {
        const condition = state.condition(node, this.#values.evaluate(node.discriminant));
        state.under(condition, () => {
          for (const { test, consequent } of node.cases) {
            if (test) this.#values.evaluate(test);
            state.branches(
              () => {},
              () => this.all(consequent),
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
        const value = node.argument ? this.#values.evaluate(node.argument) : NO_SOURCES;
        state.flow.returns = union(state.flow.returns, value, state.decisions());
        return;
      }
      case 'ExpressionStatement':
        this.#values.evaluate(node.expression);
        return;
      case 'BlockStatement':
      case 'StaticBlock':
      case 'TSModuleBlock':
        this.all(node.body);
        return;
      case 'ExportNamedDeclaration':
      case 'ExportDefaultDeclaration':
        this.#statement(node.declaration);
        return;
      case 'LabeledStatement':
        this.#statement(node.body);
        return;
      case 'ThrowStatement':
        this.#values.evaluate(node.argument);
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
        this.#values.evaluate(node);
    }
  }

  /** Whoever comes past branches that may leave has been let through by their condition. */
  #pass(condition: number, branches: readonly (Node | null)[]): void {
    const kinds = new Set<string>();
    for (const branch of branches) if (branch) leavesBy(branch, kinds);
    // Who has waited because of it goes on as if it were settled: `if (busy) await turn(); busy = true`.
    const suspending = branches.find((branch) => branch !== null && suspends(branch));
    const isOnlyForThisRound = kinds.size === 1 && kinds.has('ContinueStatement');
    if (isOnlyForThisRound) this.#state.behind(condition);
    else if (kinds.size > 0) this.#state.behindExit(condition);
    else if (suspending) this.#state.behind(this.#state.settling(suspending, condition));
  }

  #loop(node: NodeOf<'WhileStatement' | 'DoWhileStatement' | 'ForStatement'>): void {
    const state = this.#state;
    if (node.type === 'ForStatement') this.#statement(node.init);
    const { test } = node;
    const decide = () => (test ? state.condition(test, this.#values.evaluate(test)) : null);
    state.loop(() => {
      const condition = node.type === 'DoWhileStatement' ? null : decide();
      const body = () => {
        this.#statement(node.body);
        if (node.type === 'ForStatement' && node.update) this.#values.evaluate(node.update);
      };
      if (condition === null) body();
      else state.under(condition, body);
      return node.type === 'DoWhileStatement' ? decide() : condition;
    });
  }

  #iteration(node: NodeOf<'ForInStatement' | 'ForOfStatement'>): void {
    const { left, right, body } = node;
    const state = this.#state;
    const values = union(this.#values.evaluate(right), state.source(right));
    state.loop(() => {
      if (node.type === 'ForOfStatement' && node.await) state.wait();
      const target = left.type === 'VariableDeclaration' ? left.declarations[0].id : left;
      this.#values.bind(target, values);
      state.under(state.condition(right, values), () => this.#statement(body));
      return null;
    });
  }
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

/** Whether a branch does not come to its end, as its last statement leads away from there. */
function isAlwaysLeft(node: Node): boolean {
  switch (node.type) {
    case 'ReturnStatement':
    case 'ThrowStatement':
    case 'BreakStatement':
    case 'ContinueStatement':
      return true;
    case 'BlockStatement':
      return node.body.some(isAlwaysLeft);
    case 'IfStatement':
      return node.alternate !== null && isAlwaysLeft(node.consequent) && isAlwaysLeft(node.alternate);
    default:
      return false;
  }
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

/** Functions that give something by which the file is written that their first argument names. */
const OPENING = new Set(['open', 'openSync', 'createWriteStream']);

/** `path` of `await open(path, 'w')`. */
function openedBy(value: Node): Binding | undefined {
  const inner = unwrap(value);
  const call = inner.type === 'AwaitExpression' ? unwrap(inner.argument) : inner;
  if (call.type !== 'CallExpression' || call.arguments.length === 0) return undefined;
  const path = unwrap(call.arguments[0]);
  return OPENING.has(nameOf(unwrap(call.callee))) && path.type === 'Identifier' ? path.binding : undefined;
}
