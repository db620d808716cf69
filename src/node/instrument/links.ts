/*
 * What a file has to do with functions of other files: those that it imports, those that it exports, and the names of
 * properties by which it calls or mentions functions that may be anywhere. The judgement puts the files together
 * (judgement/linking.ts).
 */

import {
  type FunctionNode,
  forEachChild,
  isExports,
  isFunction,
  isGlobal,
  isModuleExports,
  type Node,
  type Program,
  staticKey,
  unwrap,
} from './ast.ts';
import type { Binding } from './scope.ts';
import { nameOfExport } from './scopes.ts';

/** Stands for the whole module: `import * as store`, `const store = require('./store')`. */
export const WHOLE = '*';

/** A function that may be in another file: by module and exported name, or, with no module, by the name of a method. */
export interface Link {
  from: string | null;
  name: string;
}

export class FileLinks {
  readonly exports = new Map<string, FunctionNode>();
  /** Names that stand there only to be exported. */
  readonly exporting = new Set<Node>();
  /** What is exported from other files. */
  readonly handedOn: { exported: string; link: Link }[] = [];
  /** Names of properties that are looked at other than by calling them. */
  readonly mentioned = new Set<string>();
  /** What is imported and used other than by calling it. */
  readonly escaping: Link[] = [];
  readonly #imports = new Map<Binding, Link>();
  readonly #functionOf: (binding: Binding) => FunctionNode | undefined;

  constructor(program: Program, functionOf: (binding: Binding) => FunctionNode | undefined) {
    this.#functionOf = functionOf;
    for (const statement of program.body) this.#statement(statement, program);
    for (const [exported, name] of program.scope?.exported ?? []) {
      const binding = program.scope?.bindings.get(name);
      const imported = binding && this.#imports.get(binding);
      if (imported) this.handedOn.push({ exported, link: imported });
      else this.#export(exported, binding);
    }
    this.#collect(program);
  }

  /** Null for what is surely in this file, or nobody knows where. */
  of(callee: Node): Link | null {
    if (callee.type === 'Identifier') {
      const link = callee.binding && this.#imports.get(callee.binding);
      return link ?? null;
    }
    if (callee.type !== 'MemberExpression') return null;
    const name = staticKey(callee);
    if (name === undefined) return null;
    const object = unwrap(callee.object);
    const module = object.type === 'Identifier' && object.binding && this.#imports.get(object.binding);
    if (module && module.name === WHOLE) return { from: module.from, name };
    return { from: null, name };
  }

  #statement(statement: Node, program: Program): void {
    switch (statement.type) {
      case 'ImportDeclaration':
        for (const specifier of statement.specifiers) {
          const binding = program.scope?.bindings.get(specifier.local.name);
          if (binding === undefined) continue;
          const name =
            specifier.type === 'ImportNamespaceSpecifier'
              ? WHOLE
              : specifier.type === 'ImportDefaultSpecifier'
                ? 'default'
                : nameOfExport(specifier.imported);
          this.#imports.set(binding, { from: statement.source.value, name });
        }
        return;
      case 'ExportAllDeclaration':
        if (statement.exported === null)
          this.handedOn.push({ exported: WHOLE, link: { from: statement.source.value, name: WHOLE } });
        return;
      case 'ExportNamedDeclaration':
        if (statement.source)
          for (const { exported, local } of statement.specifiers)
            this.handedOn.push({
              exported: nameOfExport(exported),
              link: { from: statement.source.value, name: nameOfExport(local) },
            });
        else if (statement.declaration?.type === 'FunctionDeclaration' && statement.declaration.id)
          this.exports.set(statement.declaration.id.name, statement.declaration);
        return;
      case 'ExportDefaultDeclaration': {
        const value = unwrap(statement.declaration);
        if (isFunction(value)) this.exports.set('default', value);
        else if (value.type === 'Identifier') this.#exportValue('default', value);
      }
    }
  }

  #export(name: string, binding: Binding | undefined): void {
    const fn = binding && this.#functionOf(binding);
    if (fn !== undefined) this.exports.set(name, fn);
  }

  #collect(node: Node): void {
    if (node.type === 'VariableDeclarator' && node.init) this.#require(node.id, node.init);
    else if (node.type === 'AssignmentExpression') this.#assigned(node.left, node.right);
    const callee = node.type === 'CallExpression' || node.type === 'NewExpression' ? node.callee : null;
    if (node.type === 'ObjectPattern')
      for (const property of node.properties)
        if (property.type === 'Property') this.mentioned.add(staticKey(property) ?? '');
    const target = node.type === 'AssignmentExpression' ? node.left : null;
    forEachChild(node, (child) => {
      if (child !== callee && child !== target) this.#mention(node, child);
      this.#collect(child);
    });
  }

  #mention(around: Node, node: Node): void {
    if (node.type === 'MemberExpression') {
      const link = this.of(node);
      if (link?.from) this.escaping.push(link);
      else if (link) this.mentioned.add(link.name);
      return;
    }
    if (node.type !== 'Identifier' || node.binding === undefined) return;
    const link = this.#imports.get(node.binding);
    const isObject = around.type === 'MemberExpression' && around.object === node;
    const isImported = around.type === 'ImportSpecifier' || around.type === 'ExportSpecifier';
    if (link !== undefined && !isImported && !(isObject && link.name === WHOLE)) this.escaping.push(link);
  }

  /** `const store = require('./store')`, `const { load } = require('./store')`, `const load = require('./store').load`. */
  #require(target: Node, value: Node): void {
    let from = unwrap(value);
    if (from.type === 'AwaitExpression') from = unwrap(from.argument);
    const key = from.type === 'MemberExpression' ? staticKey(from) : undefined;
    if (from.type === 'MemberExpression') from = unwrap(from.object);
    const specifier = requiredBy(from);
    if (specifier === null) return;
    const name = key ?? WHOLE;
    if (target.type === 'Identifier' && target.binding)
      this.#imports.set(target.binding, { from: specifier, name });
    if (target.type !== 'ObjectPattern' || name !== WHOLE) return;
    for (const property of target.properties) {
      const value = property.type === 'Property' ? unwrap(property.value) : null;
      const taken = property.type === 'Property' ? staticKey(property) : undefined;
      if (value?.type === 'Identifier' && value.binding && taken !== undefined)
        this.#imports.set(value.binding, { from: specifier, name: taken });
    }
  }

  /** `module.exports = { load }`, `exports.load = …`. */
  #assigned(left: Node, right: Node): void {
    const target = unwrap(left);
    if (target.type !== 'MemberExpression') return;
    const value = unwrap(right);
    if (isModuleExports(target)) {
      if (value.type === 'ObjectExpression')
        for (const property of value.properties) {
          const name = property.type === 'Property' ? staticKey(property) : undefined;
          if (property.type === 'Property' && name !== undefined) this.#exportValue(name, property.value);
        }
      else this.#exportValue(WHOLE, value);
      return;
    }
    const name = staticKey(target);
    if (name !== undefined && isExports(unwrap(target.object))) this.#exportValue(name, value);
  }

  #exportValue(name: string, node: Node): void {
    const value = unwrap(node);
    if (isFunction(value)) this.exports.set(name, value);
    else if (value.type === 'Identifier') {
      this.exporting.add(value);
      this.#export(name, value.binding);
    }
  }
}

function requiredBy(node: Node): string | null {
  if (node.type === 'CallExpression' && isGlobal(unwrap(node.callee), 'require')) {
    const [first] = node.arguments;
    return first?.type === 'Literal' && typeof first.value === 'string' ? first.value : null;
  }
  if (node.type !== 'ImportExpression') return null;
  const source = unwrap(node.source);
  return source.type === 'Literal' && typeof source.value === 'string' ? source.value : null;
}
