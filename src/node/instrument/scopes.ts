/*
 * Who declares what, and who refers to it: finds the bindings that are shared between functions and change. Only
 * those can be accessed by two tasks with a different result, so only those get probes.
 */

import {
  type FunctionNode,
  forEachChild,
  type Identifier,
  isPattern,
  isTransparent,
  isTypeOnly,
  type Keyed,
  type Node,
  type NodeOf,
  type Program,
  staticKey,
  unwrap,
} from './ast.ts';
import { type Binding, type BindingKind, Scope, type ScopeKind } from './scope.ts';

interface Reference {
  node: Identifier;
  scope: Scope;
  assigns: boolean;
}

/** Fills in `binding` of identifiers and `scope` of the nodes that open one. */
export function analyseScopes(program: Program): Scope {
  const analysis = new ScopeAnalysis();
  const module = analysis.open(program, 'module', undefined);
  for (const statement of program.body) analysis.visit(statement, module);
  analysis.resolve();
  return module;
}

class ScopeAnalysis {
  private readonly references: Reference[] = [];
  private readonly scopes: Scope[] = [];

  open(node: Node, kind: ScopeKind, parent: Scope | undefined): Scope {
    const scope = new Scope(kind, parent);
    node.scope = scope;
    this.scopes.push(scope);
    return scope;
  }

  visit(node: Node, scope: Scope): void {
    if (isTypeOnly(node)) return;
    switch (node.type) {
      case 'Identifier':
        this.references.push({ node, scope, assigns: false });
        return;
      case 'FunctionDeclaration':
        if (node.id) scope.declare(node.id.name, 'function', node.id.start);
        this.function(node, scope);
        return;
      case 'FunctionExpression':
        this.function(node, this.nameScope(node, scope, 'function'));
        return;
      case 'ArrowFunctionExpression':
        this.function(node, scope);
        return;
      case 'ClassDeclaration':
      case 'ClassExpression': {
        if (node.type === 'ClassDeclaration' && node.id) scope.declare(node.id.name, 'class', node.id.start);
        const inner = this.nameScope(node, scope, 'class');
        for (const decorator of node.decorators ?? []) this.visit(decorator, scope);
        if (node.superClass) this.visit(node.superClass, inner);
        for (const member of node.body.body) this.visit(member, inner);
        return;
      }
      case 'PropertyDefinition':
      case 'AccessorProperty':
        this.key(node, scope);
        if (node.value) this.visit(node.value, this.open(node, 'function', scope));
        return;
      case 'MethodDefinition':
      case 'Property':
        this.key(node, scope);
        this.visit(node.value, scope);
        return;
      case 'StaticBlock':
        this.statements(node, this.open(node, 'function', scope));
        return;
      case 'TSModuleBlock': {
        // What a namespace exports turns into properties of an object.
        const inner = this.open(node, 'function', scope);
        inner.dynamic = true;
        this.statements(node, inner);
        return;
      }
      case 'BlockStatement':
        this.statements(node, this.open(node, 'block', scope));
        return;
      case 'ForStatement':
      case 'ForInStatement':
      case 'ForOfStatement':
        this.loop(node, this.open(node, 'head', scope));
        return;
      case 'SwitchStatement': {
        this.visit(node.discriminant, scope);
        const inner = this.open(node, 'head', scope);
        for (const branch of node.cases) this.visit(branch, inner);
        return;
      }
      case 'CatchClause': {
        const inner = this.open(node, 'head', scope);
        if (node.param) this.declarePattern(node.param, 'catch', inner, inner);
        this.visit(node.body, inner);
        return;
      }
      case 'VariableDeclaration':
        this.variables(node, scope);
        return;
      case 'AssignmentExpression':
        this.target(node.left, scope);
        this.visit(node.right, scope);
        return;
      case 'UpdateExpression':
        this.target(node.argument, scope);
        return;
      case 'MemberExpression':
        this.visit(node.object, scope);
        if (node.computed) this.visit(node.property, scope);
        return;
      case 'CallExpression':
        if (isEval(unwrap(node.callee))) this.markDynamic(scope);
        forEachChild(node, (child) => this.visit(child, scope));
        return;
      case 'WithStatement':
        this.markDynamic(scope);
        forEachChild(node, (child) => this.visit(child, scope));
        return;
      case 'ImportDeclaration':
        for (const specifier of node.specifiers ?? []) {
          const kind = specifier.type === 'ImportNamespaceSpecifier' ? 'namespace' : 'import';
          scope.declare(specifier.local.name, kind);
        }
        return;
      case 'ExportNamedDeclaration':
        if (node.declaration) this.visit(node.declaration, scope);
        this.export(node, scope);
        return;
      case 'LabeledStatement':
        this.visit(node.body, scope);
        return;
      case 'TSEnumDeclaration':
        scope.declare(node.id.name, 'enum');
        return;
      case 'TSModuleDeclaration':
        if (node.id.type === 'Identifier') scope.declare(node.id.name, 'enum');
        if (node.body) this.visit(node.body, scope);
        return;
      case 'BreakStatement':
      case 'ContinueStatement':
      case 'ExportAllDeclaration':
      case 'MetaProperty':
        return;
      default:
        forEachChild(node, (child) => this.visit(child, scope));
    }
  }

  private export(node: NodeOf<'ExportNamedDeclaration'>, scope: Scope): void {
    if (node.source) return;
    const { declaration } = node;
    const declarators = declaration?.type === 'VariableDeclaration' ? declaration.declarations : [];
    for (const { id } of declarators) if (id.type === 'Identifier') scope.exported.set(id.name, id.name);
    for (const { exported, local } of node.specifiers)
      scope.exported.set(nameOfExport(exported), nameOfExport(local));
  }

  /** The name of a function or class expression is visible inside it only. */
  private nameScope(
    node: NodeOf<'FunctionExpression' | 'ClassDeclaration'>,
    scope: Scope,
    kind: 'function' | 'class',
  ): Scope {
    if (!node.id) return scope;
    const inner = new Scope('head', scope);
    inner.declare(node.id.name, kind);
    return inner;
  }

  private function(node: FunctionNode, outer: Scope): void {
    const scope = this.open(node, 'function', outer);
    for (const param of node.params) this.declarePattern(param, 'param', scope, scope);
    if (!node.body) return;
    if (node.body.type === 'BlockStatement') this.statements(node.body, scope);
    else this.visit(node.body, scope);
  }

  private statements(block: NodeOf<'BlockStatement' | 'StaticBlock' | 'TSModuleBlock'>, scope: Scope): void {
    for (const statement of block.body) this.visit(statement, scope);
  }

  private key(node: Exclude<Keyed, NodeOf<'MemberExpression'>>, scope: Scope): void {
    if (node.type !== 'Property') for (const decorator of node.decorators) this.visit(decorator, scope);
    if (node.computed) this.visit(node.key, scope);
  }

  private loop(node: NodeOf<'ForStatement' | 'ForInStatement' | 'ForOfStatement'>, head: Scope): void {
    if (node.type === 'ForStatement') {
      for (const part of [node.init, node.test, node.update]) if (part) this.visit(part, head);
    } else {
      if (node.left.type === 'VariableDeclaration') this.variables(node.left, head);
      else this.target(node.left, head);
      this.visit(node.right, head);
    }
    this.visit(node.body, head);
  }

  private variables(node: NodeOf<'VariableDeclaration'>, scope: Scope): void {
    const kind: BindingKind = node.kind === 'var' || node.kind === 'let' ? node.kind : 'const';
    for (const declarator of node.declarations) {
      this.declarePattern(declarator.id, kind, kind === 'var' ? scope.home : scope, scope);
      if (!declarator.init) continue;
      this.visit(declarator.init, scope);
      if (kind === 'const') noteTaken(declarator.id, unwrap(declarator.init));
    }
  }

  /** Declares the names of a pattern in `owner`; its keys and defaults are evaluated in `scope`. */
  private declarePattern(pattern: Node, kind: BindingKind, owner: Scope, scope: Scope): void {
    const declared = (name: Identifier): void => {
      const binding = owner.declare(name.name, kind, name.start);
      binding.initialisations++;
      name.binding = binding;
    };
    this.pattern(pattern, scope, declared, (target) => this.visit(target, scope));
  }

  private target(node: Node, scope: Scope): void {
    this.pattern(
      node,
      scope,
      (name) => this.references.push({ node: name, scope, assigns: true }),
      (other) => this.visit(other, scope),
    );
  }

  private pattern(
    node: Node,
    scope: Scope,
    name: (node: Identifier) => void,
    other: (node: Node) => void,
  ): void {
    switch (node.type) {
      case 'Identifier':
        name(node);
        return;
      case 'TSParameterProperty':
        this.pattern(node.parameter, scope, name, other);
        return;
      case 'AssignmentPattern':
        this.pattern(node.left, scope, name, other);
        this.visit(node.right, scope);
        return;
      case 'RestElement':
        this.pattern(node.argument, scope, name, other);
        return;
      case 'ArrayPattern':
        for (const element of node.elements) if (element) this.pattern(element, scope, name, other);
        return;
      case 'ObjectPattern':
        for (const property of node.properties) {
          if (property.type === 'RestElement') this.pattern(property, scope, name, other);
          else {
            if (property.computed) this.visit(property.key, scope);
            this.pattern(property.value, scope, name, other);
          }
        }
        return;
      default:
        if (isTransparent(node) && !isPattern(unwrap(node)))
          this.pattern(node.expression, scope, name, other);
        else other(node);
    }
  }

  private markDynamic(scope: Scope): void {
    for (let s: Scope | undefined = scope; s !== undefined; s = s.parent) s.dynamic = true;
  }

  resolve(): void {
    for (const { node, scope, assigns } of this.references) {
      let s: Scope | undefined = scope;
      let binding: Binding | undefined;
      while (s !== undefined) {
        binding = s.bindings.get(node.name);
        if (binding !== undefined) break;
        s = s.parent;
      }
      if (binding === undefined) continue;
      node.binding = binding;
      if (assigns) binding.assignments++;
      if (binding.scope.home !== scope.home) binding.captured = true;
    }
    for (const scope of this.scopes) {
      if (scope.kind === 'head' || scope.dynamic) continue;
      for (const name of scope.exported.values()) {
        const binding = scope.bindings.get(name);
        if (binding !== undefined) binding.captured = true;
      }
      for (const binding of scope.bindings.values()) {
        if (!changes(binding) || !binding.captured) continue;
        binding.index = scope.tracked.length;
        scope.tracked.push(binding.name);
      }
    }
  }
}

function isEval(callee: Node): boolean {
  return callee.type === 'Identifier' && callee.name === 'eval';
}

/** A name of an export is an identifier or a string. */
export function nameOfExport(name: NodeOf<'ExportSpecifier'>['exported']): string {
  return name.type === 'Identifier' ? name.name : name.value;
}

/** `const { load, store: put } = Atomics`, `const load = Atomics.load`. */
function noteTaken(target: Node, value: Node): void {
  if (target.type === 'ObjectPattern' && value.type === 'Identifier') {
    for (const property of target.properties) {
      const key = property.type === 'Property' ? staticKey(property) : undefined;
      const binding = property.value?.type === 'Identifier' ? property.value.binding : undefined;
      if (key !== undefined && binding !== undefined) binding.taken = { from: value, key };
    }
  } else if (
    target.type === 'Identifier' &&
    target.binding !== undefined &&
    value.type === 'MemberExpression'
  ) {
    const key = staticKey(value);
    if (key !== undefined) target.binding.taken = { from: unwrap(value.object), key };
  }
}

/** Can it hold different values at different times, not counting the time before it was first assigned by its declaration? */
function changes(binding: Binding): boolean {
  const { kind } = binding;
  if (kind !== 'var' && kind !== 'let' && kind !== 'param') return false;
  return binding.assignments > 0 || (kind === 'var' && binding.initialisations > 1);
}
