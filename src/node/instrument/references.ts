/*
 * `o.p` as a place that is named twice: once by the program, once or more by probes. What is not safe to evaluate
 * twice goes through a temporary: `(t = f()).p = write(t, 'p', …)`.
 */

import { type Node, staticKey } from './ast.ts';
import type { Rewriter } from './rewriter.ts';

export interface Reference {
  /** The object, as text that can be repeated. */
  base: string;
  /** The key, as an expression that can be repeated. */
  key: string;
  /** The place itself, as text that can be repeated. */
  place: string;
}

export function quote(text: string): string {
  return JSON.stringify(text)
    .replace(/\u2028/g, '\\u2028')
    .replace(/\u2029/g, '\\u2029');
}

/**
 * Rewrites the object and key of a member expression so that they can be repeated. Undefined, with nothing done, if
 * that would need a temporary and none can be declared here.
 */
export function reference(r: Rewriter, member: Node, later: readonly Node[]): Reference | undefined {
  const object: Node = member.object;
  const isSuper = object.type === 'Super';
  const between = member.computed ? [member.property, ...later] : later;
  const repeatable = isSuper ? 'super' : r.repeatable(object, between);
  const name = staticKey(member);
  const key = name !== undefined ? quote(name) : r.repeatable(member.property, later);
  if ((repeatable === undefined || key === undefined) && !r.canDeclare) return undefined;
  const place = repeatable ?? r.temp();
  r.visit(object);
  if (repeatable === undefined) r.edits.wrap(object, `(${place}=`, ')');
  const base = isSuper ? 'this' : place;
  if (!member.computed) return { base, key: key as string, place: `${place}.${name}` };
  r.visit(member.property);
  const keyText = key ?? r.temp();
  if (key === undefined) {
    const sequence = member.property.type === 'SequenceExpression';
    r.edits.wrap(member.property, `${keyText}=${sequence ? '(' : ''}`, sequence ? ')' : '');
  }
  return { base, key: keyText, place: `${place}[${keyText}]` };
}

/** Rewrites the parts of a member expression whose access itself is not recorded. */
export function visitParts(r: Rewriter, member: Node): void {
  r.visit(member.object);
  if (member.computed) r.visit(member.property);
}

/**
 * `o.p` → `probe(o, 'p', s).p`, `o[k]` → `o[probeKey(o, k, s)]`: for probes that stand before the access. Returns false
 * with nothing done if that is not possible here.
 */
export function probeInPlace(
  r: Rewriter,
  member: Node,
  probe: 'read' | 'written' | 'changed',
  later: readonly Node[] = [],
): boolean {
  const name = staticKey(member);
  if (name !== undefined) {
    r.visit(member.object);
    const [open, close] = [`${r.probe(probe)}(`, `,${quote(name)},${r.access(member)})`];
    r.edits.wrap(member.object, open, close);
    return true;
  }
  const repeatable = r.repeatable(member.object, [member.property, ...later]);
  if (repeatable === undefined && !r.canDeclare) return false;
  r.visit(member.object);
  const base = repeatable ?? r.temp();
  if (repeatable === undefined) r.edits.wrap(member.object, `(${base}=`, ')');
  r.visit(member.property);
  wrapKey(r, member, base, probe);
  return true;
}

export function wrapKey(
  r: Rewriter,
  member: Node,
  base: string,
  probe: 'read' | 'written' | 'changed',
): void {
  const sequence = member.property.type === 'SequenceExpression';
  const open = `${r.probe(`${probe}Key`)}(${base},${sequence ? '(' : ''}`;
  r.edits.wrap(member.property, open, `${sequence ? ')' : ''},${r.access(member)})`);
}
