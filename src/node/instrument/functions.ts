/*
 * Functions: what is put at the start and the end of a body, and what `return` becomes.
 */

import {
  endsInCall,
  type FunctionNode,
  type FunctionWithBody,
  isWithBody,
  lastDirective,
  type Node,
  type NodeOf,
  unwrap,
} from './ast.ts';
import { isHelper } from './downlevelled.ts';
import { asArgument } from './edits.ts';
import { visitPattern } from './patterns.ts';
import { isMadePromise, makesPromise } from './promising.ts';
import { quote } from './references.ts';
import { type FrameKind, type Rewriter, Use } from './rewriter.ts';
import type { Scope } from './scope.ts';
import { visitStatements } from './statements.ts';
import { takenParameters } from './taken-parameters.ts';
import { unitOf } from './units.ts';

export function functionNode(r: Rewriter, node: FunctionNode): void {
  if (isWithBody(node) && !isHelper(node.id?.name ?? '')) rewriteFunction(r, node, kindOf(node));
}

function kindOf(node: FunctionWithBody): FrameKind {
  if (node.async) return node.generator ? 'asyncGenerator' : 'async';
  return !node.generator && !node.isSetterOrConstructor && makesPromise(node) ? 'promising' : 'plain';
}

/** Kinds whose body is put into a `try`. */
const GUARDED: ReadonlySet<FrameKind> = new Set([
  'async',
  'asyncGenerator',
  'downlevelled',
  'promising',
  'unit',
  'continuing',
]);

export function rewriteFunction(r: Rewriter, node: FunctionWithBody, wanted: FrameKind): void {
  const name = node.id ? r.originalName(node.id) : node.givenName;
  const compiled = wanted === 'downlevelled' || wanted === 'machine' || wanted === 'machineBody';
  const offset = node.keyStart ?? node.start;
  const line = r.sites.line(offset);
  const handler = compiled || node.id ? undefined : node.handlerName;
  const original = r.sites.origins?.block(node, compiled)?.label;
  const label =
    original ??
    (compiled
      ? r.labels.compiledLabelOf(name, line)
      : (handler ?? r.labels.labelOf(name, line, wanted === 'plain' ? 'function' : 'async function')));
  const isMeant = r.isMeant(label);
  const takesTurns = r.takesTurns(label);
  const mayBeUnit = wanted === 'plain' && !node.generator;
  const unit = mayBeUnit && !isMeant ? unitOf(node, r.edits.source) : null;
  const goesOn = mayBeUnit && !isMeant && node.isContinuing === true;
  const guarded = goesOn ? 'continuing' : mayBeUnit && (isMeant || unit !== null) ? 'unit' : wanted;
  const kind = GUARDED.has(guarded) && !fitsIntoBlock(node) ? 'plain' : guarded;
  const firstSite = r.sites.count;
  r.inParameters(node, () => {
    for (const param of node.params) visitPattern(r, param);
  });
  const followed = GUARDED.has(kind) || kind === 'machine';
  const frame = {
    kind,
    token: followed ? `${r.prefix}a` : undefined,
    temps: [] as string[],
    finalizers: 0,
    takesTurns,
  };
  const ownName = original ?? handler;
  r.labels.enter(compiled ? undefined : (ownName ?? name), ownName !== undefined);
  const scope = openScope(r, node.scope, offset, 'var');
  const { body } = node;
  if (kind === 'continuing') r.continuing.set(node.scope, r.sites.addBlock(offset, label, node));
  r.within(frame, () => {
    if (body.type === 'BlockStatement') visitStatements(r, body.body);
    else if (node.resultIgnored && wanted === 'plain') r.visit(body, Use.unused);
    else returned(r, body);
  });
  r.labels.leave();
  const own = isMeant ? '1/0' : unit === 'plain' ? '0' : `${r.sites.count - firstSite}`;
  const parts = activation(r, kind, frame.token, offset, label, node, own);
  const [begin, end] = takesTurns ? inTurn(r, node, kind, frame.token, offset, label, parts) : parts;
  const open = begin[0] + scope + declareTemps(frame.temps) + begin[1] + takenParameters(r, node);
  if (body.type === 'BlockStatement') {
    if (open !== '') atStart(r, body, open);
    r.edits.after(body.end - 1, end);
  } else if (open !== '') r.edits.wrap(body, `{${open}return `, `${end}}`);
}

/** What stands before the scopes and temporaries, what after them, and what at the end of the body. */
function activation(
  r: Rewriter,
  kind: FrameKind,
  token: string | undefined,
  offset: number,
  label: string,
  fn: FunctionWithBody,
  ownSites: string,
): [begin: [string, string], end: string] {
  const enter = (
    probe: 'enter' | 'enterGenerator' | 'enterPromising' | 'enterUnit' | 'enterContinuing',
    more = '',
    site = r.sites.addBlock(offset, label, fn),
  ): string => `${token}=${r.probe(probe)}(${r.number(site)}${more});`;
  switch (kind) {
    case 'async':
    case 'downlevelled':
      return [[`const ${enter('enter')}`, 'try{'], `}finally{${r.probe('exit')}(${token})}`];
    case 'asyncGenerator':
      return [
        [`const ${enter('enterGenerator')}`, 'try{'],
        `}finally{${r.probe('exitGenerator')}(${token})}`,
      ];
    case 'promising': {
      // The token is cleared as the promise is handed over, so that `finally` can tell a throw from a return; a `catch`
      // that throws again would move the place that Node shows for an uncaught error.
      const falls = fn.body.type === 'BlockStatement' && !endsAbruptly(fn.body);
      const last = falls ? `;${promised(r, token).join('void 0')}` : '';
      const failed = `${token}&&${r.probe('failed')}(${token})`;
      return [[`let ${enter('enterPromising')}`, 'try{'], `${last}}finally{${failed}}`];
    }
    case 'unit':
      if (r.sites.isIgnored(offset)) return [['', ''], ''];
      return [
        [`const ${enter('enterUnit', `,${ownSites}`)}`, 'try{'],
        `}finally{${token}&&${r.probe('exitUnit')}(${token})}`,
      ];
    case 'continuing':
      return [
        [`const ${enter('enterContinuing', '', r.continuing.get(fn.scope))}`, 'try{'],
        `}finally{${r.probe('exitContinuing')}(${token})}`,
      ];
    case 'machine':
      return [[`const ${enter('enter')}`, ''], ''];
    default:
      return [['', ''], ''];
  }
}

type ActivationParts = ReturnType<typeof activation>;

/** The same for a function whose calls take turns: it waits for its turn before the body, and gives it up behind. */
function inTurn(
  r: Rewriter,
  node: FunctionWithBody,
  kind: FrameKind,
  token: string | undefined,
  offset: number,
  label: string,
  parts: ActivationParts,
): ActivationParts {
  const [[first, second], end] = parts;
  const site = r.number(r.sites.add(offset, label));
  if (kind === 'async' || kind === 'downlevelled') {
    const wait = kind === 'async' ? 'await' : 'yield';
    const suspended = `${wait} ${r.probe('suspend')}(${token},${r.prefix}t,${site})`;
    const turn = `const ${r.prefix}t=${r.probe('turn')}(${token},${site});if(${r.prefix}t){${r.probe('resume')}(${token},${suspended})}`;
    const over = `}finally{${r.probe('turnOver')}(${token});`;
    return [[first, `${second}${turn}`], end.replace('}finally{', over)];
  }
  if (kind !== 'promising' || redeclaresParameters(node)) return parts;
  return [[`return ${r.probe('inTurn')}(${site},()=>{${first}`, second], `${end}})`];
}

/** `function f(a) { var a = a || 1; }`: in a function within, the variable would be another one. */
function redeclaresParameters({ scope }: FunctionWithBody): boolean {
  return [...(scope?.bindings.values() ?? [])].some(
    ({ kind, initialisations }) => kind === 'param' && initialisations > 0,
  );
}

function promised(r: Rewriter, token: string | undefined): [string, string] {
  return [`${r.probe('promised')}(${token},`, `,${token}=void 0)`];
}

function endsAbruptly(body: NodeOf<'BlockStatement'>): boolean {
  const last = body.body.at(-1);
  return last?.type === 'ReturnStatement' || last?.type === 'ThrowStatement';
}

/**
 * Can the statements of a body be put into a block? There a function may not have the name of a variable, nor of another
 * function; in such a body, which nobody writes by hand, the function is not followed.
 */
function fitsIntoBlock(node: FunctionWithBody): boolean {
  if (node.body.type !== 'BlockStatement') return true;
  const names = new Set<string>();
  for (const statement of node.body.body) {
    if (statement.type !== 'FunctionDeclaration' || !statement.body) continue;
    const { name } = statement.id!;
    if (names.has(name) || (node.scope?.bindings.get(name)?.initialisations ?? 0) > 0) return false;
    names.add(name);
  }
  return true;
}

/** Puts text at the start of a body, behind its directives. */
export function atStart(
  r: Rewriter,
  block: NodeOf<'BlockStatement' | 'StaticBlock' | 'TSModuleBlock'>,
  text: string,
): void {
  const directive = lastDirective(block.body);
  if (directive === undefined) r.edits.after(r.edits.find('{', block.start) + 1, text);
  else r.edits.after(directive.end, `;${text}`);
}

/** The declaration of a scope's token, if it has bindings to track. */
export function openScope(
  r: Rewriter,
  scope: Scope | undefined,
  offset: number,
  keyword: 'var' | 'const',
): string {
  if (scope === undefined || scope.tracked.length === 0) return '';
  scope.token = r.scopeToken();
  const site = r.number(r.sites.add(offset, r.labels.around));
  const names = r.shownNames(scope).map(quote).join(',');
  const module = scope.exported.size > 0 ? `,${quote(r.path)}` : '';
  return `${keyword} ${scope.token}=${r.probe('scope')}([${names}],${site}${module});`;
}

export function declareTemps(temps: readonly string[]): string {
  return temps.length === 0 ? '' : `var ${temps.join(',')};`;
}

/** The value that a function returns. */
export function returned(r: Rewriter, value: Node): void {
  const { kind, token, finalizers } = r.frame;
  const [open, close] = asArgument(value);
  switch (kind) {
    case 'async':
    case 'downlevelled': {
      if (r.frame.takesTurns) {
        const wait = kind === 'async' ? 'await' : 'yield';
        r.visit(value, Use.passed);
        const site = r.number(r.sites.add(value.start, ''));
        r.edits.wrap(
          value,
          `${r.probe('resume')}(${token},${wait} ${r.probe('suspend')}(${token},${open}`,
          `${close},${site}))`,
        );
        return;
      }
      // In a `try` with a `finally`, the block goes on after the call.
      const isTail = finalizers === 0 && (endsInCall(value) || isMadePromise(value));
      r.visit(value, finalizers === 0 ? Use.passed : Use.used);
      if (isTail) {
        const site = r.number(r.sites.add(calledAt(value), ''));
        r.edits.wrap(value, `${r.probe('tail')}(${token},${open}`, `${close},${site})`);
      }
      return;
    }
    case 'promising': {
      r.visit(value, Use.passed);
      const [before, after] = promised(r, token);
      r.edits.wrap(value, before + open, close + after);
      return;
    }
    case 'machineBody':
      machineStep(r, value);
      return;
    default:
      r.visit(value, Use.passed);
  }
}

/** Where the last call of a chain is made. */
function calledAt(value: Node): number {
  const call = unwrap(value);
  const callee = call.type === 'CallExpression' ? unwrap(call.callee) : call;
  return callee.type === 'MemberExpression' ? callee.property.start : callee.start;
}

/** `[4, x]` of a state machine awaits x, `[2, x]` returns it. */
function machineStep(r: Rewriter, value: Node): void {
  if (
    value.type === 'ArrayExpression' &&
    value.elements.length === 2 &&
    value.elements[0]?.type === 'Literal'
  ) {
    r.visit(value.elements[1], Use.passed);
  } else r.visit(value, Use.passed);
}

export function returnStatement(r: Rewriter, node: NodeOf<'ReturnStatement'>): void {
  if (node.argument) returned(r, node.argument);
  else if (r.frame.kind === 'promising') {
    r.edits.after(node.start + 'return'.length, ` ${promised(r, r.frame.token).join('void 0')}`);
  }
}
