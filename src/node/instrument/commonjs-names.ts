/*
 * `require`, `__dirname` and so on in a module: TypeScript may use them beside `import`, as its compilers make CommonJS of it.
 */

import type { Node } from './ast.ts';
import { quote } from './references.ts';
import type { Rewriter } from './rewriter.ts';
import type { Scope } from './scopes.ts';

const NAMES = ['require', 'module', 'exports', '__filename', '__dirname'];

/** Declares what the file mentions of these names, and does not declare itself; `url` is what they are imported from. */
export function commonJsNames(r: Rewriter, program: Node, scope: Scope, url: string | undefined): string {
  if (url === undefined) return '';
  const { source } = r.edits;
  const names = NAMES.filter((name) => source.includes(name) && !scope.bindings.has(name));
  if (names.length === 0) return '';
  for (const statement of program.body) if (isAmbient(statement, names)) r.edits.blank(statement);
  const take = `${r.prefix}commonJsNames`;
  return `import{commonJsNames as ${take}}from${quote(url)};var{${names.join(',')}}=${take}(import.meta.url);`;
}

/** `declare const require: …`, which says that there is one, and would be a second declaration. */
function isAmbient({ declare, id, declarations }: Node, names: readonly string[]): boolean {
  if (declare !== true) return false;
  const declared: Node[] = declarations?.map((one: Node) => one.id) ?? [id];
  return declared.some((one) => names.includes(one?.name));
}
