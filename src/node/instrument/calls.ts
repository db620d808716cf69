/*
 * Calls. `kept` goes around every call whose value is neither awaited nor returned; methods of containers, `then` and a
 * few functions of the language have probes of their own. The callee stays as it is written wherever possible, because
 * V8 quotes it in its messages (`this.cache.gett is not a function`).
 */

import { TRACKED_METHODS } from '../builtins.ts';
import { IGNORED } from '../probes.ts';
import {
  type CallExpression,
  isExports,
  isFunction,
  isGlobal,
  type MemberExpression,
  type NewExpression,
  type Node,
  type NodeOf,
  staticKey,
  unwrap,
} from './ast.ts';
import { atomicFunction } from './atomics.ts';
import { chainAsReference } from './chains.ts';
import { downlevelledCall } from './downlevelled.ts';
import { constructorArgument, globalFunction, passedElements, plainFunction } from './global-functions.ts';
import { nameHandlers } from './handler-names.ts';
import { markOwnEntry, methodArguments, methodName, methodProbe, takesArguments } from './methods.ts';
import { quote } from './references.ts';
import { type Rewriter, Use } from './rewriter.ts';

/** Global functions, and objects with functions, that call nothing of the program: their results need no `kept`. */
const NO_TASKS = new Set([
  ...['Atomics', 'BigInt', 'Boolean', 'JSON', 'Math', 'Number', 'Object', 'String', 'Symbol', 'console'],
  ...['isFinite', 'isNaN', 'parseFloat', 'parseInt'],
]);

type TaggedTemplate = NodeOf<'TaggedTemplateExpression'>;

const REACTIONS = new Set(['then', 'catch', 'finally']);

export function call(r: Rewriter, node: CallExpression, use: Use): void {
  const callee = unwrap(node.callee);
  if (callee.type === 'Super' || isDirectEval(node.callee)) {
    r.visitAll(node.arguments);
    return;
  }
  if (r.format === 'commonjs' && isExportIdiom(node, callee)) return;
  markIgnoredResults(callee, node.arguments);
  nameHandlers(node);
  if (downlevelledCall(r, node, callee)) {
    keep(r, node, use, []);
    return;
  }
  if (atomicFunction(callee) !== undefined) {
    r.visitAll(node.arguments);
    announce(r, node, callee, use);
    return;
  }
  if (callee.type === 'MemberExpression') {
    if (globalFunction(r, node, callee)) {
      keep(r, node, use, []);
      return;
    }
    if (reaction(r, node, callee, use)) return;
    if (trackedMethod(r, node, callee, use)) return;
  }
  if (plainFunction(r, node, callee)) {
    keep(r, node, use, []);
    return;
  }
  const before = [...visitCallee(r, node.callee), ...calledBack(r, callee, use)];
  r.visitAll(node.arguments);
  passedElements(r, node, callee);
  keep(r, node, use, before);
}

/** `cb(error)` in a function that was given `cb`: it is over for whoever called it. */
function calledBack(r: Rewriter, callee: Node, use: Use): string[] {
  if (use === Use.used || callee.type !== 'Identifier' || callee.binding?.kind !== 'param') return [];
  const site = r.continuing.get(callee.binding.scope);
  return site === undefined ? [] : [`${r.probe('calledBack')}(${r.number(site)})`];
}

/** Tells the function where it is called, by an argument behind its own: it takes one that is undefined for none. */
function announce(r: Rewriter, node: CallExpression, callee: Node, use: Use): void {
  const last = node.arguments.at(-1);
  if (last === undefined) return;
  const values = r.sites.isIgnored(callee.start)
    ? `${IGNORED},false`
    : `${r.access(node)},${use !== Use.unused}`;
  r.edits.after(last.end, `,${r.probe('announce')}(${values})`);
}

export function taggedTemplate(r: Rewriter, node: TaggedTemplate, use: Use): void {
  const before = visitCallee(r, node.tag);
  r.visit(node.quasi);
  keep(r, node, use, before);
}

export function newExpression(r: Rewriter, node: NewExpression): void {
  // A call in `new a.b()` would take the parentheses for itself, so the callee is left alone unless it is in some.
  const callee = unwrap(node.callee);
  const binding = callee.type === 'Identifier' ? r.tracked(callee) : undefined;
  nameHandlers(node);
  if (isGlobal(callee, 'Promise')) markIgnoredResults(callee, node.arguments);
  if (node.callee.type === 'ParenthesizedExpression' && callee.type !== 'Identifier') r.visit(node.callee);
  else if (callee.type === 'FunctionExpression' || callee.type === 'ClassExpression') r.visit(node.callee);
  r.visitAll(node.arguments);
  constructorArgument(r, node, callee);
  if (isGlobal(callee, 'Promise') && node.arguments.length === 1 && takesArguments(node)) {
    r.edits.wrap(node.arguments[0], `${r.probe('executor')}(`, ')');
    r.edits.wrap(node, `${r.probe('made')}(`, ')');
  }
  if (binding !== undefined) r.edits.wrap(node, `(${r.bindingRead(binding, callee)},`, ')');
}

/** What calls its callback and does not look at the result. */
const IGNORING = new Set([
  ...['forEach', 'queueMicrotask', 'nextTick', 'setImmediate', 'setInterval', 'setTimeout'],
  ...['addEventListener', 'addListener', 'on', 'once', 'Promise'],
]);

/** `xs.forEach((x) => sum += x)`: nobody uses the value of the sum, although the arrow function returns it. */
function markIgnoredResults(callee: Node, args: readonly Node[]): void {
  const name =
    callee.type === 'MemberExpression' ? methodName(callee) : callee.type === 'Identifier' ? callee.name : '';
  if (!IGNORING.has(name)) return;
  for (const argument of args) {
    if (argument.type === 'ArrowFunctionExpression' && !argument.async) argument.resultIgnored = true;
  }
}

/** `eval(…)` sees the variables around it, but only if it is called by that name. */
function isDirectEval(callee: Node): boolean {
  return callee.type === 'Identifier' && callee.name === 'eval';
}

/**
 * What Node reads in the text of a CommonJS module to find the names it exports, and so must not be changed:
 * `require('x')`, `__exportStar(require('x'), exports)`, `Object.defineProperty(exports, 'a', …)`.
 */
function isExportIdiom(node: CallExpression, callee: Node): boolean {
  if (isGlobal(callee, 'require')) return true;
  const name =
    callee.type === 'Identifier' ? callee.name : callee.type === 'MemberExpression' ? staticKey(callee) : '';
  if (name === '__exportStar' || name === '__export') return true;
  return name === 'defineProperty' && node.arguments.length > 0 && isExports(unwrap(node.arguments[0]));
}

/** Puts `kept` around a call, and probes before it. */
function keep(r: Rewriter, node: CallExpression | TaggedTemplate, use: Use, before: readonly string[]): void {
  let [open, close] = ['', ''];
  if (use !== Use.passed && !startsNoTask(node)) [open, close] = [`${r.probe('kept')}(`, ')'];
  if (before.length > 0) [open, close] = [`(${before.join(',')},${open}`, `${close})`];
  if (open !== '') r.edits.wrap(node, open, close);
}

function startsNoTask(node: CallExpression | TaggedTemplate): boolean {
  let root = unwrap(node.type === 'CallExpression' ? node.callee : node.tag);
  if (root.type === 'MemberExpression') root = unwrap(root.object);
  if (root.type !== 'Identifier') return false;
  return root.binding === undefined ? NO_TASKS.has(root.name) : root.binding.isLocalObject === true;
}

/** `(0, module.f)(x)`, as compilers write a call without `this`: V8 would quote a probe in it. */
function isPlainSequence(node: Node): boolean {
  if (node.type !== 'SequenceExpression') return false;
  return node.expressions.every((part: Node) => {
    const isProperty =
      part.type === 'MemberExpression' && !part.computed && part.object.type === 'Identifier';
    return isProperty || part.type === 'Literal' || part.type === 'Identifier';
  });
}

/** Rewrites a callee; returns the probes that have to come before the call, so that its text can stay. */
function visitCallee(r: Rewriter, node: Node): string[] {
  const callee = unwrap(node);
  if (callee.type === 'Identifier') {
    const binding = r.tracked(callee);
    return binding === undefined ? [] : [r.bindingRead(binding, callee)];
  }
  if (callee.type === 'ChainExpression') {
    chainAsReference(r, callee, undefined);
    return [];
  }
  if (callee.type !== 'MemberExpression') {
    if (!isPlainSequence(callee)) r.visit(node, Use.passed);
    return [];
  }
  if (callee.computed) r.visit(callee.property);
  const object = unwrap(callee.object);
  if (object.type === 'Identifier') {
    const binding = r.tracked(object);
    return binding === undefined ? [] : [r.bindingRead(binding, object)];
  }
  // `this.cache.load(k)` → `(read(this, 'cache', s), this.cache.load(k))`.
  const simple = object.type === 'MemberExpression' && !object.computed && object.object.type !== 'Super';
  const base = simple ? r.repeatable(object.object, []) : undefined;
  if (!simple || base === undefined) {
    r.visit(callee.object, Use.passed);
    return [];
  }
  const before: string[] = [];
  const binding = r.tracked(unwrap(object.object));
  if (binding !== undefined) before.push(r.bindingRead(binding, unwrap(object.object)));
  if (!r.isUntracked(object)) {
    before.push(`${r.probe('read')}(${base},${quote(staticKey(object) as string)},${r.access(object)})`);
  }
  return before;
}

/** `p.then(f, g)` → `chained(p, p.then(reaction(p, f, s), reaction(p, g, s, true)))`; a `finally` gives `chained(…, true)`. */
function reaction(r: Rewriter, node: CallExpression, callee: MemberExpression, use: Use): boolean {
  const args = node.arguments;
  if (!REACTIONS.has(methodName(callee)) || callee.object.type === 'Super') return false;
  if (args.length === 0 || args.length > 2 || !args.some(isFunctionish) || r.isUntracked(callee))
    return false;
  if (args.some((argument) => argument.type === 'SpreadElement')) return false;
  const { object } = callee;
  const repeatable = r.repeatable(object, args);
  if (repeatable === undefined && !r.canDeclare) return false;
  const base = repeatable ?? r.temp();
  const chained = r.probe('chained');
  if (repeatable === undefined) {
    r.visit(object);
    r.edits.after(object.end, `,${base}`);
  }
  const binding = repeatable === undefined ? undefined : r.tracked(unwrap(object));
  r.visitAll(args);
  for (const [i, argument] of args.entries()) {
    if (!isFunctionish(argument)) continue;
    const isForFailure = methodName(callee) === 'catch' || i === 1;
    const site = r.number(r.sites.add(r.sites.offsetOf(callee)));
    r.edits.wrap(argument, `${r.probe('reaction')}(${base},`, `,${site}${isForFailure ? ',true' : ''})`);
  }
  const mayWait =
    methodName(callee) === 'finally' || !args.every((node) => isFunctionish(node) || isNothing(node));
  const open = repeatable === undefined ? `${chained}(${base}=` : `${chained}(${base},`;
  r.edits.wrap(node, open, mayWait ? ',true)' : ')');
  if (binding !== undefined) r.edits.wrap(node, `(${r.bindingRead(binding, object)},`, ')');
  if (use !== Use.passed) r.edits.wrap(node, `${r.probe('kept')}(`, ')');
  return true;
}

/** Is it certainly no callback? */
function isNothing(node: Node): boolean {
  const inner = unwrap(node);
  return inner.type === 'Literal' || (inner.type === 'Identifier' && inner.name === 'undefined');
}

/** Can it be a callback? Almost anything that is not written as a value. */
function isFunctionish(node: Node): boolean {
  const inner = unwrap(node);
  if (inner.type === 'Identifier') return inner.name !== 'undefined';
  return isFunction(inner) || inner.type === 'MemberExpression' || inner.type === 'CallExpression';
}

function trackedMethod(r: Rewriter, node: CallExpression, callee: MemberExpression, use: Use): boolean {
  if (
    callee.computed ||
    callee.property.type !== 'Identifier' ||
    !TRACKED_METHODS.has(callee.property.name)
  ) {
    return false;
  }
  const { object } = callee;
  const args = node.arguments;
  // What a plain function only passes on, as in `add = (x) => list.push(x)`, mostly nobody uses.
  const used =
    use === Use.used || (use === Use.passed && r.frame.kind !== 'plain' && r.frame.kind !== 'continuing');
  if (object.type === 'Super') {
    if (!takesArguments(node) || r.sites.isIgnored(callee.start)) return false;
    methodArguments(r, node, callee, 'this', used, true);
    keep(r, node, use, []);
    return true;
  }
  if (r.isUntracked(callee)) return false;
  const repeatable = r.repeatable(object, args);
  if (!takesArguments(node)) {
    const [open, close] = methodProbe(r, callee, used);
    const before: string[] = [];
    if (repeatable === undefined) {
      r.visit(object);
      r.edits.wrap(object, open, close);
    } else {
      const binding = r.tracked(unwrap(object));
      if (binding !== undefined) before.push(r.bindingRead(binding, object));
      before.push(open + repeatable + close);
    }
    r.visitAll(args);
    keep(r, node, use, before);
    return true;
  }
  if (repeatable === undefined && !r.canDeclare) return false;
  const base = repeatable ?? r.temp();
  markOwnEntry(r, node, callee);
  r.visit(object);
  if (repeatable === undefined) r.edits.wrap(object, `(${base}=`, ')');
  methodArguments(r, node, callee, base, used);
  keep(r, node, use, []);
  return true;
}
