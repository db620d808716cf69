import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { forEachChild, type Node, unwrap } from '../instrument/ast.ts';
import { parseSync } from '../instrument/parser.ts';
import { define } from '../support/patching.ts';
import type { EvaluatedText } from './evaluated-text.ts';
import { languageOf } from './module-kind.ts';
import { quotedExpression } from './quoted-expression.ts';

/*
 * V8 quotes expressions in some of its messages, as they are in the code that it runs. Where there is a probe in one, this
 * finds the expression that the author wrote, and says what V8 would have said.
 */

const NOT_CALLABLE = /^.* (is not a (?:function|constructor))$/s;
const NOT_ITERABLE = /^.* is not a function or its return value is not ((?:async )?iterable)$/s;
const NOT_SPREAD = /^.* (is not iterable \(cannot read property .*\))$/s;
const NOT_TAKEN = /^(Cannot destructure (?:property '.*?' of )?').*(' as it is (?:undefined|null)\.)$/s;

/** A place in a source file, line and column from 0. */
export interface SourcePlace {
  /** A path or a URL. */
  file: string;
  line: number;
  column: number;
}

/** Lets an error that quotes a probe, and was thrown at this place, speak of the source; `text` is what comes from no file. */
export function repairMessage(error: Error, place: SourcePlace, text: EvaluatedText | null): void {
  const descriptor = Object.getOwnPropertyDescriptor(error, 'message');
  const message: string = descriptor?.value;
  const path = place.file.startsWith('file:') ? fileURLToPath(place.file) : place.file;
  const source = text?.sourceOf(place.file) ?? readFileSync(path, 'utf8');
  const options = { lang: languageOf(path), sourceType: 'unambiguous' } as const;
  const program = parseSync(path, source, options).program;
  const repaired = messageForSource(message, program, offsetOf(source, place));
  if (repaired !== null) define(error, 'message', { ...descriptor, value: repaired });
}

/** Of a place in a text, as source maps count lines. */
export function offsetOf(source: string, { line, column }: Pick<SourcePlace, 'line' | 'column'>): number {
  let start = 0;
  for (let i = 0; i < line; i++) start = source.indexOf('\n', start) + 1;
  return start + column;
}

/** The message of an error at this offset of the source, about the source; null if that is not to be found. */
function messageForSource(message: string, program: Node, offset: number): string | null {
  const [, notCallable] = NOT_CALLABLE.exec(message) ?? [];
  if (notCallable !== undefined) return told(find(program, offset, calleeAt), '', ` ${notCallable}`);
  const [, iterable] = NOT_ITERABLE.exec(message) ?? [];
  if (iterable !== undefined) return notIterable(find(program, offset, iterableAt), iterable);
  const [, notSpread] = NOT_SPREAD.exec(message) ?? [];
  if (notSpread !== undefined) return told(find(program, offset, spreadAt), '', ` ${notSpread}`);
  const [, before, after] = NOT_TAKEN.exec(message) ?? [];
  if (before !== undefined) return told(find(program, offset, sourceAt), before, after);
  return null;
}

function notIterable(node: Node | null, iterable: string): string | null {
  const called = node && unwrap(node);
  if (called?.type !== 'CallExpression') return told(node, '', ` is not ${iterable}`);
  return told(called.callee, '', ` is not a function or its return value is not ${iterable}`);
}

function told(node: Node | null, before: string, after: string): string | null {
  if (node === null) return null;
  // V8 has no words for an optional chain as a whole, unless something of it is called.
  const isOpen = before !== '' && unwrap(node).type === 'ChainExpression';
  return `${before}${isOpen ? '(intermediate value)' : quotedExpression(node)}${after}`;
}

/** What `wanted` finds in the innermost node in which it finds something. */
function find(node: Node, offset: number, wanted: (node: Node, offset: number) => Node | null): Node | null {
  if (offset < node.start || offset > node.end) return null;
  let found: Node | null = null;
  forEachChild(node, (child) => {
    found ??= find(child, offset, wanted);
  });
  return found ?? wanted(node, offset);
}

/** V8 puts what is called at the name of the property, or else behind it. */
function calleeAt(node: Node, offset: number): Node | null {
  if (node.type === 'NewExpression') return node.start === offset ? node.callee : null;
  const callee =
    node.type === 'CallExpression'
      ? node.callee
      : node.type === 'TaggedTemplateExpression'
        ? node.tag
        : undefined;
  if (callee === undefined) return null;
  const inner = unwrap(callee);
  const isHere =
    callee.end === offset || (inner.type === 'MemberExpression' && inner.property.start === offset);
  return isHere ? callee : null;
}

/** A probe around an expression is in the source where that begins, or right before. */
function iterableAt(node: Node, offset: number): Node | null {
  const iterable = iteratedIn(node);
  return iterable && offset >= iterable.start - 1 && offset <= iterable.end ? iterable : null;
}

/** What a node may go through by its iterator. */
function iteratedIn(node: Node): Node | null {
  switch (node.type) {
    case 'SpreadElement':
      return node.argument;
    case 'VariableDeclarator':
      return node.init;
    case 'ForOfStatement':
    case 'AssignmentExpression':
      return node.right;
    default:
      return null;
  }
}

function spreadAt(node: Node, offset: number): Node | null {
  if (node.type !== 'CallExpression' || calleeAt(node, offset) === null) return null;
  return node.arguments.find((argument) => argument.type === 'SpreadElement')?.argument ?? null;
}

/** The value that an object pattern takes something out of. */
function sourceAt(node: Node, offset: number): Node | null {
  const [pattern, value] =
    node.type === 'VariableDeclarator'
      ? [node.id, node.init]
      : node.type === 'AssignmentExpression'
        ? [node.left, node.right]
        : [];
  if (pattern?.type !== 'ObjectPattern' || !value) return null;
  return offset >= pattern.start && offset <= pattern.end ? value : null;
}
