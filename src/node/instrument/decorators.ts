import { forEachChild, type Node, type Program } from './ast.ts';

/*
 * Decorators of the kind that TypeScript had before there was a standard (`experimentalDecorators`). The compiler turns
 * them into calls of three functions, which are added to each file that needs them.
 */

const NAMES = ['decorate', 'decorateParam', 'decorateMetadata'] as const;

const FUNCTIONS: Record<(typeof NAMES)[number], string> = {
  decorate:
    '(list,target,key,descriptor){' +
    'var ofClass=arguments.length<3,result=ofClass?target:' +
    'descriptor===null?descriptor=Object.getOwnPropertyDescriptor(target,key):descriptor;' +
    "if(typeof Reflect.decorate==='function')result=Reflect.decorate(list,target,key,descriptor);" +
    'else for(var i=list.length-1;i>=0;i--)' +
    'result=(ofClass?list[i](result):list[i](target,key,result))||result;' +
    'if(!ofClass&&result)Object.defineProperty(target,key,result);' +
    'return result}',
  decorateParam: '(index,decorator){return function(target,key){decorator(target,key,index)}}',
  decorateMetadata:
    "(key,value){return typeof Reflect.metadata==='function'?Reflect.metadata(key,value):function(){}}",
};

/** How the compiler calls the functions. */
const CALL = /\bbabelHelpers\.(decorateParam|decorateMetadata|decorate)\b/g;

/** The compiled text with the functions that it calls, which are hoisted, so that nothing moves. */
export function withDecorators(code: string, prefix: string): string {
  const used = new Set<string>();
  const renamed = code.replace(CALL, (_, name: string) => {
    used.add(name);
    return `${prefix}${name}`;
  });
  const functions = NAMES.filter((name) => used.has(name)).map(
    (name) => `function ${prefix}${name}${FUNCTIONS[name]}`,
  );
  return functions.length === 0 ? code : `${renamed}\n${functions.join(';')}`;
}

export function hasDecorators(program: Program, source: string): boolean {
  if (!source.includes('@')) return false;
  let found = false;
  const look = (node: Node): void => {
    if (found || node.type === 'Decorator') found = true;
    else forEachChild(node, look);
  };
  look(program);
  return found;
}
