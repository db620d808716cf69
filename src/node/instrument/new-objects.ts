/*
 * What a constructor does to the object that it makes, as long as nobody else can have that: `this.x = x` in the body of a class that
 * is derived from none. It is what an object literal does, and like that has no probes: whoever comes to the object later has
 * got it from this task, by something that is recorded. The rest of a constructor has probes from where `this` gets away on: as an argument,
 * by the call of a method, in an arrow function.
 */

import { forEachChild, type Node, type NodeOf, type Program } from './ast.ts';

type ClassNode = NodeOf<'ClassDeclaration'>;

/** Marks the accesses to properties of objects that are being made. */
export function markNewObjects(program: Program): void {
  const look = (node: Node): void => {
    if ((node.type === 'ClassDeclaration' || node.type === 'ClassExpression') && isPlain(node as ClassNode))
      markFields(node as ClassNode);
    forEachChild(node, look);
  };
  look(program);
}

/** Whether to set a property runs no code: no accessors, nobody who may add some. */
function isPlain({ superClass, decorators, body }: ClassNode): boolean {
  if (superClass !== null || decorators.length > 0) return false;
  return body.body.every((part) => {
    if (part.type === 'AccessorProperty') return false;
    if ('decorators' in part && part.decorators.length > 0) return false;
    if (part.type === 'PropertyDefinition') return part.static || !part.value || staysHere(part.value, []);
    return part.type !== 'MethodDefinition' || (part.kind !== 'get' && part.kind !== 'set');
  });
}

function markFields({ body }: ClassNode): void {
  const maker = body.body.find((part) => part.type === 'MethodDefinition' && part.kind === 'constructor');
  if (maker?.type !== 'MethodDefinition') return;
  for (const statement of maker.value.body?.body ?? []) {
    const accesses: Node[] = [];
    if (!staysHere(statement, accesses)) return;
    for (const access of accesses) access.isOfNewObject = true;
  }
}

/** Whether `this` is used only to get at properties; gives these accesses. */
function staysHere(node: Node, accesses: Node[]): boolean {
  switch (node.type) {
    case 'ThisExpression':
    case 'ClassDeclaration':
    case 'ClassExpression':
      return false;
    case 'FunctionDeclaration':
    case 'FunctionExpression':
      // They have a `this` of their own.
      return true;
    case 'ArrowFunctionExpression':
      return isWithoutThis(node);
    case 'MemberExpression':
      if (node.object.type === 'ThisExpression') {
        accesses.push(node);
        return !node.computed || staysHere(node.property, accesses);
      }
      break;
    case 'CallExpression':
    case 'TaggedTemplateExpression':
      if (isOwnMethod(node.type === 'CallExpression' ? node.callee : node.tag)) return false;
      break;
  }
  let stays = true;
  forEachChild(node, (child) => {
    stays &&= staysHere(child, accesses);
  });
  return stays;
}

/** Whether an arrow function, which may be called at any time, has nothing to do with `this`. */
function isWithoutThis(arrow: Node): boolean {
  const accesses: Node[] = [];
  let stays = true;
  forEachChild(arrow, (child) => {
    stays &&= staysHere(child, accesses);
  });
  return stays && accesses.length === 0;
}

/** `this.start()`, `eval('this')`. */
function isOwnMethod(callee: Node): boolean {
  let inner = callee;
  while (inner.type === 'ChainExpression' || inner.type === 'ParenthesizedExpression')
    inner = inner.expression;
  if (inner.type === 'Identifier') return inner.name === 'eval';
  return inner.type === 'MemberExpression' && inner.object.type === 'ThisExpression';
}
