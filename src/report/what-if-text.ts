import type { WhatIfResult } from '../check/result.ts';
import { printable, quoted } from '../trace/printable.ts';
import { counted, duration, paragraph } from './layout.ts';
import { differenceText } from './proof-text.ts';
import type { ReportOptions } from './reporter.ts';

const NAME = 60;
const MESSAGE = 1000;

/** What changed when calls of some blocks ran one at a time. */
export function* whatIfText(result: WhatIfResult, options: ReportOptions): Generator<string> {
  const { style, width } = options;
  const { labels, waited, givenUp, gone, appeared, milliseconds } = result;
  const blocks = labels.map((label) => quoted(label, NAME)).join(' and ');
  yield `\n${style.bold(paragraph(`What if calls of ${blocks} ran one at a time?`, width))}\n`;
  const told = (text: string) => `${paragraph(printable(text, MESSAGE), width, '  ')}\n`;
  if (givenUp !== null) yield told(`Given up: ${givenUp}. What follows is only what came of it until then.`);
  else if (waited === 0) yield told('No call had to wait: they did not overlap.');
  for (const words of gone) yield told(`gone: ${words}`);
  for (const words of appeared) yield told(`new: ${words}`);
  if (gone.length === 0 && appeared.length === 0) yield told('The same violations.');
  if (result.differences.length === 0) yield told('The outcome is the same.');
  for (const difference of result.differences) yield* differenceText(difference, options);
  const times = (milliseconds.serial / milliseconds.observed).toFixed(1);
  yield told(
    `${counted(waited, 'call')} waited; ${duration(milliseconds.observed)} → ${duration(milliseconds.serial)} (${times} times)`,
  );
}
