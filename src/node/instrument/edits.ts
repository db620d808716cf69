/*
 * Changes to the text of a file. Everything is done around what stands there and on the same line, so that lines
 * stay what they were and the text between the tokens (comments, white space) is kept.
 */

import MagicString, { SourceMap } from 'magic-string';
import type { Node } from './ast.ts';

const WORD_END = /[\p{ID_Continue}$]$/u;
const WORD_START = /^[\p{ID_Continue}$]/u;

export class Edits {
  readonly source: string;
  private readonly text: MagicString;

  constructor(source: string) {
    this.source = source;
    this.text = new MagicString(source);
  }

  /**
   * Puts `before` and `after` around a node. Must be called after the node's parts have been edited: what is added
   * later goes outside of what was added before.
   */
  wrap(node: { start: number; end: number }, before: string, after: string): void {
    this.before(node.start, before);
    this.after(node.end, after);
  }

  /** Text in front of what begins at `offset`, and in front of what was put there earlier. */
  before(offset: number, text: string): void {
    // `for (x of[1])`, as minifiers write it, would become one word.
    const isJoined =
      WORD_END.test(this.source.slice(Math.max(0, offset - 2), offset)) && WORD_START.test(text);
    this.text.prependRight(offset, isJoined ? ` ${text}` : text);
  }

  /** Text behind what ends at `offset`, and behind what was put there earlier. */
  after(offset: number, text: string): void {
    this.text.appendLeft(offset, text);
  }

  replace(start: number, end: number, text: string): void {
    if (text === '') this.text.remove(start, end);
    else this.text.update(start, end, text);
  }

  /** Takes a statement away, and leaves its lines. */
  blank({ start, end }: Node): void {
    this.replace(start, end, this.source.slice(start, end).replace(/[^\n]/g, ''));
  }

  get isChanged(): boolean {
    return this.text.hasChanged();
  }

  slice(node: { start: number; end: number }): string {
    return this.source.slice(node.start, node.end);
  }

  /** The offset of `token` from `offset` on, where only comments and white space may come first. */
  find(token: string, offset: number): number {
    const { source } = this;
    let at = offset;
    while (!source.startsWith(token, at)) {
      if (at >= source.length) throw new Error(`no ${token} after offset ${offset}`);
      if (source.startsWith('//', at)) {
        const end = source.slice(at).search(/[\n\r\u2028\u2029]/);
        at = end < 0 ? source.length : at + end;
      } else if (source.startsWith('/*', at)) at = source.indexOf('*/', at) + 2;
      else at++;
    }
    return at;
  }

  /** Where the line after the one of `offset` begins. */
  lineAfter(offset: number): number {
    const end = this.source.indexOf('\n', offset);
    return end < 0 ? this.source.length : end + 1;
  }

  toString(): string {
    return this.text.toString();
  }

  /**
   * `moved` tells of offsets that something else is to be reported as. A probe, which begins with `prefix`, is where what it is put
   * in front of is: that is where V8 says that a statement is.
   */
  map(path: string, moved: ReadonlyMap<number, number>, prefix: string): SourceMap {
    const decoded = this.text.generateDecodedMap({ source: path, hires: 'boundary' });
    const lines = this.text.toString().split('\n');
    decoded.mappings = decoded.mappings.map((segments, line) =>
      withProbes(segments as Segment[], lines[line], prefix),
    );
    const starts = [0];
    for (let at = this.source.indexOf('\n'); at >= 0; at = this.source.indexOf('\n', at + 1))
      starts.push(at + 1);
    for (const segments of decoded.mappings)
      for (const segment of segments as Segment[]) {
        const offset = starts[segment[2]] + segment[3];
        segment[3] += (moved.get(offset) ?? offset) - offset;
      }
    return new SourceMap(decoded);
  }
}

/** A column of the text, with the source, line and column that it comes from. */
type Segment = [number, number, number, number];

function withProbes(segments: readonly Segment[], line: string, prefix: string): Segment[] {
  return segments.flatMap((segment, i): Segment[] => {
    const next = segments[i + 1];
    if (next === undefined || next[2] !== segment[2]) return [segment];
    const at = segment[0] + next[3] - segment[3];
    const isProbe = at > segment[0] && at < next[0] && line.startsWith(prefix, at);
    return isProbe ? [segment, [at, next[1], next[2], next[3]]] : [segment];
  });
}

/** As one argument of a call: a sequence needs parentheses. */
export function asArgument(node: Node): [open: string, close: string] {
  return node.type === 'SequenceExpression' ? ['(', ')'] : ['', ''];
}
