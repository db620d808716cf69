import { parseSync } from 'oxc-parser';
import { declaredFormat, type ModuleFormat } from './module-kind.ts';

/** What Node takes a file for: as it is declared, else by what is written in it. */
export function moduleFormat(path: string, source: string): ModuleFormat {
  return declaredFormat(path) ?? formatBySyntax(path, source);
}

/** What is written in it says what it is, as for tools that take `import` anywhere. */
export function formatBySyntax(path: string, source: string): ModuleFormat {
  return parseSync(path, source, { sourceType: 'unambiguous' }).module.hasModuleSyntax
    ? 'module'
    : 'commonjs';
}
