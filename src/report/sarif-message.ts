import { operationText } from '../check/operation-text.ts';
import type { AnalysisResult, EventResult, ViolationResult } from '../check/result.ts';
import type { Mnemonic } from '../trace/operation.ts';
import { adviceFor } from './advice/index.ts';
import { deedText, threadWord, verbOf } from './event-words.ts';
import type { ToldEvent } from './interleaving.ts';
import { headline } from './violation-text.ts';
import { shown } from './well-formed-text.ts';

/*
 * What a SARIF result says: a sentence whose accesses are links to related locations (§3.11.6, which GitHub and editors show as
 * such), why it is wrong, and what to do.
 */

const MESSAGE = 2000;
const NAME = 60;
/** More events of a cycle are not linked in the message; all of them are in the code flow. */
const MOST_LINKS = 6;

/** `related` are the related locations, whose ids are their indexes. */
export function linkedMessage(
  result: AnalysisResult,
  violation: ViolationResult,
  related: readonly ToldEvent[],
): string {
  const { why, fix } = adviceFor(violation, result.origin);
  const sentence = sentenceOf(result, violation, related);
  return [sentence, ...(why === null ? [] : [plainText(why)]), plainText(`Fix: ${fix}`)].join('\n\n');
}

function sentenceOf(
  { origin }: AnalysisResult,
  violation: ViolationResult,
  related: readonly ToldEvent[],
): string {
  const { interference, block, message } = violation;
  const linked = (event: EventResult, words: string) => {
    const id = related.findIndex((candidate) => candidate.event === event.event);
    return id < 0 ? plainText(words) : `[${linkText(words)}](${id})`;
  };
  if (interference !== null && block !== null) {
    const { first, between, last } = interference;
    const other = `${threadWord(origin)} ${shown(between.thread, NAME)}`;
    const deeds = [
      linked(first, nounOf(first)),
      linked(between, verbsOf(between)),
      linked(last, nounOf(last)),
    ];
    return `${plainText(shown(block.label, NAME))} is not atomic: between its ${deeds[0]} and its ${deeds[2]}, ${plainText(other)} ${deeds[1]}.`;
  }
  const said = plainText(message === '' ? headline(violation, origin) : message);
  const links = related.slice(0, MOST_LINKS).map((event) => linked(event, deedText(event)));
  return links.length === 0 ? `${said}.` : `${said}. See ${links.join(', ')}.`;
}

const NOUNS: ReadonlyMap<Mnemonic, string> = new Map([
  ['r', 'read'],
  ['w', 'write'],
  ['u', 'update'],
  ['vr', 'read'],
  ['vw', 'write'],
  ['vu', 'update'],
]);

function nounOf(event: EventResult): string {
  const noun = NOUNS.get(event.op);
  return noun === undefined ? shown(operationText(event), NAME) : `${noun} of ${shown(event.operand, NAME)}`;
}

function verbsOf({ op, operand }: EventResult): string {
  return `${verbOf(op)} ${shown(operand, NAME)}`;
}

/** In which no name can pass for a placeholder or for a link. */
export function plainText(said: string): string {
  return shown(said, MESSAGE)
    .replace(/\{(\d+)\}/g, '{{$1}}')
    .replaceAll('](', '\\](');
}

function linkText(said: string): string {
  return plainText(said).replace(/\\?([[\]])/g, '\\$1');
}
