/*
 * Calls of methods that may be those of a built-in container: `map.get(k)`. The probe is given the object and the
 * arguments that say which entry is meant.
 */

import {
  type CallExpression,
  hasEffects,
  type MemberExpression,
  type NewExpression,
  type Node,
  operandsOf,
  suspends,
  unwrap,
} from './ast.ts';
import { quote } from './references.ts';
import type { Rewriter } from './rewriter.ts';

/** The name in `o.name(…)`; none for a computed or private one. */
export function methodName(callee: MemberExpression): string {
  return !callee.computed && callee.property.type === 'Identifier' ? callee.property.name : '';
}

/** Can the arguments be given to a probe? Not if there are none, or a spread hides how many there are. */
export function takesArguments(call: CallExpression | NewExpression): boolean {
  return call.arguments.length > 0 && !call.arguments.some((argument) => argument.type === 'SpreadElement');
}

/**
 * In `map.set(k, (map.get(k) ?? 0) - n)` the old value is looked up to be changed, as by `-=`: that is no look at the entry by
 * which the block could have decided anything, and gets no probe of its own.
 */
export function markOwnEntry(
  r: Rewriter,
  { arguments: args }: CallExpression,
  callee: MemberExpression,
): void {
  if (methodName(callee) !== 'set' || args.length !== 2 || suspends(args[1])) return;
  if (hasEffects(callee.object) || hasEffects(args[0])) return;
  const isSame = (one: Node, other: Node) => r.edits.slice(one) === r.edits.slice(other);
  const ownGet = (node: Node): MemberExpression | undefined => {
    if (node.type !== 'CallExpression' || node.arguments.length !== 1) return undefined;
    const got = unwrap(node.callee);
    if (got.type !== 'MemberExpression' || methodName(got) !== 'get') return undefined;
    return isSame(got.object, callee.object) && isSame(node.arguments[0], args[0]) ? got : undefined;
  };
  const mark = (node: Node): void => {
    const inner = unwrap(node);
    const found = inner.type === 'LogicalExpression' ? unwrap(inner.left) : inner;
    const own = ownGet(found);
    if (own !== undefined) own.isOperand = true;
    else for (const operand of operandsOf(found)) mark(operand);
  };
  for (const operand of operandsOf(unwrap(args[1]))) mark(operand);
}

/** `method(o, 'clear', s, used)` as text before and after `o`. */
export function methodProbe(r: Rewriter, callee: MemberExpression, used: boolean): [string, string] {
  return [`${r.probe('method')}(`, `,${quote(methodName(callee))},${r.access(callee)},${used})`];
}

/** What stores are given values by; the name of a variable must not become that of a function. */
function isStoring(callee: MemberExpression, value: Node): boolean {
  return /^(?:set|put|setItem)$/.test(methodName(callee)) && !/Function|Class/.test(unwrap(value).type);
}

/** Rewrites the arguments of `base.name(…)`, or of `super.name(…)`, where `base` is `this`. */
export function methodArguments(
  r: Rewriter,
  call: CallExpression,
  callee: MemberExpression,
  base: string,
  used: boolean,
  viaSuper = false,
): void {
  const args = call.arguments;
  const first = args[0];
  const last = args[args.length - 1];
  const apart = args.length > 1 || viaSuper;
  const repeatable = apart ? r.repeatable(first, args.slice(1)) : '';
  const second = !viaSuper && args.length > 2 && isStoring(callee, args[1]) ? args[1] : undefined;
  const repeatableSecond = second === undefined ? '' : r.repeatable(second, args.slice(2));
  if (repeatable === undefined && !r.canDeclare) {
    r.visitAll(args);
    return;
  }
  r.visitAll(args);
  const name = methodName(callee);
  const rest = `${quote(name)},${r.access(callee)},${used}`;
  if (!apart) {
    r.edits.wrap(last, `${r.probe('methodArgument')}(${base},${rest},`, ')');
    return;
  }
  const firstText = repeatable ?? r.temp();
  if (repeatable === undefined && args.length > 1) r.edits.wrap(first, `${firstText}=`, '');
  const start = viaSuper
    ? `${r.probe('superArgument')}(${base},super.${name},${rest}`
    : `${r.probe('methodArguments')}(${base},${rest}`;
  if (repeatable === undefined && args.length === 1) {
    // `super.get(f())`: first and last are the same argument.
    r.edits.wrap(first, `${start},${firstText}=`, `,${firstText})`);
  } else {
    let secondText = '';
    if (second !== undefined && (repeatableSecond !== undefined || r.canDeclare)) {
      const text = repeatableSecond ?? r.temp();
      if (repeatableSecond === undefined) r.edits.wrap(second, `${text}=`, '');
      secondText = `,${text}`;
    }
    r.edits.wrap(last, `${start},${firstText},`, `${secondText})`);
  }
}
