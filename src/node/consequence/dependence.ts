import { contains, forEachChild, isFunction, type Node, staticKey, unwrap } from '../instrument/ast.ts';
import { decisivePart } from '../instrument/read-uses.ts';
import { addNames, forEachGiven, mentions } from './given-names.ts';

/** How a change depends on an earlier read. */
export interface Dependence {
  /** What was read flows into what is written. */
  isValue: boolean;
  /** What was read decides whether anything is written. */
  isDecision: boolean;
  /** `step`: the old value and something more or less; `take`: something is taken out of a collection. */
  change: 'step' | 'take' | null;
}

const TAKING = new Set(['shift', 'pop', 'splice', 'delete']);
const ARITHMETIC = new Set(['+', '-', '*', '/', '%', '**']);
const STEPS = new Set(['+=', '-=', '*=', '/=', '%=', '**=']);
const LEAVING = new Set(['ReturnStatement', 'ThrowStatement', 'BreakStatement', 'ContinueStatement']);

/** `path` leads to the change, outermost node first. Null where the read is not in the same function. */
export function dependenceOf(path: readonly Node[], read: number): Dependence | null {
  // Of `accounts.get(name).balance = 0`, all of it is the change, though a call begins at the same place.
  const change = path.findLast(isAssignment) ?? path.findLast(({ type }) => type === 'CallExpression');
  const body = path.findLast(isFunction) ?? path[0];
  if (change === undefined || read < body.start || read >= body.end) return null;
  const holds = (node: Node) => node.start <= read && read < node.end;
  const names = new Set<string>();
  let isComputed = false;
  forEachGiven(body, (target, value) => {
    if (value.start >= change.start || !(holds(value) || mentions(value, names))) return;
    addNames(target, names);
    isComputed ||= isArithmetic(value);
  });
  const uses = (node: Node) => holds(node) || mentions(node, names);
  const value = writtenIn(change);
  const isValue = isOperand(change, read) || value.some(uses);
  const isStep = isValue && (isStepping(change) || isComputed || value.some(isArithmetic));
  return {
    isValue,
    isDecision: isDecidedBy(body, change, uses),
    change: isTaking(change) ? 'take' : isStep ? 'step' : null,
  };
}

/** Whether it begins where the path leads, and writes there. */
function isAssignment(node: Node, _: number, path: readonly Node[]): boolean {
  if (node.start !== path[path.length - 1].start) return false;
  if (node.type === 'UnaryExpression') return node.operator === 'delete';
  return node.type === 'AssignmentExpression' || node.type === 'UpdateExpression';
}

/** What is written, as far as it stands there. */
function writtenIn(change: Node): readonly Node[] {
  if (change.type === 'AssignmentExpression') return [change.right];
  return change.type === 'CallExpression' ? change.arguments : [];
}

/** Whether it is the old value that is read there: `total += …`, `count++`. */
function isOperand(change: Node, read: number): boolean {
  return isStepping(change) && change.start === read;
}

function isStepping(change: Node): boolean {
  if (change.type === 'UpdateExpression') return true;
  return change.type === 'AssignmentExpression' && STEPS.has(change.operator);
}

function isArithmetic(value: Node): boolean {
  const inner = unwrap(value);
  return inner.type === 'BinaryExpression' && ARITHMETIC.has(inner.operator);
}

function isTaking(change: Node): boolean {
  if (change.type === 'UnaryExpression') return change.operator === 'delete';
  if (change.type !== 'CallExpression') return false;
  const callee = unwrap(change.callee);
  return callee.type === 'MemberExpression' && TAKING.has(staticKey(callee) ?? '');
}

/** Whether a test before the change, by what was read, leads around it. */
function isDecidedBy(body: Node, change: Node, uses: (node: Node) => boolean): boolean {
  let isDecided = false;
  const visit = (node: Node): void => {
    const test = decisivePart(node);
    if (test !== null && test.start < change.start && uses(test)) {
      const isAround = node.start <= change.start && change.end <= node.end;
      if (isAround || contains(node, ({ type }) => LEAVING.has(type))) isDecided = true;
    }
    if (!isDecided) forEachChild(node, (child) => !isFunction(child) && visit(child));
  };
  visit(body);
  return isDecided;
}
