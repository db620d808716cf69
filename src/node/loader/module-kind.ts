import { readFileSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';

export type ModuleFormat = 'module' | 'commonjs';
export type Language = 'js' | 'jsx' | 'ts' | 'tsx';

/** What Node takes a file for: by its ending, else by the nearest package.json; null if neither says. */
export function declaredFormat(path: string): ModuleFormat | null {
  if (/\.m[jt]s$/.test(path)) return 'module';
  if (/\.c[jt]s$/.test(path)) return 'commonjs';
  // What came as text has no package.
  if (!isAbsolute(path)) return null;
  return declaredType(path);
}

export function languageOf(path: string): Language {
  const [, ending] = /\.[cm]?([jt]sx?)$/.exec(path) ?? [];
  return (ending ?? 'js') as Language;
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
