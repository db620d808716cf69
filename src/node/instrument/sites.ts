/*
 * The table of sites of one file: where each probe stands, and the label or source text that reports need. It is
 * written into the prologue of the instrumented file (`file` in probes.ts).
 */

import { type Node, type NodeOf, unwrap } from './ast.ts';
import type { Lines } from './lines.ts';

/** In place of an index into the texts: the function is to be followed, but is no block. */
const NO_BLOCK = -2;
const NO_TEXT = -1;

/** A source text is shown to people; a minified file of one line must not get into every site. */
const LONGEST_TEXT = 80;

export class FileSites {
  readonly table: number[] = [];
  readonly texts: string[] = [];
  /** By number: the access, call or function that the site is of; undefined for other sites. */
  readonly nodes: (Node | undefined)[] = [];
  private readonly indexes = new Map<string, number>();
  private readonly source: string;
  private readonly lines: Lines;
  private readonly ignored: ReadonlySet<number>;
  /** The ignored lines on which there was something to ignore. */
  readonly spared = new Set<number>();

  constructor(source: string, lines: Lines, ignored: ReadonlySet<number>) {
    this.source = source;
    this.lines = lines;
    this.ignored = ignored;
  }

  /** Whether something that would have a site here is not to have one. */
  isIgnored(offset: number): boolean {
    if (this.ignored.size === 0) return false;
    const line = this.lines.line(offset);
    if (!this.ignored.has(line)) return false;
    this.spared.add(line);
    return true;
  }

  line(offset: number): number {
    return this.lines.line(offset);
  }

  /** How many there are. */
  get count(): number {
    return this.table.length / 3;
  }

  /** The number of a new site. */
  add(offset: number, text?: string): number {
    this.push(offset, text === undefined ? NO_TEXT : this.indexOf(text));
    return this.table.length / 3 - 1;
  }

  addWithoutBlock(offset: number): number {
    this.push(offset, NO_BLOCK);
    return this.table.length / 3 - 1;
  }

  /** A site for the access `node`, at its property if that is on a later line than its start. */
  addAccess(node: Node): number {
    const site = this.add(this.offsetOf(node), this.textOf(node));
    this.nodes[site] = node;
    return site;
  }

  /** A site for a call of something that may have effects of its own: known by its line only. */
  addCall(node: NodeOf<'CallExpression'>): void {
    this.nodes[this.count] = node;
    const callee = unwrap(node.callee);
    const { start } = callee.type === 'MemberExpression' ? callee.property : callee;
    this.table.push(this.lines.line(start), 0, NO_TEXT);
  }

  offsetOf(node: Node): number {
    const property = node.type === 'MemberExpression' ? node.property : undefined;
    if (property === undefined) return node.start;
    return this.lines.line(property.start) === this.lines.line(node.start) ? node.start : property.start;
  }

  private textOf(node: Node): string {
    const { start } = node;
    const text = this.source.slice(start, Math.min(node.end, start + 4 * LONGEST_TEXT)).replace(/\s+/g, ' ');
    return text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT - 1)}…` : text;
  }

  private push(offset: number, text: number): void {
    this.table.push(this.lines.line(offset), this.lines.column(offset), text);
  }

  private indexOf(text: string): number {
    let index = this.indexes.get(text);
    if (index === undefined) {
      index = this.texts.length;
      this.texts.push(text);
      this.indexes.set(text, index);
    }
    return index;
  }
}
