/*
 * Variables that one module changes and another one imports: to both they are the same.
 */

import type { Program } from './ast.ts';
import { quote } from './references.ts';
import type { Rewriter } from './rewriter.ts';
import type { Scope } from './scope.ts';
import { analyseScopes, nameOfExport } from './scopes.ts';

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

export function changingExports(program: Program): ChangingExports {
  const scope = analyseScopes(program);
  const own = new Map([...scope.exported].filter(([, name]) => (scope.bindings.get(name)?.index ?? -1) >= 0));
  const handedOn = [];
  const all = [];
  for (const statement of program.body) {
    if (statement.type === 'ExportAllDeclaration') {
      if (statement.exported === null) all.push(statement.source.value);
    } else if (statement.type === 'ExportNamedDeclaration' && statement.source) {
      const specifier = statement.source.value;
      for (const { exported, local } of statement.specifiers)
        handedOn.push({ exported: nameOfExport(exported), imported: nameOfExport(local), specifier });
    }
  }
  return { own, handedOn, all };
}

/** Makes the imports of changing variables known as such; returns the declarations that their probes need. */
export function linkImports(
  r: Rewriter,
  program: Program,
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
  for (const statement of program.body) {
    if (statement.type !== 'ImportDeclaration') continue;
    const variables = changing(statement.source.value);
    if (variables.size === 0) continue;
    for (const specifier of statement.specifiers) {
      const binding = scope.bindings.get(specifier.local.name);
      if (binding === undefined || specifier.type === 'ImportDefaultSpecifier') continue;
      if (specifier.type === 'ImportNamespaceSpecifier')
        binding.members = new Map([...variables].map(([name, variable]) => [name, place(variable)]));
      else {
        const variable = variables.get(nameOfExport(specifier.imported));
        if (variable !== undefined) Object.assign(binding, place(variable));
      }
    }
  }
  const declared = [...scopes].map(
    ([module, { token, names }]) =>
      `var ${token}=${r.probe('importedScope')}([${names.map(quote).join(',')}],${quote(module)});`,
  );
  return declared.join('');
}
