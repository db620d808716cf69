import { type Node, staticKey, unwrap } from './ast.ts';

/** The calls that a piece of code makes whichever way it goes, by what they call. */
type SureCalls = ReadonlyMap<string, readonly Node[]>;

const NONE: SureCalls = new Map();

/** The calls of functions that both branches call: the condition says only what those are given. */
export function callsInBoth(one: Node, other: Node | null): Node[] {
  return other === null ? [] : [...inBoth(callsOf(one), callsOf(other)).values()].flat();
}

function inBoth(one: SureCalls, other: SureCalls): SureCalls {
  const both = new Map<string, readonly Node[]>();
  for (const [name, calls] of one) {
    const more = other.get(name);
    if (more !== undefined) both.set(name, [...calls, ...more]);
  }
  return both;
}

function callsOf(node: Node): SureCalls {
  switch (node.type) {
    case 'BlockStatement':
      return inSequence(node.body);
    case 'IfStatement':
      return node.alternate ? inBoth(callsOf(node.consequent), callsOf(node.alternate)) : NONE;
    case 'ExpressionStatement':
      return ofExpression(node.expression);
    case 'ReturnStatement':
      return node.argument ? ofExpression(node.argument) : NONE;
    default:
      return NONE;
  }
}

/** Behind an `if` that may leave nothing is sure. */
function inSequence(statements: readonly Node[]): SureCalls {
  const all = new Map<string, readonly Node[]>();
  for (const statement of statements) {
    for (const [name, calls] of callsOf(statement)) all.set(name, [...(all.get(name) ?? []), ...calls]);
    if (statement.type !== 'ExpressionStatement' && statement.type !== 'VariableDeclaration') break;
  }
  return all;
}

function ofExpression(node: Node): SureCalls {
  const inner = unwrap(node);
  const call = inner.type === 'AwaitExpression' ? unwrap(inner.argument) : inner;
  if (call.type !== 'CallExpression') return NONE;
  const name = nameOf(call.callee);
  return name === null ? NONE : new Map([[name, [call]]]);
}

/** `storage.set`; null for what is computed. */
function nameOf(callee: Node): string | null {
  const inner = unwrap(callee);
  if (inner.type === 'Identifier') return inner.name;
  if (inner.type === 'ThisExpression') return 'this';
  const key = inner.type === 'MemberExpression' ? staticKey(inner) : undefined;
  if (inner.type !== 'MemberExpression' || key === undefined) return null;
  const object = nameOf(inner.object);
  return object === null ? null : `${object}.${key}`;
}
