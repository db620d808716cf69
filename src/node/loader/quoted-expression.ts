import { type MemberExpression, type Node, staticKey, unwrap } from '../instrument/ast.ts';

const UNNAMED = '(intermediate value)';

/** An expression in the words that V8 quotes it in, in messages such as `o.p.q is not a function`. */
export function quotedExpression(node: Node): string {
  const inner = unwrap(node);
  switch (inner.type) {
    case 'Identifier':
      return inner.name;
    case 'ThisExpression':
      return 'this';
    case 'Literal':
      return typeof inner.value === 'string' ? `"${inner.value}"` : String(inner.value ?? inner.raw);
    case 'ChainExpression':
      return quotedExpression(inner.expression);
    case 'MemberExpression':
      return quotedMember(inner);
    case 'CallExpression':
      return `${quotedExpression(inner.callee)}${inner.optional ? '?.' : ''}(...)`;
    case 'UnaryExpression': {
      const gap = /[a-z]$/.test(inner.operator) ? ' ' : '';
      return `(${inner.operator}${gap}${quotedExpression(inner.argument)})`;
    }
    case 'UpdateExpression': {
      const argument = quotedExpression(inner.argument);
      return inner.prefix ? `(${inner.operator}${argument})` : `(${argument}${inner.operator})`;
    }
    case 'BinaryExpression':
    case 'LogicalExpression':
      return `(${quotedExpression(inner.left)} ${inner.operator} ${quotedExpression(inner.right)})`;
    case 'SequenceExpression':
      return `(${inner.expressions.map(quotedExpression).join(' , ')})`;
    case 'AssignmentExpression':
      return quotedExpression(inner.left);
    case 'TemplateLiteral':
      return inner.expressions.map(quotedExpression).join('');
    case 'SpreadElement':
      return `(...${quotedExpression(inner.argument)})`;
    case 'ArrayExpression':
      return `[${inner.elements.map((element) => (element ? quotedExpression(element) : '')).join(',')}]`;
    case 'ObjectExpression':
      return `{${UNNAMED.repeat(inner.properties.length)}}`;
    case 'ConditionalExpression':
      return UNNAMED.repeat(3);
    default:
      return UNNAMED;
  }
}

function quotedMember(node: MemberExpression): string {
  const object = quotedExpression(node.object);
  const link = node.optional ? '?.' : '';
  if (node.property.type === 'PrivateIdentifier') return `${object}${link}[#${node.property.name}]`;
  const key = unwrap(node.property);
  if (node.computed && !(key.type === 'Literal' && typeof key.value === 'string'))
    return `${object}${link}[${quotedExpression(node.property)}]`;
  return `${object}${link || '.'}${staticKey(node)}`;
}
