/*
 * What Node does not take as it is: types, JSX, decorators.
 */

import type * as OxcTransform from 'oxc-transform';
import { ownRequire } from '../support/own-require.ts';
import { withDecorators } from './decorators.ts';
import type { InstrumentOptions } from './instrument.ts';

export interface Compiled {
  code: string;
  /** JSON of the source map, if one was wanted. */
  map: string | undefined;
  warnings: string[];
}

export function needsCompiler({ language, transform }: InstrumentOptions): boolean {
  return language === 'ts' || language === 'tsx' || transform?.jsx !== undefined;
}

/** The text as Node can run it, or the message of the compiler. */
export function compiled(code: string, options: InstrumentOptions, prefix: string): Compiled | string {
  const { path, displayPath, language, format, transform, wantMap = true } = options;
  // Not needed for JavaScript, which most programs and packages are.
  const { transformSync } = ownRequire('oxc-transform') as typeof OxcTransform;
  const result = transformSync(path, code, {
    jsx: 'preserve',
    helpers: { mode: 'External' as OxcTransform.HelperMode },
    ...transform,
    lang: language,
    sourceType: format,
    sourcemap: wantMap,
  });
  const error = result.errors.find((e) => e.severity === 'Error');
  if (error !== undefined) return error.message;
  return {
    code: withDecorators(result.code, prefix),
    map: wantMap && result.map !== undefined ? JSON.stringify(result.map) : undefined,
    warnings: result.errors.map(({ message }) => `${displayPath}: ${message}`),
  };
}
