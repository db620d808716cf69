/*
 * What all rewriting rules share: the place where they are, the probes they use, temporaries, sites. The rules
 * themselves are in the files named in rules.ts, by kind of syntax; each is a function of the rewriter, the node and
 * what becomes of its value.
 */

import { matchesGlob } from '../../spec/glob.ts';
import type { Probes } from '../probes.ts';
import {
  type FunctionNode,
  forEachChild,
  hasEffects,
  isExports,
  isTypeOnly,
  type MemberExpression,
  type Node,
  type NodeOf,
  staticKey,
  unwrap,
} from './ast.ts';
import { Edits } from './edits.ts';
import { Labels } from './labels.ts';
import { isJustMade } from './local-objects.ts';
import type { RenamedHelper } from './renamed-helpers.ts';
import type { Binding, Scope } from './scope.ts';
import type { FileSites } from './sites.ts';

/** What becomes of the value of an expression. */
export const Use = {
  /** Somebody looks at it. */
  used: 0,
  /** Nobody does: a statement, the left of a comma. */
  unused: 1,
  /** It is returned or awaited, so that whoever gets it decides what it stands for. */
  passed: 2,
} as const;
export type Use = (typeof Use)[keyof typeof Use];

export type FrameKind =
  | 'module'
  | 'plain'
  | 'async'
  | 'asyncGenerator'
  /** A generator that stands for an async function: `yield` is `await`. */
  | 'downlevelled'
  /** A plain function that makes a promise and returns it. */
  | 'promising'
  /** A plain function that may be a block, if it touches shared memory. */
  | 'unit'
  /** A plain function that goes on in callbacks. */
  | 'continuing'
  /** A function that makes a compiled state machine for an async function. */
  | 'machine'
  | 'machineBody'
  /** Parameters and class fields, where no variable can be declared. */
  | 'expressions';

/** The innermost function around the place that is being rewritten. */
export interface Frame {
  kind: FrameKind;
  /** The variable that holds the activation, where probes need one. */
  token: string | undefined;
  /** Temporaries to declare. */
  temps: string[];
  /** How many `try` with a `finally` are open. */
  finalizers: number;
  /** Whether its calls take turns, so that what it returns is waited for inside of it. */
  takesTurns?: boolean;
}

export interface RewriterOptions {
  source: string;
  /** Where the file is. */
  path: string;
  sites: FileSites;
  /** Begins every name that the rewriter adds; occurs nowhere in the file. */
  prefix: string;
  format: 'module' | 'commonjs';
  displayPath: string;
  /** Globs of labels of functions that are meant to be atomic. */
  atomic: readonly string[];
  /** Globs of labels of functions whose calls take turns. */
  turns: readonly string[];
  visitors: Visitors;
}

export type Visitor<N extends Node> = (r: Rewriter, node: N, use: Use) => void;

/** For each type of node, what rewrites it. */
export type Visitors = { readonly [T in Node['type']]?: Visitor<NodeOf<T>> };

/** Globals whose properties are no state of the program. */
const STATELESS_GLOBALS = new Set([
  ...[
    'Array',
    'Atomics',
    'BigInt',
    'Boolean',
    'Date',
    'Function',
    'Intl',
    'JSON',
    'Map',
    'Math',
    'Number',
    'Object',
  ],
  ...['Promise', 'Proxy', 'Reflect', 'RegExp', 'Set', 'String', 'Symbol', 'WeakMap', 'WeakSet', 'console'],
  ...['Error', 'arguments', 'module', 'process', 'require'],
]);

/** Methods that access an argument as they access the object. */
const LOOKING_AT_OTHERS = new Set(['compare', 'concat', 'copy', 'equals']);

const FRESH = new Set([
  ...['ArrayExpression', 'ArrowFunctionExpression', 'ClassExpression', 'FunctionExpression', 'Literal'],
  ...['MetaProperty', 'ObjectExpression', 'Super', 'TemplateLiteral'],
]);

export class Rewriter {
  readonly edits: Edits;
  readonly path: string;
  readonly sites: FileSites;
  readonly labels: Labels;
  readonly prefix: string;
  readonly format: 'module' | 'commonjs';
  readonly warnings: string[] = [];
  readonly usedProbes = new Set<keyof Probes>();
  frame: Frame = { kind: 'module', token: 'void 0', temps: [], finalizers: 0 };
  /** Functions whose parameters are being rewritten: their variables do not exist yet. */
  private readonly paramsOf = new Set<unknown>();
  /** Parameters of compiled state machines: `_a.label`, `_a.sent()` are no accesses of the program. */
  readonly machineParams = new Set<Binding>();
  /** Helpers of compilers, by the names that a minifier has given them. */
  readonly helpers = new Map<string, RenamedHelper>();
  /** The sites of the functions around that go on in callbacks, by their scope. */
  readonly continuing = new Map<Scope | undefined, number>();
  /** Offsets that errors have now, with those that they had in the plain program. */
  readonly moved = new Map<number, number>();
  private readonly atomic: readonly string[];
  private readonly turns: readonly string[];
  private readonly visitors: Visitors;
  private scopeCount = 0;

  constructor(options: RewriterOptions) {
    this.edits = new Edits(options.source);
    this.path = options.path;
    this.sites = options.sites;
    this.labels = new Labels(options.displayPath);
    this.prefix = options.prefix;
    this.format = options.format;
    this.atomic = options.atomic;
    this.turns = options.turns;
    this.visitors = options.visitors;
  }

  warnOnce(message: string): void {
    if (!this.warnings.includes(message)) this.warnings.push(message);
  }

  visit(node: Node | null | undefined, use: Use = Use.used): void {
    if (!node || isTypeOnly(node)) return;
    const visitor = this.visitors[node.type] as Visitor<Node> | undefined;
    if (visitor !== undefined) visitor(this, node, use);
    else this.visitChildren(node);
    if (node.isContinuation && !this.sites.isIgnored(node.start)) {
      const site = this.number(this.sites.add(node.start));
      this.edits.wrap(node, `${this.probe('continuation')}(`, `,${site})`);
    }
  }

  visitChildren(node: Node): void {
    forEachChild(node, (child) => this.visit(child, Use.used));
  }

  visitAll(nodes: readonly (Node | null)[]): void {
    for (const node of nodes) this.visit(node);
  }

  /** Runs `inside` with another innermost function. */
  within(frame: Frame, inside: () => void): void {
    const outer = this.frame;
    this.frame = frame;
    inside();
    this.frame = outer;
  }

  /** Rewrites the parameters of a function, in which neither its variables nor temporaries can be used. */
  inParameters(fn: FunctionNode, inside: () => void): void {
    const { scope } = fn;
    this.paramsOf.add(scope);
    this.within({ kind: 'expressions', token: undefined, temps: [], finalizers: 0 }, inside);
    this.paramsOf.delete(scope);
  }

  probe(name: keyof Probes): string {
    this.usedProbes.add(name);
    return this.prefix + name;
  }

  get canDeclare(): boolean {
    return this.frame.kind !== 'expressions';
  }

  /** A new variable of the innermost function; ask `canDeclare` first. */
  temp(): string {
    const name = `${this.prefix}${this.frame.temps.length + 1}`;
    this.frame.temps.push(name);
    return name;
  }

  scopeToken(): string {
    return `${this.prefix}s${this.scopeCount++}`;
  }

  /** The number of a site as it is written into a probe. */
  number(site: number): string {
    return `${this.prefix}base+${site}`;
  }

  access(node: Node): string {
    return this.number(this.sites.addAccess(node));
  }

  /** What the source calls what is declared there. */
  originalName({ name, start }: { name: string; start: number }): string {
    return this.sites.origins?.nameAt(start) ?? name;
  }

  /** How reports call the variables of a scope, each by another name. What other files import keeps the one they know. */
  shownNames({ tracked, bindings, exported }: Scope): readonly string[] {
    const { origins } = this.sites;
    if (origins === null) return tracked;
    const taken = new Set(exported.values());
    return tracked.map((name) => {
      const offset = bindings.get(name)?.offset;
      const original = offset === undefined || taken.has(name) ? undefined : origins.nameAt(offset);
      const isFree = original !== undefined && !taken.has(original) && !tracked.includes(original);
      const shown = isFree ? original : name;
      taken.add(shown);
      return shown;
    });
  }

  /** Has somebody said that functions of this label are meant to be atomic? */
  isMeant(label: string): boolean {
    return this.atomic.some((glob) => matchesGlob(glob, label));
  }

  /** Do calls of functions of this label take turns? */
  takesTurns(label: string): boolean {
    return this.turns.some((glob) => matchesGlob(glob, label));
  }

  /** Is a member expression to be left without a probe? */
  isUntracked(member: MemberExpression): boolean {
    if (member.isOperand) return true;
    const object = unwrap(member.object);
    if (FRESH.has(object.type)) return true;
    if (isJustMade(object) && !LOOKING_AT_OTHERS.has(staticKey(member) ?? '')) return true;
    if (object.type === 'Identifier') {
      const { binding } = object;
      if (binding === undefined) {
        if (STATELESS_GLOBALS.has(object.name)) return true;
      } else if (binding.isLocalObject) {
        return true;
      } else if (binding.kind === 'enum' || binding.kind === 'namespace' || this.machineParams.has(binding)) {
        return true;
      }
    }
    // What a module exports is written while it is loaded; only functions make a state of it.
    if (this.format === 'commonjs' && this.frame.kind === 'module' && isExports(object)) return true;
    return this.sites.isIgnored(this.sites.offsetOf(member));
  }

  /** The binding of an identifier, if its accesses here are to be recorded. */
  tracked(identifier: Node): Binding | undefined {
    if (identifier.type !== 'Identifier' || identifier.isOperand) return undefined;
    const { binding } = identifier;
    if (binding === undefined || binding.index < 0 || this.paramsOf.has(binding.scope)) return undefined;
    return this.sites.isIgnored(identifier.start) ? undefined : binding;
  }

  /** The first arguments of a probe of a binding. */
  bindingArguments(binding: Pick<Binding, 'index' | 'token'> & { scope?: Scope }, node: Node): string {
    return `${binding.token ?? binding.scope?.token},${binding.index},${this.access(node)}`;
  }

  bindingRead(binding: Parameters<typeof this.bindingArguments>[0], node: Node): string {
    return `${this.probe('bindingRead')}(${this.bindingArguments(binding, node)})`;
  }

  /**
   * The text of an expression that may be evaluated a second time with the same result and without effect, or
   * undefined. `later` is what runs between the two.
   */
  repeatable(node: Node, later: readonly Node[]): string | undefined {
    const inner = unwrap(node);
    if (inner.type === 'ThisExpression') return 'this';
    if (inner.type === 'Literal' && (typeof inner.value === 'string' || typeof inner.value === 'number')) {
      return inner.raw ?? undefined;
    }
    if (inner.type !== 'Identifier') return undefined;
    const changes = inner.binding !== undefined && inner.binding.assignments > 0;
    return changes && this.canDeclare && later.some(hasEffects) ? undefined : inner.name;
  }
}
