/*
 * Of the places of a built file, what people are to be told of them: where they are in the sources, and what they are
 * called there. Where the map does not say, it is the built file's own.
 */

import type { BuiltFile, Origin } from '../originals/built-file.ts';
import { type FunctionNode, forEachChild, type Node, type NodeOf } from './ast.ts';
import type { Lines } from './lines.ts';
import {
  anchorOf,
  anchorsOfClass,
  type OriginalBlock,
  type OriginalFile,
  partsOf,
  propertyOf,
} from './original-file.ts';

/** A place as it is written into the table of sites; source -1 is the built file itself. */
export interface SitePlace {
  source: number;
  line: number;
  column: number;
}

interface OriginalPlace {
  place: SitePlace;
  label: string;
}

export interface OriginOptions {
  built: BuiltFile;
  lines: Lines;
  /** Which sources are watched. */
  isWatched: (source: number) => boolean;
  analyse: (source: number) => OriginalFile | null;
}

/** So many names are compared before a source is believed to be the one that the map was made of. */
const COMPARED = 300;
/** So many nodes of a compiled function are asked where they come from. */
const LOOKED_AT = 200;
/** If fewer than this part of them are the same, it is not. */
const ENOUGH = 0.5;

export class Origins {
  /** Sources whose text is not that which the map was made of. */
  readonly distrusted = new Set<number>();
  /** Properties that the builder has renamed: what they are called in the sources. */
  readonly renamed = new Map<string, string>();
  readonly #options: OriginOptions;
  readonly #files = new Map<number, OriginalFile | null>();
  readonly #blocks = new Map<FunctionNode, OriginalPlace | null>();

  constructor(options: OriginOptions, program: Node) {
    this.#options = options;
    this.#compare(program);
  }

  /** Null if the map does not say where it comes from. */
  place(offset: number): SitePlace | null {
    const origin = this.#origin(offset);
    return origin && { source: origin.source, line: origin.line, column: origin.column + 1 };
  }

  access(node: Node): { place: SitePlace; text: string } | null {
    const origin = this.#origin(anchorOf(node));
    if (origin === null) return null;
    const file = this.#file(origin.source);
    const found = file?.access(node.type, file.offset(origin.line, origin.column));
    if (found === undefined) return null;
    const { line, column, text, property } = found;
    const own = propertyOf(node);
    if (own !== undefined && property !== undefined && own !== property) this.renamed.set(own, property);
    return { place: { source: origin.source, line, column }, text };
  }

  /** `isCompiled` says that the function is a part of what a compiler has made of one. */
  block(fn: FunctionNode, isCompiled = false): OriginalPlace | null {
    let block = this.#blocks.get(fn);
    if (block === undefined) {
      block = this.#findBlock(fn, isCompiled);
      this.#blocks.set(fn, block);
    }
    return block;
  }

  #findBlock(fn: FunctionNode, isCompiled: boolean): OriginalPlace | null {
    for (const [part, offset] of partsOf(fn)) {
      const found = this.#found(offset, (file, at) => file.block(part, at));
      if (found !== null) return found;
    }
    return isCompiled && fn.body ? this.#around(fn.body, { left: LOOKED_AT }) : null;
  }

  /** The block that the first thing comes from of which the map says something. */
  #around(node: Node, limit: { left: number }): OriginalPlace | null {
    if (limit.left-- <= 0) return null;
    let found = this.#found(node.start, (file, at) => file.blockAround(at));
    forEachChild(node, (child) => {
      found ??= this.#around(child, limit);
    });
    return found;
  }

  /** What the class is called in the source. */
  className(node: NodeOf<'ClassDeclaration'>): string | undefined {
    for (const offset of anchorsOfClass(node)) {
      const origin = this.#origin(offset);
      if (origin === null || !origin.isExact) continue;
      const file = this.#file(origin.source);
      const name = file?.classAt(file.offset(origin.line, origin.column));
      if (name !== undefined) return name;
    }
    return undefined;
  }

  /** What a variable that is declared there is called in the source. */
  nameAt(offset: number): string | undefined {
    const origin = this.#origin(offset);
    if (origin === null || !origin.isExact) return undefined;
    if (origin.name !== null) return origin.name;
    const file = this.#file(origin.source);
    return file?.wordAt(file.offset(origin.line, origin.column));
  }

  isIgnored(offset: number): boolean {
    const origin = this.#origin(offset);
    if (origin === null) return false;
    if (!this.#options.isWatched(origin.source)) return true;
    return this.#file(origin.source)?.isIgnored(origin.line) === true;
  }

  #found(
    offset: number,
    find: (file: OriginalFile, offset: number) => OriginalBlock | undefined,
  ): OriginalPlace | null {
    const origin = this.#origin(offset);
    if (origin === null || !origin.isExact) return null;
    const file = this.#file(origin.source);
    const block = file && find(file, file.offset(origin.line, origin.column));
    if (!block) return null;
    const { line, column, label } = block;
    return { place: { source: origin.source, line, column }, label };
  }

  #origin(offset: number): Origin | null {
    const { lines, built } = this.#options;
    const origin = built.origin(lines.line(offset), lines.column(offset) - 1);
    return origin === null || this.distrusted.has(origin.source) ? null : origin;
  }

  #file(source: number): OriginalFile | null {
    let file = this.#files.get(source);
    if (file === undefined) {
      file = this.#options.isWatched(source) ? this.#options.analyse(source) : null;
      this.#files.set(source, file);
    }
    return file;
  }

  /** Names of properties stay what they are, unless the map says otherwise: where they do not, it is the map of something else. */
  #compare(program: Node): void {
    const seen = new Map<number, { same: number; all: number }>();
    const compare = (key: Node, name: string): void => {
      const origin = this.#origin(key.start);
      if (origin === null || !origin.isExact) return;
      const count = seen.get(origin.source) ?? { same: 0, all: 0 };
      seen.set(origin.source, count);
      if (count.all >= COMPARED) return;
      const file = this.#file(origin.source);
      if (file === null) return;
      count.all++;
      const word = file.wordAt(file.offset(origin.line, origin.column));
      if (word === name || (word !== undefined && word === origin.name)) count.same++;
    };
    const visit = (node: Node): void => {
      if (node.type === 'MemberExpression' && !node.computed && node.property.type === 'Identifier')
        compare(node.property, node.property.name);
      else if (node.type === 'MethodDefinition' && !node.computed && node.key.type === 'Identifier')
        compare(node.key, node.key.name);
      forEachChild(node, visit);
    };
    visit(program);
    for (const [source, { same, all }] of seen)
      if (all > 0 && same < ENOUGH * all) this.distrusted.add(source);
  }
}
