/*
 * The table of sites of one file: where each probe stands, and the label or source text that reports need. It is
 * written into the prologue of the instrumented file (`file` in probes.ts).
 */

import { type FunctionNode, type Node, type NodeOf, unwrap } from './ast.ts';
import type { Lines } from './lines.ts';
import type { Origins, SitePlace } from './origins.ts';

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
  /** What people are to be told of the places, if the file was built from others. */
  readonly origins: Origins | null;
  /** Per site: the number of the source that its place is in, -1 for the file itself; empty if there are no others. */
  readonly sources: number[] = [];

  constructor(source: string, lines: Lines, ignored: ReadonlySet<number>, origins: Origins | null = null) {
    this.source = source;
    this.lines = lines;
    this.ignored = ignored;
    this.origins = origins;
  }

  /** Whether something that would have a site here is not to have one. */
  isIgnored(offset: number): boolean {
    if (this.origins?.isIgnored(offset)) return true;
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
    return this.push(this.placeOf(offset), text === undefined ? NO_TEXT : this.indexOf(text));
  }

  /** A site for a function, which is a block unless a comment says otherwise. */
  addBlock(offset: number, label: string, fn: FunctionNode): number {
    const place = this.origins?.block(fn)?.place ?? this.placeOf(offset);
    const site = this.push(place, this.isIgnored(offset) ? NO_BLOCK : this.indexOf(label));
    this.nodes[site] = fn;
    return site;
  }

  /** A site for the access `node`, at its property if that is on a later line than its start. */
  addAccess(node: Node): number {
    const original = this.origins?.access(node);
    const place = original?.place ?? this.placeOf(this.offsetOf(node));
    const site = this.push(place, this.indexOf(original?.text ?? this.textOf(node)));
    this.nodes[site] = node;
    return site;
  }

  /** A site for a call of something that may have effects of its own: known by its line only. */
  addCall(node: NodeOf<'CallExpression'>): void {
    this.nodes[this.count] = node;
    const callee = unwrap(node.callee);
    const { start } = callee.type === 'MemberExpression' ? callee.property : callee;
    this.push({ ...this.placeOf(start), column: 0 }, NO_TEXT);
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

  private placeOf(offset: number): SitePlace {
    const own = { source: -1, line: this.lines.line(offset), column: this.lines.column(offset) };
    return this.origins?.place(offset) ?? own;
  }

  private push({ source, line, column }: SitePlace, text: number): number {
    if (this.origins !== null) this.sources.push(source);
    return this.table.push(line, column, text) / 3 - 1;
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
