/*
 * Classes. Decorators are left alone: what they get and return is the class's business.
 */

import { giveName, type NodeOf } from './ast.ts';
import { atStart, declareTemps, openScope } from './functions.ts';
import { nameOfKey } from './labels.ts';
import { quote } from './references.ts';
import type { Rewriter } from './rewriter.ts';
import { visitStatements } from './statements.ts';

export function classNode(r: Rewriter, node: NodeOf<'ClassDeclaration'>): void {
  const original = r.sites.origins?.className(node) ?? (node.id ? r.originalName(node.id) : node.givenName);
  r.visit(node.superClass);
  r.labels.enter(original);
  r.visitAll(node.body.body);
  r.labels.leave();
  if (r.sites.origins === null || original === undefined || original === node.id?.name) return;
  r.edits.after(node.body.start + 1, `static{${r.probe('named')}(this,${quote(original)})}`);
}

export function method(r: Rewriter, node: NodeOf<'MethodDefinition'>): void {
  if (node.computed) r.visit(node.key);
  giveName(node.value, nameOfKey(node, r.edits.source));
  node.value.keyStart = node.key.start;
  node.value.isSetterOrConstructor = node.kind === 'set' || node.kind === 'constructor';
  r.visit(node.value);
}

export function field(r: Rewriter, node: NodeOf<'PropertyDefinition' | 'AccessorProperty'>): void {
  if (node.computed) r.visit(node.key);
  if (!node.value) return;
  giveName(node.value, nameOfKey(node, r.edits.source));
  const frame = { kind: 'expressions' as const, token: undefined, temps: [], finalizers: 0 };
  r.within(frame, () => r.visit(node.value));
}

/** A static block of a class, or a namespace of TypeScript: a function of its own that is called at once. */
export function immediateBlock(r: Rewriter, node: NodeOf<'StaticBlock' | 'TSModuleBlock'>): void {
  const frame = { kind: 'plain' as const, token: undefined, temps: [] as string[], finalizers: 0 };
  const scope = openScope(r, node.scope, node.start, 'var');
  r.within(frame, () => visitStatements(r, node.body));
  const open = scope + declareTemps(frame.temps);
  if (open !== '') atStart(r, node, open);
}

export function namespace(r: Rewriter, node: NodeOf<'TSModuleDeclaration'>): void {
  r.labels.enter(r.edits.slice(node.id));
  r.visit(node.body);
  r.labels.leave();
}
