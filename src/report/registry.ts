import { dot } from './dot.ts';
import { github } from './github.ts';
import { html } from './html.ts';
import { json } from './json.ts';
import { junit } from './junit.ts';
import { markdown } from './markdown.ts';
import { refuseOtherThanReporters } from './names.ts';
import type { Reporter } from './reporter.ts';
import { sarif } from './sarif.ts';
import { svg } from './svg.ts';
import { text } from './text.ts';

/** Every reporter. Adding one is one file, one line here and one in `names.ts`. */
export const REPORTERS: readonly Reporter[] = [text, json, html, sarif, junit, markdown, dot, svg, github];

export function reporterNamed(name: string): Reporter {
  refuseOtherThanReporters(name);
  return REPORTERS.find((candidate) => candidate.name === name) as Reporter;
}
