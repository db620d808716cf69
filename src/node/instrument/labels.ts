/*
 * Names of functions as a person would say them: `Bank.transfer`, `Bank.#hidden`, `outer.inner`. They are the labels
 * of blocks, so they must not change when lines are added above.
 */

import {
  type Identifier,
  isModuleExports,
  type Keyed,
  keyOf,
  type MemberExpression,
  type Node,
  staticKey,
  unwrap,
} from './ast.ts';

/** What an assignment, declaration or property calls the value it is given. */
export function nameOfTarget(target: Node, source: string): string | undefined {
  const node = unwrap(target);
  if (node.type === 'Identifier') return node.name;
  if (node.type !== 'MemberExpression' || isModuleExports(node)) return undefined;
  const own = nameOfKey(node, source);
  const object = unwrap(node.object);
  const of =
    object.type === 'MemberExpression' || object.type === 'Identifier' ? ownerName(object) : undefined;
  return of === undefined ? own : `${of}.${own}`;
}

/** `A` for `A.prototype` and for `a.A`; nothing for the module's exports, which name no object. */
function ownerName(node: Identifier | MemberExpression): string | undefined {
  if (node.type === 'Identifier') return node.name === 'exports' ? undefined : node.name;
  const key = staticKey(node);
  if (key === 'prototype') return nameOfOwner(unwrap(node.object));
  return key === 'exports' ? undefined : key;
}

function nameOfOwner(node: Node): string | undefined {
  return node.type === 'Identifier' || node.type === 'MemberExpression' ? ownerName(node) : undefined;
}

/** The key of a member, property or method; `[Symbol.iterator]` for a computed one. */
export function nameOfKey(node: Keyed, source: string): string {
  const known = staticKey(node);
  if (known !== undefined) return known;
  const key = keyOf(node);
  return `[${source.slice(key.start, Math.min(key.end, key.start + 40))}]`;
}

/** The names of the functions, classes and objects around the place that is being rewritten. */
export class Labels {
  private readonly parts: (string | undefined)[] = [];
  /** How many of the names around do not belong to what stands here: a handler's own name is enough. */
  private readonly left: number[] = [];
  private readonly displayPath: string;

  constructor(displayPath: string) {
    this.displayPath = displayPath;
  }

  enter(name: string | undefined, isHandler = false): void {
    this.left.push(isHandler ? this.parts.length : (this.left.at(-1) ?? 0));
    this.parts.push(name);
  }

  leave(): void {
    this.left.pop();
    this.parts.pop();
  }

  /** The names around, without those of nameless functions, or undefined. */
  get around(): string | undefined {
    const named = this.parts.slice(this.left.at(-1) ?? 0).filter((part) => part !== undefined);
    return named.length === 0 ? undefined : named.join('.');
  }

  /**
   * Label of an async function that was compiled into the one around it. Babel makes `_f` of `f`, and assigns it to
   * itself.
   */
  compiledLabelOf(name: string | undefined, line: number): string {
    const { around } = this;
    const isAround = name === undefined || around === name || around?.endsWith(`.${name}`) === true;
    const label = isAround && around !== undefined ? around : this.labelOf(name, line);
    return label.replace(/(^|\.)_(?=[^._]+$)/, '$1');
  }

  /** Label of what a loop at this line does each time. */
  loopLabel(line: number): string {
    const { around } = this;
    return around === undefined ? `loop at ${this.displayPath}:${line}` : `${around}.loop`;
  }

  /** Label of a function called `name` at this place; without any name, it is that of what it is. */
  labelOf(name: string | undefined, line: number, what = 'async function'): string {
    const { around } = this;
    if (name !== undefined) return around === undefined ? name : `${around}.${name}`;
    return around === undefined ? `${what} at ${this.displayPath}:${line}` : `${around}.<anonymous>`;
  }
}
