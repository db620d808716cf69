/*
 * A source that a built file comes from, as far as the instrumenter would say something of it: what its blocks are
 * called, how its accesses are written, which of its lines are to be ignored. Places in it are offsets.
 */

import { forEachChild, isFunction, type Node, type NodeOf, staticKey } from './ast.ts';
import type { FileSites } from './sites.ts';

/** Where something stands in a source, as reports tell it. */
export interface OriginalAccess {
  line: number;
  column: number;
  text: string;
  /** The name behind the dot. */
  property: string | undefined;
}

export interface OriginalBlock {
  line: number;
  column: number;
  label: string;
}

/** By which part of a function or class it is found again in what was built of it. */
export type Part = 'name' | 'start' | 'parameter' | 'first' | 'body';

interface Extent {
  start: number;
  end: number;
  block: OriginalBlock;
}

export class OriginalFile {
  readonly #source: string;
  readonly #starts: readonly number[];
  readonly #ignored: ReadonlySet<number>;
  readonly #accesses = new Map<string, OriginalAccess>();
  readonly #blocks = new Map<string, OriginalBlock>();
  /** Functions that are blocks, outer ones before inner ones. */
  readonly #extents: Extent[] = [];
  readonly #classes = new Map<number, string>();

  /** `sites` are those that the file would have if it were instrumented itself; null if it is no JavaScript. */
  constructor(
    source: string,
    parsed: { program: Node; sites: FileSites; ignored: ReadonlySet<number> } | null,
  ) {
    this.#source = source;
    this.#starts = lineStarts(source);
    this.#ignored = parsed?.ignored ?? new Set();
    if (parsed === null) return;
    this.#noteSites(parsed.sites);
    this.#noteClasses(parsed.program);
  }

  /** Of a place, line from 1 and column from 0; -1 if the source has no such place. */
  offset(line: number, column: number): number {
    const start = this.#starts[line - 1];
    const end = this.#starts[line] ?? this.#source.length + 1;
    return start === undefined || start + column >= end ? -1 : start + column;
  }

  isIgnored(line: number): boolean {
    return this.#ignored.has(line);
  }

  /** The word that stands at an offset, if one begins there. */
  wordAt(offset: number): string | undefined {
    const word = /[\p{ID_Start}$_#][\p{ID_Continue}$]*/uy;
    word.lastIndex = offset;
    return offset < 0 ? undefined : word.exec(this.#source)?.[0];
  }

  access(type: Node['type'], anchor: number): OriginalAccess | undefined {
    return this.#accesses.get(`${type} ${anchor}`);
  }

  block(part: Part, offset: number): OriginalBlock | undefined {
    return this.#blocks.get(`${part} ${offset}`);
  }

  /** The innermost one around a place. */
  blockAround(offset: number): OriginalBlock | undefined {
    return this.#extents.findLast(({ start, end }) => start <= offset && offset < end)?.block;
  }

  /** The name of the class whose name or member stands there. */
  classAt(offset: number): string | undefined {
    return this.#classes.get(offset);
  }

  #noteSites(sites: FileSites): void {
    for (const [site, node] of sites.nodes.entries()) {
      const [line, column, index] = sites.table.slice(3 * site, 3 * site + 3);
      const text = sites.texts[index];
      if (node === undefined || text === undefined) continue;
      if (!isFunction(node)) {
        const property = propertyOf(node);
        this.#accesses.set(`${node.type} ${anchorOf(node)}`, { line, column, text, property });
        continue;
      }
      const block = { line, column, label: text };
      this.#extents.push({ start: node.start, end: node.end, block });
      for (const [part, offset] of partsOf(node)) this.#blocks.set(`${part} ${offset}`, block);
    }
    this.#extents.sort((a, b) => a.start - b.start || b.end - a.end);
  }

  #noteClasses(node: Node): void {
    if (node.type === 'ClassDeclaration' || node.type === 'ClassExpression') {
      const name = node.id?.name ?? node.givenName;
      if (name !== undefined) for (const offset of anchorsOfClass(node)) this.#classes.set(offset, name);
    }
    forEachChild(node, (child) => this.#noteClasses(child));
  }
}

/** Where an access is found: a member by its property, as many of them may begin at one place. */
export function anchorOf(node: Node): number {
  return node.type === 'MemberExpression' ? node.property.start : node.start;
}

/** The name behind a dot, with its `#`. */
export function propertyOf(node: Node): string | undefined {
  return node.type !== 'MemberExpression' || node.computed ? undefined : staticKey(node);
}

/** The most telling ones first. */
export function* partsOf(
  fn: NodeOf<'ArrowFunctionExpression' | 'FunctionExpression'>,
): Generator<[part: Part, offset: number]> {
  if (fn.id) yield ['name', fn.id.start];
  if (fn.keyStart !== undefined) yield ['name', fn.keyStart];
  yield ['start', fn.start];
  if (fn.params.length > 0) yield ['parameter', fn.params[0].start];
  const { body } = fn;
  if (!body) return;
  yield ['body', body.start];
  if (body.type === 'BlockStatement' && body.body.length > 0) yield ['first', body.body[0].start];
}

export function* anchorsOfClass(node: NodeOf<'ClassDeclaration'>): Generator<number> {
  if (node.id) yield node.id.start;
  for (const member of node.body.body)
    if ('key' in member && member.key && !member.computed) yield member.key.start;
}

function lineStarts(source: string): number[] {
  const starts = [0];
  for (let at = source.indexOf('\n'); at >= 0; at = source.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}
