/*
 * `require`, `__dirname` and so on in a module: TypeScript may use them beside `import`, as its compilers make CommonJS of it.
 */

import type { Program, Statement } from './ast.ts';
import { quote } from './references.ts';
import type { Rewriter } from './rewriter.ts';
import type { Scope } from './scope.ts';

const NAMES = ['require', 'module', 'exports', '__filename', '__dirname'];

/** Declares what the file mentions of these names, and does not declare itself; `url` is what they are imported from. */
export function commonJsNames(r: Rewriter, program: Program, scope: Scope, url: string | undefined): string {
  if (url === undefined) return '';
  const { source } = r.edits;
  const names = NAMES.filter((name) => source.includes(name) && !scope.bindings.has(name));
  if (names.length === 0) return '';
  for (const statement of program.body) if (isAmbient(statement, names)) r.edits.blank(statement);
  const take = `${r.prefix}commonJsNames`;
  return `import{commonJsNames as ${take}}from${quote(url)};var{${names.join(',')}}=${take}(import.meta.url);`;
}

/** `declare const require: …`, which says that there is one, and would be a second declaration. */
function isAmbient(statement: Statement, names: readonly string[]): boolean {
  if (!('declare' in statement) || statement.declare !== true) return false;
  const declared =
    statement.type === 'VariableDeclaration' ? statement.declarations.map(({ id }) => id) : [statement.id];
  return declared.some((one) => one?.type === 'Identifier' && names.includes(one.name));
}
