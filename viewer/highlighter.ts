/*
 * Colours for code, made when a report is rendered: a bundle of its own (rolldown.viewer.config.js), as only pages need it, and
 * loaded by src/report/colours.ts.
 */

import hljs from 'highlight.js/lib/core';
import c from 'highlight.js/lib/languages/c';
import cpp from 'highlight.js/lib/languages/cpp';
import csharp from 'highlight.js/lib/languages/csharp';
import go from 'highlight.js/lib/languages/go';
import java from 'highlight.js/lib/languages/java';
import javascript from 'highlight.js/lib/languages/javascript';
import kotlin from 'highlight.js/lib/languages/kotlin';
import python from 'highlight.js/lib/languages/python';
import rust from 'highlight.js/lib/languages/rust';
import scala from 'highlight.js/lib/languages/scala';
import typescript from 'highlight.js/lib/languages/typescript';

const LANGUAGES = { c, cpp, csharp, go, java, javascript, kotlin, python, rust, scala, typescript };

for (const [name, language] of Object.entries(LANGUAGES)) hljs.registerLanguage(name, language);

const ENDINGS: Readonly<Record<string, keyof typeof LANGUAGES>> = {
  ...{ js: 'javascript', mjs: 'javascript', cjs: 'javascript', jsx: 'javascript' },
  ...{ ts: 'typescript', mts: 'typescript', cts: 'typescript', tsx: 'typescript' },
  ...{ java: 'java', kt: 'kotlin', scala: 'scala', cs: 'csharp' },
  ...{ c: 'c', h: 'cpp', cc: 'cpp', cpp: 'cpp', cxx: 'cpp', hh: 'cpp', hpp: 'cpp' },
  ...{ go: 'go', rs: 'rust', py: 'python' },
};

/** What of the code looks alike; the position is the number that pages know it by. */
const LOOKS = ['', 'keyword', 'string', 'number', 'comment', 'name', 'type'] as const;

/** By the scopes of the highlighter. */
const LOOK_OF: ReadonlyMap<string, (typeof LOOKS)[number]> = new Map([
  ...['keyword', 'literal', 'operator', 'variable.language', 'meta'].map(
    (scope) => [scope, 'keyword'] as const,
  ),
  ...['string', 'regexp', 'char', 'subst'].map((scope) => [scope, 'string'] as const),
  ['number', 'number'],
  ...['comment', 'doctag'].map((scope) => [scope, 'comment'] as const),
  ...['title', 'attr', 'attribute'].map((scope) => [scope, 'name'] as const),
  ...['type', 'built_in', 'class'].map((scope) => [scope, 'type'] as const),
]);

/**
 * For each line of code, lengths and looks in turn: `[5, 1, 3, 0]` is a keyword of five characters and three others. Null where the
 * language is not known.
 */
export function colours(path: string, lines: readonly string[]): number[][] | null {
  const language = ENDINGS[/\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? ''];
  if (language === undefined) return null;
  const { value } = hljs.highlight(lines.join('\n'), { language, ignoreIllegals: true });
  const found: number[][] = [[]];
  const open: number[] = [0];
  for (const [, scopes, closing, text] of value.matchAll(/<span class="([^"]*)">|(<\/span>)|([^<]+)/g)) {
    if (scopes !== undefined) open.push(lookOf(scopes) ?? open[open.length - 1]);
    else if (closing !== undefined) open.pop();
    else {
      for (const [i, part] of unescaped(text).split('\n').entries()) {
        if (i > 0) found.push([]);
        if (part !== '') found[found.length - 1].push(part.length, open[open.length - 1]);
      }
    }
  }
  return found.length === lines.length ? found : null;
}

/** Of `hljs-title function_`, `title`; null where what is around it counts. */
function lookOf(scopes: string): number | null {
  const [first, second] = scopes.split(' ');
  const scope = first.replace('hljs-', '');
  const look = LOOK_OF.get(`${scope}.${second?.replace(/_$/, '')}`) ?? LOOK_OF.get(scope);
  return scope === 'subst' ? 0 : look === undefined ? null : LOOKS.indexOf(look);
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#x27;': "'",
};

function unescaped(text: string): string {
  return text.replace(/&(?:amp|lt|gt|quot|#x27);/g, (entity) => ENTITIES[entity]);
}
