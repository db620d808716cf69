/*
 * Assignments, compound assignments and updates of variables and properties.
 *
 * An increment or a sum whose value nobody uses becomes a probe that computes it, so that the runtime may take it for a
 * commuting update. If a suspension stands between the read and the write, the two are recorded apart: that is the lost
 * update this tool is for.
 */

import {
  type AssignmentExpression,
  giveName,
  hasEffects,
  type Identifier,
  isAnonymousFunction,
  isModuleExports,
  isPattern,
  type MemberExpression,
  type Node,
  type NodeOf,
  operandsOf,
  staticKey,
  suspends,
  unwrap,
} from './ast.ts';
import { isHelper } from './downlevelled.ts';
import { nameOfTarget } from './labels.ts';
import { exportedObject } from './members.ts';
import { assignmentPattern } from './patterns.ts';
import {
  type ElementReference,
  element,
  isElement,
  probeName,
  quote,
  reference,
  visitParts,
} from './references.ts';
import { type Rewriter, Use } from './rewriter.ts';
import type { Binding } from './scope.ts';

/** What can be assigned, other than by a pattern. */
type Place = Identifier | MemberExpression;
type BinaryExpression = NodeOf<'BinaryExpression'>;
type UpdateExpression = NodeOf<'UpdateExpression'>;

const LOGICAL = new Set(['||=', '&&=', '??=']);

export function assignment(r: Rewriter, node: AssignmentExpression, use: Use): void {
  const left = unwrap(node.left);
  if (left.type === 'Identifier' && isHelper(left.name)) return;
  giveName(node.right, nameOfTarget(left, r.edits.source));
  if (isPattern(left)) assignmentPattern(r, node, left);
  else if (left.type === 'Identifier') {
    const binding = r.tracked(left);
    if (binding === undefined) r.visit(node.right);
    else assignBinding(r, node, left, binding, use);
  } else if (left.type !== 'MemberExpression') r.visit(node.right);
  else if (r.isUntracked(left) && !isPlainSuperWrite(r, node, left)) unrecorded(r, node, left);
  else if (!assignMember(r, node, left, use)) unrecorded(r, node, left);
}

function unrecorded(r: Rewriter, node: AssignmentExpression, left: MemberExpression): void {
  visitParts(r, left);
  if (r.format === 'commonjs' && isModuleExports(left) && node.right.type === 'ObjectExpression') {
    exportedObject(r, node.right);
  } else r.visit(node.right);
}

/** `super.p = v` writes a property of `this`. */
function isPlainSuperWrite(r: Rewriter, node: AssignmentExpression, left: MemberExpression): boolean {
  return left.object.type === 'Super' && node.operator === '=' && !r.sites.isIgnored(r.sites.offsetOf(left));
}

function replaceOperator(r: Rewriter, node: AssignmentExpression | BinaryExpression, text: string): void {
  const at = r.edits.find(node.operator, node.left.end);
  r.edits.replace(at, at + node.operator.length, text);
  notePosition(r, unwrap(node.left), at);
}

/** What reads the element stands in the place of the operator now; errors about it have the position of the key. */
function notePosition(r: Rewriter, target: Node, operator: number): void {
  if (target.type === 'MemberExpression' && isElement(target)) r.moved.set(operator, target.property.start);
}

function isSum(node: AssignmentExpression, use: Use): boolean {
  return use === Use.unused && (node.operator === '+=' || node.operator === '-=') && !suspends(node.right);
}

/** The sum in `x = x + d`, which is another way to write `x += d`. */
function ownSum(
  r: Rewriter,
  node: AssignmentExpression,
  left: Place,
  use: Use,
): BinaryExpression | undefined {
  const sum = unwrap(node.right);
  if (use !== Use.unused || sum.type !== 'BinaryExpression') return undefined;
  if ((sum.operator !== '+' && sum.operator !== '-') || suspends(sum.right)) return undefined;
  return isSamePlace(r, unwrap(sum.left), left) ? sum : undefined;
}

/** Turns the sum into a call of its probe; the old value itself is read without one, from `held` if that is given. */
function probeSum(
  r: Rewriter,
  sum: BinaryExpression,
  probe: 'added' | 'bindingAdded',
  place: string,
  held?: string,
): void {
  const old = unwrap(sum.left);
  if (held !== undefined) r.edits.replace(sum.left.start, sum.left.end, held);
  else if (old.type === 'MemberExpression') visitParts(r, old);
  r.visit(sum.right);
  const opposite = probe === 'added' ? 'subtracted' : 'bindingSubtracted';
  const at = r.edits.find(sum.operator, sum.left.end);
  r.edits.replace(at, at + 1, ',');
  r.edits.wrap(sum, `${r.probe(sum.operator === '+' ? probe : opposite)}(${place},`, ')');
}

function isSamePlace(r: Rewriter, node: Node, left: Place): boolean {
  return node.type === left.type && r.edits.slice(node) === r.edits.slice(left) && !hasEffects(left);
}

/**
 * Whether the new value of `x = Math.max(0, x - d)` is computed from the old one. Then the two accesses are one change, as in
 * `x -= d`: what is read of x is no look at it, and gets no probe of its own.
 */
function takesOwnValue(r: Rewriter, value: Node, left: Place): boolean {
  const inner = unwrap(value);
  if (isSamePlace(r, inner, left)) {
    inner.isOperand = true;
    return true;
  }
  return operandsOf(inner).filter((operand: Node) => takesOwnValue(r, operand, left)).length > 0;
}

function isChange(r: Rewriter, { right }: AssignmentExpression, left: Place): boolean {
  return !suspends(right) && takesOwnValue(r, right, left);
}

function assignBinding(
  r: Rewriter,
  node: AssignmentExpression,
  left: Identifier,
  binding: Binding,
  use: Use,
): void {
  const { operator, right } = node;
  const place = r.bindingArguments(binding, left);
  if (operator === '=') {
    const sum = ownSum(r, node, left, use);
    if (sum !== undefined) {
      probeSum(r, sum, 'bindingAdded', place);
      return;
    }
    if (isChange(r, node, left)) {
      r.visit(right);
      r.edits.wrap(node, `(${r.probe('bindingChanged')}(${place}),`, ')');
      return;
    }
  }
  r.visit(right);
  const write = `${r.probe('bindingWrite')}(${place}`;
  if (operator === '=') {
    if (isAnonymousFunction(right)) r.edits.wrap(node, `(${write}),`, ')');
    else r.edits.wrap(right, `${write},`, ')');
    return;
  }
  const read = `${r.probe('bindingRead')}(${place})`;
  if (LOGICAL.has(operator)) {
    if (isAnonymousFunction(right)) {
      // Only `x = () => …` itself gives the function its name.
      replaceOperator(r, node, '=');
      r.edits.wrap(node, `(${read},${left.name}${operator.slice(0, 2)}(${write}),`, '))');
    } else {
      r.edits.wrap(right, `${write},`, ')');
      r.edits.wrap(node, `(${read},`, ')');
    }
    return;
  }
  if (isSum(node, use)) {
    const probe = r.probe(operator === '+=' ? 'bindingAdded' : 'bindingSubtracted');
    replaceOperator(r, node, `=${probe}(${place},${left.name},`);
    r.edits.after(right.end, ')');
    return;
  }
  replaceOperator(r, node, `=${write},(${read},${left.name})${operator.slice(0, -1)}(`);
  r.edits.after(right.end, '))');
}

/** False, with nothing done, if the access cannot be recorded here. */
function assignMember(r: Rewriter, node: AssignmentExpression, left: MemberExpression, use: Use): boolean {
  if (isElement(left)) return assignElement(r, node, left, use);
  const { operator, right } = node;
  if (operator === '=') {
    const sum = ownSum(r, node, left, use);
    if (sum === undefined && isChange(r, node, left)) {
      probeName(r, left, 'changed');
      r.visit(right);
      return true;
    }
    const target = reference(r, left, [right]);
    if (target === undefined) return false;
    if (sum !== undefined) {
      probeSum(r, sum, 'added', `${target.base},${target.key},${r.access(left)}`);
      return true;
    }
    r.visit(right);
    r.edits.wrap(right, `${r.probe('write')}(${target.base},${target.key},${r.access(left)},`, ')');
    return true;
  }
  if (LOGICAL.has(operator)) return assignLogically(r, node, left);
  if (isSum(node, use)) {
    const target = reference(r, left, [right]);
    if (target === undefined) return false;
    addUp(r, node, { ...target, site: r.access(left) });
    return true;
  }
  if (!suspends(right)) {
    probeName(r, left, 'changed');
    r.visit(right);
    return true;
  }
  const target = reference(r, left, [right]);
  if (target === undefined) return false;
  const { base, key, place } = target;
  const site = r.access(left);
  const read = `${r.probe('read')}(${base},${key},${site})${place.slice(base.length)}`;
  computeApart(r, node, 'write', { base, key, site, place: read });
  return true;
}

/** The same for `o[k]`: the probe in front of the assignment says on what it is to be done. */
function assignElement(r: Rewriter, node: AssignmentExpression, left: MemberExpression, use: Use): boolean {
  const { operator, right } = node;
  const sum = operator === '=' ? ownSum(r, node, left, use) : undefined;
  const summed = sum && element(r, left, 'target', { later: [right], isHeld: true });
  if (sum !== undefined && summed !== undefined) {
    probeSum(r, sum, 'added', `${summed.base},${summed.key},${summed.site}`, summed.place);
    return true;
  }
  if (operator === '=' || LOGICAL.has(operator)) {
    const target = element(r, left, operator === '=' ? 'target' : 'tested', { later: [right] });
    if (target === undefined) return false;
    r.visit(right);
    r.edits.wrap(right, `${r.probe('writeIn')}(${target.base},${target.key},${target.site},`, ')');
    return true;
  }
  const suspended = suspends(right);
  const target =
    suspended || isSum(node, use)
      ? element(r, left, 'target', { later: [right], isHeld: !suspended })
      : undefined;
  if (target === undefined) {
    if (suspended || element(r, left, 'changedIn') === undefined) return false;
    r.visit(right);
  } else if (suspended) {
    const { base, key, site } = target;
    const place = `${r.probe('readIn')}(${base},${key},${site})[${key}]`;
    computeApart(r, node, 'writeIn', { ...target, place });
  } else addUp(r, node, target);
  return true;
}

/** `place += v` → `place = added(base, key, s, place, v)`. */
function addUp(r: Rewriter, node: AssignmentExpression, { base, key, site, place }: ElementReference): void {
  r.visit(node.right);
  const probe = r.probe(node.operator === '+=' ? 'added' : 'subtracted');
  replaceOperator(r, node, `=${probe}(${base},${key},${site},${place},`);
  r.edits.after(node.right.end, ')');
}

/** `place *= v` → `place = write(base, key, s, place * (v))`: something may come between. */
function computeApart(
  r: Rewriter,
  node: AssignmentExpression,
  probe: 'write' | 'writeIn',
  { base, key, site, place }: ElementReference,
): void {
  r.visit(node.right);
  const operator = node.operator.slice(0, -1);
  replaceOperator(r, node, `=${r.probe(probe)}(${base},${key},${site},${place}${operator}(`);
  r.edits.after(node.right.end, '))');
}

/** `o.p ||= v` → `read(o, 'p', s).p ||= write(o, 'p', s, v)`. */
function assignLogically(r: Rewriter, node: AssignmentExpression, left: MemberExpression): boolean {
  const target = reference(r, left, [node.right]);
  if (target === undefined) return false;
  const { base, key } = target;
  r.edits.wrap(left.object, `${r.probe('read')}(`, `,${quote(staticKey(left) as string)},${r.access(left)})`);
  r.visit(node.right);
  r.edits.wrap(node.right, `${r.probe('write')}(${base},${key},${r.access(left)},`, ')');
  return true;
}

export function update(r: Rewriter, node: UpdateExpression, use: Use): void {
  const target = unwrap(node.argument);
  if (target.type === 'Identifier') {
    const binding = r.tracked(target);
    if (binding !== undefined) updateBinding(r, node, target, binding, use);
    return;
  }
  if (target.type !== 'MemberExpression') return;
  if (r.isUntracked(target) || !updateMember(r, node, target, use)) visitParts(r, target);
}

function updateBinding(
  r: Rewriter,
  node: UpdateExpression,
  target: Identifier,
  binding: Binding,
  use: Use,
): void {
  const place = r.bindingArguments(binding, target);
  if (use !== Use.unused) {
    r.edits.wrap(node, `(${r.probe('bindingChanged')}(${place}),`, ')');
    return;
  }
  const probe = r.probe(node.operator === '++' ? 'bindingIncremented' : 'bindingDecremented');
  replaceUpdate(r, node, `=${probe}(${place},${target.name})`);
}

function updateMember(r: Rewriter, node: UpdateExpression, target: MemberExpression, use: Use): boolean {
  const isIndexed = isElement(target);
  let ref = isIndexed && use === Use.unused ? element(r, target, 'target', { isHeld: true }) : undefined;
  if (isIndexed && ref === undefined) return element(r, target, 'changedIn') !== undefined;
  if (!isIndexed) {
    if (use !== Use.unused) {
      probeName(r, target, 'changed');
      return true;
    }
    const named = reference(r, target, []);
    if (named === undefined) return false;
    ref = { ...named, site: r.access(target) };
  }
  const { base, key, site, place } = ref as ElementReference;
  const probe = r.probe(node.operator === '++' ? 'incremented' : 'decremented');
  replaceUpdate(r, node, `=${probe}(${base},${key},${site},${place})`);
  return true;
}

/** `x++` and `++x` → `(x=…)`, as an assignment binds more weakly; white space may stand between operator and operand. */
function replaceUpdate(r: Rewriter, node: UpdateExpression, text: string): void {
  const { argument, operator } = node;
  if (node.prefix) {
    r.edits.replace(node.start, node.start + 2, '');
    r.edits.after(argument.end, text);
  } else {
    const at = r.edits.find(operator, argument.end);
    r.edits.replace(at, at + 2, text);
    notePosition(r, unwrap(argument), at);
  }
  r.edits.wrap(node, '(', ')');
}
