import { readFileSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';

export type ModuleFormat = 'module' | 'commonjs';
export type Language = 'js' | 'jsx' | 'ts' | 'tsx';

/**
 * What a file is by its ending, else by the nearest package.json; null if neither says. TypeScript may import in a package of
 * CommonJS: compilers make calls of `require` of that, and we leave it the module that it is written as.
 */
export function declaredFormat(path: string): ModuleFormat | null {
  if (/\.m[jt]s$/.test(path)) return 'module';
  // What came as text has no package.
  if (!isAbsolute(path)) return null;
  const format = /\.c[jt]s$/.test(path) ? 'commonjs' : declaredType(path);
  return format === 'commonjs' && isTypeScript(path) ? null : format;
}

export function languageOf(path: string): Language {
  const [, ending] = /\.[cm]?([jt]sx?)$/.exec(path) ?? [];
  return (ending ?? 'js') as Language;
}

/** Whether its name is that of JavaScript or TypeScript. */
export function isScript(path: string): boolean {
  return /\.[cm]?[jt]sx?$/.test(path);
}

export function isTypeScript(path: string): boolean {
  return languageOf(path).startsWith('ts');
}

function declaredType(path: string): ModuleFormat | null {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    try {
      const { type } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
      return type === 'module' || type === 'commonjs' ? type : null;
    } catch {
      // Not here.
    }
    if (folder === dirname(folder)) return null;
  }
}
