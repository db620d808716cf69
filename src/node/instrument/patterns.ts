/*
 * Destructuring. What is taken out of an object is recorded by its keys, and those of objects in it; targets that are properties or
 * tracked variables are recorded as writes. Parameters are left alone but for the expressions in them.
 */

import {
  type AssignmentExpression,
  giveName,
  isAnonymousFunction,
  isPattern,
  type Node,
  type NodeOf,
  staticKey,
  unwrap,
  type VariableDeclarator,
} from './ast.ts';
import { isHelper } from './downlevelled.ts';
import { asArgument } from './edits.ts';
import { iteratedProbe } from './members.ts';
import { element, isElement, probeInPlace, quote, visitParts } from './references.ts';
import { renamedHelper } from './renamed-helpers.ts';
import type { Rewriter } from './rewriter.ts';
import type { Binding } from './scope.ts';

type Pattern = NodeOf<'ObjectPattern' | 'ArrayPattern'>;

/** `[a, o.p] = v`, `({ a } = v)`. */
export function assignmentPattern(r: Rewriter, node: AssignmentExpression, pattern: Pattern): void {
  visitPattern(r, pattern);
  r.visit(node.right);
  wrapSource(r, pattern, node.right);
  wrapWrites(r, pattern, node.right);
}

/** The initialiser of `const { a } = v` or `let x = v`; `statement` is where a statement can be put before. */
export function declarator(r: Rewriter, node: VariableDeclarator, statement: Node | undefined): void {
  const { id, init } = node;
  if (id.type === 'Identifier') {
    if (isHelper(id.name)) return;
    const helper = renamedHelper(init, r.edits.source);
    if (helper !== null) {
      r.helpers.set(id.name, helper);
      return;
    }
    giveName(init, r.originalName(id));
    r.visit(init);
    const binding = r.tracked(id);
    if (init && binding !== undefined && !isAnonymousFunction(init)) wrapWrites(r, id, init);
    return;
  }
  visitPattern(r, id);
  if (!init || !isPattern(id)) return;
  r.visit(init);
  const text = unwrap(init).type === 'Literal' ? undefined : r.repeatable(init, []);
  if (statement !== undefined && text !== undefined && r.tracked(unwrap(init)) === undefined) {
    // Apart from the declaration, so that a complaint about `v` still names `v`.
    const probe = takenProbe(r, id, init);
    if (probe !== undefined)
      r.edits.before(statement.start, `var ${r.prefix}v=${probe[0]}${text}${probe[1]};`);
  } else wrapSource(r, id, init);
  wrapWrites(r, id, init);
}

/** Rewrites keys, defaults and targets. */
export function visitPattern(r: Rewriter, node: Node): void {
  switch (node.type) {
    case 'Identifier':
      return;
    case 'TSParameterProperty':
      visitPattern(r, node.parameter);
      return;
    case 'AssignmentPattern':
      visitPattern(r, node.left);
      r.visit(node.right);
      return;
    case 'RestElement':
      visitPattern(r, node.argument);
      return;
    case 'ArrayPattern':
      for (const element of node.elements) if (element) visitPattern(r, element);
      return;
    case 'ObjectPattern':
      for (const property of node.properties) {
        if (property.type === 'RestElement') visitPattern(r, property);
        else {
          if (property.computed) r.visit(property.key);
          visitPattern(r, property.value);
        }
      }
      return;
    default:
      visitTarget(r, unwrap(node));
  }
}

/** A property that is assigned by destructuring or by the head of a loop. */
function visitTarget(r: Rewriter, target: Node): void {
  if (target.type !== 'MemberExpression') return;
  const untracked = target.object.type === 'Super' || r.isUntracked(target);
  const isRecorded =
    !untracked &&
    (isElement(target) ? element(r, target, 'writtenIn') !== undefined : probeInPlace(r, target, 'written'));
  if (!isRecorded) visitParts(r, target);
}

/** The probe for what a pattern takes, as text before and after the value. */
function takenProbe(r: Rewriter, pattern: Pattern, value: Node): [string, string] | undefined {
  if (r.sites.isIgnored(value.start)) return undefined;
  const inner = unwrap(value);
  if (inner.type === 'ArrayExpression' || inner.type === 'ObjectExpression') return undefined;
  const [open, close] = asArgument(value);
  if (pattern.type === 'ArrayPattern') {
    const hasRestElement = pattern.elements.at(-1)?.type === 'RestElement';
    const most = hasRestElement ? undefined : pattern.elements.length;
    const within = keysWithin(pattern);
    if (inner.type !== 'MemberExpression' || !r.canDeclare) {
      const [before, after] = iteratedProbe(r, value, most);
      if (within === undefined) return [before, after];
      return [`${r.probe('taken')}(${before}`, `${after},${within},${r.access(value)})`];
    }
    // Of what comes from a call V8 says something else, if it is not iterable, than of a property.
    const temp = r.temp();
    const rest = most === undefined ? '' : `,${most}`;
    return [
      `(${temp}=${open}`,
      `${close},${r.probe('iterated')}(${temp},${r.access(value)}${rest}),${
        within === undefined ? '' : `${r.probe('taken')}(${temp},${within},${r.access(value)}),`
      }${temp})`,
    ];
  }
  const keys = hasRest(pattern) ? 'void 0' : takenKeys(pattern);
  if (keys === undefined) return undefined;
  return [`${r.probe('taken')}(${open}`, `${close},${keys},${r.access(value)})`];
}

export function hasRest(pattern: NodeOf<'ObjectPattern'>): boolean {
  return pattern.properties.some((property) => property.type === 'RestElement');
}

/** The keys that an object pattern takes, as text: `["a",["b",["c"]]]`. */
export function takenKeys(pattern: NodeOf<'ObjectPattern'>): string | undefined {
  const keys: string[] = [];
  for (const property of pattern.properties) {
    if (property.type === 'RestElement') continue;
    const key = staticKey(property);
    if (key === undefined) continue;
    const { value } = property;
    const inner = value.type === 'AssignmentPattern' ? value.left : value;
    const within = inner.type === 'ObjectPattern' ? takenKeys(inner) : undefined;
    keys.push(within === undefined ? quote(key) : `[${quote(key)},${within}]`);
  }
  return keys.length === 0 ? undefined : `[${keys.join(',')}]`;
}

/** The keys that are taken of elements, as text: `[["0",["a"]]]` for `[{ a }]`. */
function keysWithin({ elements }: NodeOf<'ArrayPattern'>): string | undefined {
  const keys = elements.flatMap((element, i) => {
    const inner = element?.type === 'AssignmentPattern' ? element.left : element;
    const within = inner?.type === 'ObjectPattern' ? takenKeys(inner) : undefined;
    return within === undefined ? [] : `["${i}",${within}]`;
  });
  return keys.length === 0 ? undefined : `[${keys.join(',')}]`;
}

function wrapSource(r: Rewriter, pattern: Pattern, value: Node): void {
  const probe = takenProbe(r, pattern, value);
  if (probe !== undefined) r.edits.wrap(value, ...probe);
}

/** Records writes of the tracked variables in a pattern, after its value is known. */
function wrapWrites(r: Rewriter, pattern: Node, value: Node): void {
  for (const [name, binding] of targets(r, pattern)) {
    r.edits.wrap(value, `${r.probe('bindingWrite')}(${r.bindingArguments(binding, name)},`, ')');
  }
}

function* targets(r: Rewriter, node: Node | null): Generator<[Node, Binding]> {
  if (!node) return;
  const inner = unwrap(node);
  switch (inner.type) {
    case 'Identifier': {
      const binding = r.tracked(inner);
      if (binding !== undefined) yield [inner, binding];
      return;
    }
    case 'AssignmentPattern':
      yield* targets(r, inner.left);
      return;
    case 'RestElement':
      yield* targets(r, inner.argument);
      return;
    case 'ArrayPattern':
      for (const element of inner.elements) yield* targets(r, element);
      return;
    case 'ObjectPattern':
      for (const property of inner.properties) {
        yield* targets(r, property.type === 'RestElement' ? property : property.value);
      }
  }
}
