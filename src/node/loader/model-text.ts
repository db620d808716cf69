import { parseSync } from '../instrument/parser.ts';

/** The source of a module, with the call of its model at the end. */
export function withModel(name: string, path: string, source: string, modelsUrl: string): string {
  const { program } = parseSync(path, source, { sourceType: 'module' });
  const exported = program.body.find((statement) => statement.type === 'ExportDefaultDeclaration');
  const declared = exported?.type === 'ExportDefaultDeclaration' ? exported.declaration : null;
  const isNamed = declared?.type === 'FunctionDeclaration' || declared?.type === 'ClassDeclaration';
  const own = isNamed ? (declared.id?.name ?? null) : null;
  const call = `__trackside_modelled(${JSON.stringify(name)}, __trackside_self)`;
  return [
    source,
    `;import { modelled as __trackside_modelled } from ${JSON.stringify(modelsUrl)};`,
    `import * as __trackside_self from ${JSON.stringify(`./${path.replace(/^.*[\\/]/, '')}`)};`,
    own === null ? `${call};` : `${own} = ${call}.default ?? ${own};`,
  ].join('\n');
}
