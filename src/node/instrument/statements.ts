/*
 * Statements that need more than that their expressions are rewritten.
 */

import { giveName, type Identifier, type Node, type NodeOf, suspends, type Transparent } from './ast.ts';
import { asArgument } from './edits.ts';
import { openScope } from './functions.ts';
import { enumerated, isFresh, iterated, iteratedProbe } from './members.ts';
import { declarator, visitPattern } from './patterns.ts';
import { type FrameKind, type Rewriter, Use } from './rewriter.ts';
import type { Scope } from './scope.ts';
import { stepOf } from './units.ts';

type Loop = 'ForStatement' | 'WhileStatement' | 'DoWhileStatement' | 'ForInStatement' | 'ForOfStatement';

/** A list of statements: of a function, a block, a case. */
export function visitStatements(r: Rewriter, statements: readonly Node[]): void {
  const { source } = r.edits;
  let previous: Node | undefined;
  for (const statement of statements) {
    if (statement.type === 'VariableDeclaration') variables(r, statement, statement);
    else if (statement.type === 'ForOfStatement') forOf(r, statement, Use.unused, true);
    else r.visit(statement, Use.unused);
    // What begins with a parenthesis now would continue a statement that only the end of its line ended.
    const open = previous !== undefined && source[previous.end - 1] !== ';';
    if (open && statement.type === 'ExpressionStatement') r.edits.before(statement.start, ';');
    previous = statement;
  }
}

export function expressionStatement(r: Rewriter, node: NodeOf<'ExpressionStatement'>): void {
  if (!node.directive) r.visit(node.expression, Use.unused);
}

export function block(r: Rewriter, node: NodeOf<'BlockStatement'>): void {
  const scope = openScope(r, node.scope, node.start, 'const');
  visitStatements(r, node.body);
  if (scope !== '') r.edits.after(node.start + 1, scope);
}

export function switchCase(r: Rewriter, node: NodeOf<'SwitchCase'>): void {
  r.visit(node.test);
  visitStatements(r, node.consequent);
}

export function variableDeclaration(r: Rewriter, node: NodeOf<'VariableDeclaration'>): void {
  variables(r, node, undefined);
}

function variables(r: Rewriter, node: NodeOf<'VariableDeclaration'>, statement: Node | undefined): void {
  if (node.declare) return;
  for (const part of node.declarations) {
    declarator(r, part, part === node.declarations[0] ? statement : undefined);
  }
}

export function forStatement(r: Rewriter, node: NodeOf<'ForStatement'>): void {
  r.visit(node.init, Use.unused);
  r.visit(node.test);
  r.visit(node.update, Use.unused);
  loopBody(r, node);
}

export function whileStatement(r: Rewriter, node: NodeOf<'WhileStatement' | 'DoWhileStatement'>): void {
  r.visit(node.test);
  loopBody(r, node);
}

/** What a loop does each time may be a unit of work on memory that threads share, where there is no block around. */
function loopBody(r: Rewriter, { body }: NodeOf<Loop>): void {
  const mayBeUnit = r.frame.kind === 'plain' || r.frame.kind === 'module';
  const unit = mayBeUnit && !suspends(body) ? stepOf(body, r.edits.source) : null;
  const firstSite = r.sites.count;
  r.visit(body, Use.unused);
  if (unit === null || r.sites.isIgnored(body.start)) return;
  const ownSites = unit === 'plain' ? 0 : r.sites.count - firstSite;
  const site = r.number(r.sites.add(body.start, r.labels.loopLabel(r.sites.line(body.start))));
  const token = `${r.prefix}s`;
  const begin = `const ${token}=${r.probe('enterUnit')}(${site},${ownSites},true);try{`;
  const end = `}finally{${token}&&${r.probe('exitUnit')}(${token})}`;
  if (body.type === 'BlockStatement') {
    r.edits.after(body.start + 1, begin);
    r.edits.after(body.end - 1, end);
  } else r.edits.wrap(body, `{${begin}`, `${end}}`);
}

function loopHead(r: Rewriter, node: NodeOf<'ForInStatement' | 'ForOfStatement'>): void {
  if (node.left.type === 'VariableDeclaration') {
    for (const part of node.left.declarations) visitPattern(r, part.id);
  } else visitPattern(r, node.left);
  r.visit(node.right);
}

export function forIn(r: Rewriter, node: NodeOf<'ForInStatement'>): void {
  loopHead(r, node);
  enumerated(r, node.right, false);
  loopBody(r, node);
}

/** `inList`: a statement can be put before it. */
export function forOf(
  r: Rewriter,
  node: NodeOf<'ForOfStatement'>,
  _use: Use = Use.unused,
  inList = false,
): void {
  loopHead(r, node);
  if (!node.await) {
    const { right } = node;
    // A loop that waits comes to most elements later; what they are by then is not known here.
    const most = suspends(node.body) ? 0 : undefined;
    if (inList && !isFresh(right) && right.type === 'Identifier' && isOuterName(r, right, node.scope)) {
      // Apart from the loop, so that a complaint about `o` still names `o`.
      const [open, close] = iteratedProbe(r, node.right, most);
      r.edits.before(node.start, `var ${r.prefix}v=${open}${right.name}${close};`);
    } else iterated(r, node.right, most);
    loopBody(r, node);
    return;
  }
  r.visit(node.body, Use.unused);
  const { token } = r.frame;
  if (token === undefined) return;
  const resumed = `${r.probe('resumed')}(${token});`;
  const [open, close] = asArgument(node.right);
  const site = r.number(r.sites.add(node.start));
  r.edits.wrap(node.right, `${r.probe('awaited')}(${token},${open}`, `${close},${site})`);
  if (node.body.type === 'BlockStatement') r.edits.after(node.body.start + 1, resumed);
  else r.edits.wrap(node.body, `{${resumed}`, '}');
  // However the loop is left, it has waited for the iterator.
  r.edits.wrap(node.labelled ?? node, 'try{', `}finally{${resumed}}`);
}

/** Is what a loop goes through a variable that means the same before the loop? */
function isOuterName(r: Rewriter, name: Identifier, head: Scope | undefined): boolean {
  if (name.name === 'arguments' || r.sites.isIgnored(name.start)) return false;
  return name.binding?.scope !== head && r.tracked(name) === undefined;
}

export function labeled(r: Rewriter, node: NodeOf<'LabeledStatement'>): void {
  let inner: Node = node.body;
  while (inner.type === 'LabeledStatement') inner = inner.body;
  if (inner.type === 'ForOfStatement') inner.labelled ??= node;
  r.visit(node.body, Use.unused);
}

const WITH_RESUMPTION: ReadonlySet<FrameKind> = new Set(['async', 'asyncGenerator', 'downlevelled']);

export function tryStatement(r: Rewriter, node: NodeOf<'TryStatement'>): void {
  const { frame } = r;
  const resumes = WITH_RESUMPTION.has(frame.kind) || (frame.kind === 'module' && suspends(node));
  const resumed = (more: string) =>
    resumes && frame.token !== undefined ? `${r.probe('resumed')}(${frame.token}${more});` : '';
  if (node.finalizer) frame.finalizers++;
  r.visit(node.block);
  if (node.handler) {
    if (node.handler.param) visitPattern(r, node.handler.param);
    r.visit(node.handler.body);
    const { param } = node.handler;
    const caught = param?.type === 'Identifier' ? `${r.probe('caught')}(${param.name});` : '';
    const probes = resumed(',true') + caught;
    if (probes !== '') r.edits.after(node.handler.body.start + 1, probes);
  }
  if (!node.finalizer) return;
  frame.finalizers--;
  r.visit(node.finalizer);
  const probe = resumed('');
  if (probe !== '') r.edits.after(node.finalizer.start + 1, probe);
}

export function exportDefault(r: Rewriter, node: NodeOf<'ExportDefaultDeclaration'>): void {
  giveName(node.declaration, 'default');
  r.visit(node.declaration);
}

export function sequence(r: Rewriter, node: NodeOf<'SequenceExpression'>, use: Use): void {
  const last = node.expressions.at(-1);
  for (const expression of node.expressions) r.visit(expression, expression === last ? use : Use.unused);
}

export function conditional(r: Rewriter, node: NodeOf<'ConditionalExpression'>, use: Use): void {
  r.visit(node.test);
  r.visit(node.consequent, use);
  r.visit(node.alternate, use);
}

export function logical(r: Rewriter, node: NodeOf<'LogicalExpression'>, use: Use): void {
  r.visit(node.left);
  r.visit(node.right, use);
}

export function transparent(r: Rewriter, node: Transparent, use: Use): void {
  r.visit(node.expression, use);
}

export function awaitExpression(r: Rewriter, node: NodeOf<'AwaitExpression'>, use: Use): void {
  const { token } = r.frame;
  r.visit(node.argument, Use.passed);
  if (token === undefined) return;
  const place = r.sites.add(node.start);
  r.sites.nodes[place] = node;
  const site = r.number(place);
  r.edits.wrap(node.argument, `${r.probe('suspend')}(${token},`, `,${site})`);
  r.edits.wrap(node, `${r.probe('resume')}(${token},`, resumeEnd(use));
}

/** The end of a call of `resume`. */
function resumeEnd(use: Use): string {
  return use === Use.unused ? ',true)' : ')';
}

export function yieldExpression(r: Rewriter, node: NodeOf<'YieldExpression'>, use: Use): void {
  const { kind, token } = r.frame;
  const downlevelled = kind === 'downlevelled';
  if ((!downlevelled && kind !== 'asyncGenerator') || token === undefined) {
    r.visit(node.argument);
    return;
  }
  r.visit(node.argument, Use.passed);
  if (node.delegate) {
    if (downlevelled || !node.argument) return;
    r.edits.wrap(node.argument, `${r.probe('delegated')}(${token},`, ')');
    r.edits.wrap(node, `${r.probe('resume')}(${token},`, ')');
    return;
  }
  const site = downlevelled ? `,${r.number(r.sites.add(node.start))}` : '';
  const before = `${r.probe(downlevelled ? 'suspend' : 'yielding')}(${token},`;
  if (node.argument) r.edits.wrap(node.argument, before, `${site})`);
  else r.edits.after(node.end, ` ${before}void 0${site})`);
  const [probe, end] = downlevelled ? (['resume', resumeEnd(use)] as const) : (['yielded', ')'] as const);
  r.edits.wrap(node, `${r.probe(probe)}(${token},`, end);
}
