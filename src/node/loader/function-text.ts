import { SourceMap } from 'node:module';
import type * as OxcTransform from 'oxc-transform';
import { forEachChild, isFunction, type Node } from '../instrument/ast.ts';
import { parseSync } from '../instrument/parser.ts';
import { ownRequire } from '../support/own-require.ts';
import { offsetOf } from './messages.ts';
import { type Language, languageOf } from './module-kind.ts';

/** A file of the program, before and after it was instrumented. */
export interface InstrumentedFile {
  path: string;
  source: string;
  code: string;
  /** JSON of the source map of the code. */
  map: string;
}

/** What the text of a function or a class of the instrumented file is in the source; null if it is none of that file. */
export function sourceOfFunction(text: string, file: InstrumentedFile): string | null {
  const { code, source, path } = file;
  const at = code.indexOf(text);
  if (at < 0) return null;
  const before = code.slice(0, at).split('\n');
  const entry = new SourceMap(JSON.parse(file.map)).findEntry(before.length - 1, before.at(-1)!.length);
  if (!('originalLine' in entry)) return null;
  const offset = offsetOf(source, { line: entry.originalLine, column: entry.originalColumn });
  const language = languageOf(path);
  const options = { lang: language, sourceType: 'unambiguous' } as const;
  const end = endOf(parseSync(path, source, options).program, offset);
  if (end === null) return null;
  const found = source.slice(offset, end);
  return language === 'js' ? found : withoutTypes(path, found, language);
}

/** Where the function or class ends whose text begins at this offset. */
function endOf(node: Node, offset: number): number | null {
  if (offset < node.start || offset >= node.end) return null;
  if ((isFunction(node) || /^Class(?:Declaration|Expression)$/.test(node.type)) && node.start === offset)
    return node.end;
  // `static` is no part of the text, and neither is what comes before the name of a field.
  if (node.type === 'MethodDefinition' || node.type === 'Property') {
    const isMethod = isFunction(node.value) && node.value.end === node.end;
    if (isMethod && offset <= node.key.start) return node.end;
  }
  let end: number | null = null;
  forEachChild(node, (child) => {
    end ??= endOf(child, offset);
  });
  return end;
}

const START = '_ = ';

function withoutTypes(path: string, text: string, lang: Language): string | null {
  // Loaded when it is needed, as it takes milliseconds.
  const { transformSync } = ownRequire('oxc-transform') as typeof OxcTransform;
  const { code, errors } = transformSync(path, `${START}${text};`, { lang, jsx: 'preserve' });
  return errors.length > 0 ? null : code.slice(START.length).replace(/;\s*$/, '');
}
