/*
 * `o.p` as a place that is named twice: once by the program, once or more by probes. What is not safe to evaluate
 * twice goes through a temporary: `(t = f()).p = write(t, 'p', …)`.
 */

import { type MemberExpression, type Node, staticKey } from './ast.ts';
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
export function reference(
  r: Rewriter,
  member: MemberExpression,
  later: readonly Node[],
): Reference | undefined {
  const { object } = member;
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

/** Probes in front of an access by a key, which return what the access is to be done on. */
type ElementProbe = 'readIn' | 'target' | 'tested' | 'changedIn' | 'writtenIn';

/** A place that a probe stands in front of. */
export interface ElementReference extends Reference {
  site: string;
}

/** Can the key be that of an element? Elements of typed arrays may lie in memory that other threads share. */
export function isElement(member: MemberExpression): boolean {
  if (!member.computed || member.object.type === 'Super') return false;
  const name = staticKey(member);
  return name === undefined || /^(?:0|[1-9]\d*)$/.test(name);
}

/**
 * `o[k]` → `probe(o, k, s)[k]`; where the key cannot be repeated, `(t1 = o, t2 = k, probe(t1, t2, s))[t2]`. `later` runs
 * before `base` and `key` are used again. With `isHeld`, `place` is what the probe has returned, by the key. Undefined,
 * with nothing done, if that would need a temporary and none can be declared here.
 */
export function element(
  r: Rewriter,
  member: MemberExpression,
  probe: ElementProbe,
  { later = [], isHeld = false }: { later?: readonly Node[]; isHeld?: boolean } = {},
): ElementReference | undefined {
  const { object, property } = member;
  const knownKey = r.repeatable(property, later);
  const knownBase = r.repeatable(object, [property, ...later]);
  const needsTemps = knownKey === undefined || isHeld || (later.length > 0 && knownBase === undefined);
  if (needsTemps && !r.canDeclare) return undefined;
  const isNamed = knownKey === undefined || isHeld || later.length > 0;
  const base = knownBase ?? (isNamed ? r.temp() : '');
  const key = knownKey ?? r.temp();
  const held = isHeld ? r.temp() : '';
  const site = r.access(member);
  const given = knownBase === undefined && isNamed ? `${base}=` : '';
  r.visit(object);
  r.visit(property);
  if (knownKey !== undefined) {
    const [open, close] = isHeld ? [`(${held}=`, ')'] : ['', ''];
    r.edits.wrap(object, `${open}${r.probe(probe)}(${given}`, `,${key},${site})${close}`);
  } else {
    const sequence = property.type === 'SequenceExpression';
    const open = r.edits.find('[', object.end);
    const close = r.edits.find(']', property.end);
    r.edits.before(object.start, `(${given}`);
    r.edits.replace(open, open + 1, `,${key}=${sequence ? '(' : ''}`);
    const call = `${isHeld ? `${held}=` : ''}${r.probe(probe)}(${base},${key},${site})`;
    r.edits.replace(close, close + 1, `${sequence ? ')' : ''},${call})[${key}]`);
    // Errors have the position of the bracket, or of the key where the element is both read and written.
    r.moved.set(close, probe === 'readIn' || probe === 'target' ? open : property.start);
  }
  return { base, key, site, place: `${held}[${key}]` };
}

/** Rewrites the parts of a member expression whose access itself is not recorded. */
export function visitParts(r: Rewriter, member: MemberExpression): void {
  r.visit(member.object);
  if (member.computed) r.visit(member.property);
}

/**
 * `o.p` → `probe(o, 'p', s).p`, `o[k]` → `o[probeKey(o, k, s)]`: for probes that stand before the access. Returns false
 * with nothing done if that is not possible here.
 */
export function probeInPlace(
  r: Rewriter,
  member: MemberExpression,
  probe: 'read' | 'written' | 'deleted',
): boolean {
  if (staticKey(member) !== undefined) {
    probeName(r, member, probe);
    return true;
  }
  const repeatable = r.repeatable(member.object, [member.property]);
  if (repeatable === undefined && !r.canDeclare) return false;
  r.visit(member.object);
  const base = repeatable ?? r.temp();
  if (repeatable === undefined) r.edits.wrap(member.object, `(${base}=`, ')');
  r.visit(member.property);
  wrapKey(r, member, base, probe);
  return true;
}

/** `o.p` → `probe(o, 'p', s).p`. */
export function probeName(
  r: Rewriter,
  member: MemberExpression,
  probe: 'read' | 'written' | 'changed' | 'deleted',
): void {
  const key = quote(staticKey(member) as string);
  const name = probe === 'read' ? nameIn(r, member.object) : undefined;
  r.visit(member.object);
  const site = r.access(member);
  if (name === undefined) r.edits.wrap(member.object, `${r.probe(probe)}(`, `,${key},${site})`);
  else {
    const isKnown = `===${r.probe('reads')}[${site}]?${name}`;
    r.edits.wrap(member.object, '(', `${isKnown}:${r.probe(probe)}(${name},${key},${site}))`);
  }
}

/** The text of an object that is a name which needs no probe of its own, or `this`. */
export function nameIn(r: Rewriter, object: Node): string | undefined {
  if (object.type === 'ThisExpression') return 'this';
  return object.type === 'Identifier' && r.tracked(object) === undefined ? object.name : undefined;
}

export function wrapKey(
  r: Rewriter,
  member: MemberExpression,
  base: string,
  probe: 'read' | 'written' | 'deleted',
): void {
  const sequence = member.property.type === 'SequenceExpression';
  const open = `${r.probe(`${probe}Key`)}(${base},${sequence ? '(' : ''}`;
  r.edits.wrap(member.property, open, `${sequence ? ')' : ''},${r.access(member)})`);
}
