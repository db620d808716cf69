import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { deflateRawSync } from 'node:zlib';
import type { Tool } from '../check/result.ts';
import { InputProblem } from '../trace/problem.ts';
import { escapedXml } from './xml.ts';

/**
 * What a part of a page's data is. `about`: JSON of how the results came about. `results`: JSON of what one analysis found, see `html-data.ts`. The others are
 * those of a trace, see `view/trace-parts.ts`.
 */
export type PartKind = 'about' | 'results' | 'runs' | 'fixed' | 'trace' | 'names' | 'operands' | 'chunk';

/** The program and the style of every page, as `npm run build` leaves them. */
function asset(name: string): string {
  try {
    return readFileSync(new URL(`../../dist/viewer/${name}`, import.meta.url), 'utf8');
  } catch (error) {
    throw new InputProblem('the page behind this report has not been built', {
      expected: 'npm run build to have been run',
      cause: error,
    });
  }
}

function hash(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

/**
 * A page in one file: its style, its data, and the program that shows it. All of it is inert but that program: the
 * policy lets nothing else run, nothing be loaded, and no text become markup, whatever the data holds.
 */
export class HtmlPage {
  readonly #script = asset('viewer.js');
  readonly #style = asset('viewer.css');

  head(title: string, tool: Tool): string {
    const policy = [
      "default-src 'none'",
      `script-src ${hash(this.#script)}`,
      `style-src ${hash(this.#style)}`,
      'img-src data:',
      "base-uri 'none'",
      "form-action 'none'",
      "require-trusted-types-for 'script'",
      "trusted-types 'none'",
    ].join('; ');
    return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<meta name="generator" content="${escapedXml(`${tool.name} ${tool.version}`)}">
<title>${escapedXml(title)}</title>
<link rel="icon" href="data:,">
<style>${this.#style}</style>
</head>
<body>
<div id="app"><noscript><p>This page needs JavaScript. <code>trackside report</code> renders saved results as text.</p></noscript></div>
`;
  }

  end(): string {
    return `<script>${this.#script}</script>\n</body>\n</html>\n`;
  }
}

/**
 * Data for the program of the page, packed: results repeat themselves, and in base64 there is no character that
 * could end the element.
 */
export function pagePart(kind: PartKind, content: string | Uint8Array): string {
  const packed = deflateRawSync(content).toString('base64');
  return `<script type="application/octet-stream" data-part="${kind}">${packed}</script>\n`;
}
