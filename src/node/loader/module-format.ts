import { parseSync } from '../instrument/parser.ts';
import { declaredFormat, isTypeScript, type ModuleFormat } from './module-kind.ts';

/** What a file is run as: as it is declared, else by what is written in it. */
export function moduleFormat(path: string, source: string): ModuleFormat {
  return declaredFormat(path) ?? formatBySyntax(path, source);
}

/** What is written in it says what it is, as for tools that take `import` anywhere. */
export function formatBySyntax(path: string, source: string): ModuleFormat {
  const { module } = parseSync(path, source, { sourceType: 'unambiguous' });
  if (!module.hasModuleSyntax) return 'commonjs';
  const { length } = [...module.staticImports, ...module.staticExports, ...module.importMetas];
  // In TypeScript, this is `module.exports =`.
  return length === 0 && isTypeScript(path) && /\bexport\s*=/.test(source) ? 'commonjs' : 'module';
}
