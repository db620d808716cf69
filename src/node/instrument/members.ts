/*
 * Reads of variables and properties, `in`, `delete`, spread.
 */

import {
  giveName,
  type Identifier,
  type MemberExpression,
  type Node,
  type NodeOf,
  type ObjectExpression,
  staticKey,
  unwrap,
} from './ast.ts';
import { chainAsReference } from './chains.ts';
import { asArgument } from './edits.ts';
import { nameOfKey } from './labels.ts';
import { isJustMade, isPlainObject } from './local-objects.ts';
import { element, isElement, probeInPlace, visitParts } from './references.ts';
import { type Rewriter, Use } from './rewriter.ts';

export function identifier(r: Rewriter, node: Identifier): void {
  const binding = r.tracked(node);
  if (binding !== undefined) r.edits.wrap(node, `(${r.bindingRead(binding, node)},`, ')');
}

export function member(r: Rewriter, node: MemberExpression): void {
  const imported =
    node.object.type === 'Identifier' ? node.object.binding?.members?.get(staticKey(node) ?? '') : undefined;
  if (imported !== undefined && !r.sites.isIgnored(node.start))
    r.edits.wrap(node, `(${r.bindingRead(imported, node)},`, ')');
  if (node.object.type === 'Super' || r.isUntracked(node)) visitParts(r, node);
  else if (isElement(node) && element(r, node, 'readIn') !== undefined) return;
  else if (!probeInPlace(r, node, 'read')) visitParts(r, node);
}

export function unary(r: Rewriter, node: NodeOf<'UnaryExpression'>): void {
  if (node.operator !== 'delete') {
    r.visit(node.argument, node.operator === 'void' ? Use.unused : Use.used);
    return;
  }
  const target = unwrap(node.argument);
  if (target.type === 'ChainExpression') {
    chainAsReference(r, target, 'deleted');
    return;
  }
  if (target.type !== 'MemberExpression') return;
  const untracked = target.object.type === 'Super' || r.isUntracked(target);
  if (untracked || !probeInPlace(r, target, 'deleted')) visitParts(r, target);
}

export function binary(r: Rewriter, node: NodeOf<'BinaryExpression'>): void {
  if (node.operator !== 'in' || node.left.type === 'PrivateIdentifier' || r.sites.isIgnored(node.start)) {
    r.visit(node.left);
    r.visit(node.right);
    return;
  }
  const repeatable = r.repeatable(node.left, [node.right]);
  r.visit(node.left);
  r.visit(node.right);
  if (repeatable === undefined && !r.canDeclare) return;
  const key = repeatable ?? r.temp();
  if (repeatable === undefined) r.edits.wrap(node.left, `(${key}=`, ')');
  r.edits.wrap(node.right, `${r.probe('hasKey')}(`, `,${key},${r.access(node)})`);
}

/** `...o` in an object; in arrays and arguments, see `spreadElement`. */
export function objectExpression(r: Rewriter, node: ObjectExpression): void {
  r.labels.enter(node.givenName);
  for (const property of node.properties) {
    if (property.type !== 'SpreadElement') r.visit(property);
    else {
      r.visit(property.argument);
      enumerated(r, property.argument, true);
    }
  }
  r.labels.leave();
}

/**
 * `module.exports = { a, b, ...require('c') }`: Node reads these names in the text, so what it reads is left alone.
 */
export function exportedObject(r: Rewriter, node: ObjectExpression): void {
  for (const part of node.properties) {
    const isProperty = part.type === 'Property';
    const value = unwrap(isProperty ? part.value : part.argument);
    const isPlain =
      (isProperty && part.shorthand) || value.type === 'Identifier' || value.type === 'CallExpression';
    if (!isPlain) r.visit(part);
  }
}

export function spreadElement(r: Rewriter, node: NodeOf<'SpreadElement'>): void {
  r.visit(node.argument);
  iterated(r, node.argument);
}

/** Puts `enumerated` around an expression that has been rewritten. */
export function enumerated(r: Rewriter, node: Node, values: boolean): void {
  if (isFresh(node) || r.sites.isIgnored(node.start)) return;
  const [open, close] = asArgument(node);
  r.edits.wrap(node, `${r.probe('enumerated')}(${open}`, `${close},${r.access(node)},${values})`);
}

/** Puts `iterated` around an expression that has been rewritten; `most` elements are read, if not all. */
export function iterated(r: Rewriter, node: Node, most?: number): void {
  if (isFresh(node) || r.sites.isIgnored(node.start)) return;
  r.edits.wrap(node, ...iteratedProbe(r, node, most));
}

export function iteratedProbe(r: Rewriter, node: Node, most?: number): [before: string, after: string] {
  const [open, close] = asArgument(node);
  return [
    `${r.probe('iterated')}(${open}`,
    `${close},${r.access(node)}${most === undefined ? '' : `,${most}`})`,
  ];
}

/** Puts `copied` around an expression that has been rewritten. */
export function copied(r: Rewriter, node: Node): void {
  if (unwrap(node).type === 'Literal' || r.sites.isIgnored(node.start)) return;
  const [open, close] = asArgument(node);
  const inner = unwrap(node);
  const fresh = isFresh(node) && (inner.type !== 'ObjectExpression' || isPlainObject(inner)) ? ',true' : '';
  r.edits.wrap(node, `${r.probe('copied')}(${open}`, `${close},${r.access(node)}${fresh})`);
}

export function isFresh(node: Node): boolean {
  const inner = unwrap(node);
  if (inner.type === 'Identifier')
    return inner.binding === undefined ? inner.name === 'arguments' : inner.binding.isLocalObject === true;
  if (inner.type === 'CallExpression') return isJustMade(inner);
  return inner.type === 'ArrayExpression' || inner.type === 'ObjectExpression' || inner.type === 'Literal';
}

export function property(r: Rewriter, node: NodeOf<'Property'>): void {
  if (node.shorthand) {
    const { value } = node;
    const binding = value.type === 'Identifier' ? r.tracked(value) : undefined;
    // `{ __proto__ }` is a property of that name, `{ __proto__: x }` sets the prototype.
    if (value.type !== 'Identifier' || binding === undefined || value.name === '__proto__') return;
    r.edits.after(node.end, `:(${r.bindingRead(binding, value)},${value.name})`);
    return;
  }
  if (node.computed) r.visit(node.key);
  giveName(node.value, nameOfKey(node, r.edits.source));
  r.visit(node.value);
}
