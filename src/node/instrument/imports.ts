/*
 * Variables that one module changes and another one imports: to both they are the same.
 */

import type { Node } from './ast.ts';
import { quote } from './references.ts';
import type { Rewriter } from './rewriter.ts';
import { analyseScopes, type Scope } from './scopes.ts';

/** Where an exported variable is declared. */
export interface ExportedVariable {
  /** The file. */
  module: string;
  /** What it is called there. */
  name: string;
}

/** What a file exports that may change: its own variables, and what it hands on from other files. */
export interface ChangingExports {
  /** By the exported name. */
  own: ReadonlyMap<string, string>;
  handedOn: readonly { exported: string; imported: string; specifier: string }[];
  /** `export * from` these. */
  all: readonly string[];
}

export function changingExports(program: Node): ChangingExports {
  const scope = analyseScopes(program);
  const own = new Map([...scope.exported].filter(([, name]) => (scope.bindings.get(name)?.index ?? -1) >= 0));
  const handedOn = [];
  const all = [];
  for (const { type, source, specifiers, exported } of program.body) {
    const specifier = source?.value;
    if (specifier === undefined) continue;
    if (type === 'ExportAllDeclaration' && exported === null) all.push(specifier);
    if (type !== 'ExportNamedDeclaration') continue;
    for (const one of specifiers)
      handedOn.push({ exported: textOf(one.exported), imported: textOf(one.local), specifier });
  }
  return { own, handedOn, all };
}

/** Makes the imports of changing variables known as such; returns the declarations that their probes need. */
export function linkImports(
  r: Rewriter,
  program: Node,
  scope: Scope,
  changing: ((specifier: string) => ReadonlyMap<string, ExportedVariable>) | undefined,
): string {
  if (changing === undefined) return '';
  const scopes = new Map<string, { token: string; names: string[] }>();
  const place = ({ module, name }: ExportedVariable): { token: string; index: number } => {
    const known = scopes.get(module) ?? { token: r.scopeToken(), names: [] };
    scopes.set(module, known);
    if (!known.names.includes(name)) known.names.push(name);
    return { token: known.token, index: known.names.indexOf(name) };
  };
  for (const { type, source, specifiers } of program.body) {
    const variables = type === 'ImportDeclaration' ? changing(source.value) : undefined;
    if (variables === undefined || variables.size === 0) continue;
    for (const { type, local, imported } of specifiers) {
      const binding = scope.bindings.get(local.name);
      if (binding === undefined || type === 'ImportDefaultSpecifier') continue;
      if (type === 'ImportNamespaceSpecifier')
        binding.members = new Map([...variables].map(([name, variable]) => [name, place(variable)]));
      else if (variables.has(textOf(imported)))
        Object.assign(binding, place(variables.get(textOf(imported))!));
    }
  }
  const declared = [...scopes].map(
    ([module, { token, names }]) =>
      `var ${token}=${r.probe('importedScope')}([${names.map(quote).join(',')}],${quote(module)});`,
  );
  return declared.join('');
}

/** A name of an export is an identifier or a string. */
function textOf(name: Node): string {
  return name.name ?? name.value;
}
