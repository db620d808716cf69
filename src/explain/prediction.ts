import type { ViolationKind } from '../analyses/analysis.ts';
import { OPERAND_KINDS } from '../trace/operation.ts';
import type { Explanation, SeenEvent, StoryEvent } from './witness.ts';
import { listed, type Words, wordFor } from './words.ts';

/** More events than these are counted, not told. */
const MOST_TOLD = 6;

const PARTICIPLES = ['read', 'written', 'updated'];

type Sentence = (explanation: Explanation, words: Words) => string | null;

/** By kind; null where the analysis did not name the events that the sentence is about. */
const SENTENCES: Partial<Record<ViolationKind, Sentence>> = {
  race,
  deadlock,
  before: (explanation, words) => section(explanation, words, 'which came before that here,'),
  in: (explanation, words) => section(explanation, words, null),
  after: (explanation, words) => section(explanation, words, 'which came after that here,'),
  conflict: (explanation, words) => interleaved(explanation, words, 'no serial order is equivalent to'),
  view: (explanation, words) => interleaved(explanation, words, 'no serial order has the same view as'),
  block: (explanation, words) => interleaved(explanation, words, 'no serial order explains'),
  reduction,
};

/** One sentence about what another schedule could do, from the events that the analysis named. */
export function predictionSentence(explanation: Explanation, words: Words): string {
  const { kind } = explanation.violation;
  return SENTENCES[kind]?.(explanation, words) ?? roles(explanation, words);
}

function race({ story }: Explanation, words: Words): string | null {
  const later = story.at(-1)?.seen;
  const earlier = eventOf(story, 'earlier access');
  const previous = story.find(({ role }) => role.startsWith('previous access by another thread'))?.seen;
  if (later === undefined || OPERAND_KINDS[later.op] !== 'variable') return null;
  const what = `${words.object(later)} is ${PARTICIPLES[later.op]} by ${words.thread(later.thread)} ${words.place(later)}`;
  const access = (seen: SeenEvent) =>
    `the ${wordFor(seen)} by ${words.thread(seen.thread)} ${words.place(seen)}`;
  if (earlier !== null) return `${what} without being ordered with ${access(earlier)}`;
  if (previous === undefined) return null;
  const emptied = eventOf(story, 'access that left no common lock');
  const left =
    emptied === null || emptied === later ? '' : `; ${words.deedBy(emptied)} had left none in common`;
  return `${what}, and no lock is held both there and at all accesses by other ${words.actor}s, such as ${access(previous)}${left}`;
}

/** Each thread holds what the one before it wants. */
function deadlock({ story }: Explanation, words: Words): string | null {
  const held = new Map<number, SeenEvent>();
  const waits: string[] = [];
  for (const { seen } of story) {
    const first = held.get(seen.thread);
    if (first === undefined) held.set(seen.thread, seen);
    else waits.push(`${words.thread(seen.thread)} ${holdsAndWants(first, seen, words)}`);
  }
  if (waits.length < 2 || waits.length !== held.size) return null;
  const told = waits.slice(0, MOST_TOLD);
  if (waits.length > told.length) told.push(`${waits.length - told.length} more ${words.actor}s do the like`);
  return `${listed(told)}: each could wait for another for ever`;
}

function holdsAndWants(held: SeenEvent, wanted: SeenEvent, words: Words): string {
  return `holds ${words.object(held)} ${words.place(held)} when it acquires ${words.object(wanted)} ${words.place(wanted)}`;
}

/** SideTrack: a block gives a lock back and takes it again, and another thread takes it. */
function section(explanation: Explanation, words: Words, otherwise: string | null): string | null {
  const { violation, story } = explanation;
  const { block, thread } = violation;
  const release = eventOf(story, 'first release');
  const culprit = eventOf(story, 'culprit acquire');
  const acquire = eventOf(story, 'second acquire');
  if (block === null || release === null || culprit === null || acquire === null) return null;
  const between = `between ${words.deed(release, thread)} and ${words.deed(acquire, thread)}`;
  if (otherwise === null) {
    const who = words.thread(culprit.thread);
    return `${words.block(block, thread)} is not atomic: ${who} ${words.did(culprit)} ${between}`;
  }
  return `${words.block(block, thread)} may not be atomic: ${words.deedBy(culprit)}, ${otherwise} could come ${between}`;
}

/** Accesses of the block, and those of others that could come between them. */
function interleaved({ violation, story }: Explanation, words: Words, lacking: string): string | null {
  const { block, thread } = violation;
  const own = story.filter(({ seen }) => seen.thread === thread);
  const others = story.filter(({ seen }) => seen.thread !== thread);
  if (block === null || own.length === 0 || others.length === 0) return null;
  const inside = listed(own.slice(0, MOST_TOLD).map(({ seen }) => words.deed(seen, thread)));
  const outside = listed(others.slice(0, MOST_TOLD).map(({ seen }) => words.deedBy(seen)));
  return `${words.block(block, thread)} may not be atomic: ${inside} can be interleaved with ${outside} in a way that ${lacking}`;
}

/** Lipton's reduction: what follows the commit point has to be able to move up to it. */
function reduction({ violation, story }: Explanation, words: Words): string | null {
  const { block, thread } = violation;
  const commit = eventOf(story, 'commit point');
  const late = story.find(({ role }) => role.endsWith('after the commit point'))?.seen;
  if (block === null || commit === null || late === undefined) return null;
  const what = `${words.deed(late, thread)} comes after its commit point, ${words.deed(commit, thread)}`;
  const rivals = story.filter(({ seen }) => seen.thread !== thread).map(({ seen }) => words.deedBy(seen));
  const racing = rivals.length === 0 ? '' : `, and ${listed(rivals)} can come in between`;
  return `${words.block(block, thread)} may not be atomic: ${what}${racing}`;
}

/** For want of anything better: each event and its part. */
function roles({ violation, story }: Explanation, words: Words): string {
  const { block, thread, event, kind } = violation;
  const what = block === null ? words.thread(thread) : words.block(block, thread);
  const told = story.slice(0, MOST_TOLD).map(({ role, seen }) => `${role}: ${words.deedBy(seen)}`);
  if (story.length > told.length) told.push(`and ${story.length - told.length} more events`);
  const noticed = `${what} has a violation of kind ${kind}, which was noticed at event ${event}`;
  return told.length === 0 ? noticed : `${noticed}; ${told.join('; ')}`;
}

function eventOf(story: readonly StoryEvent[], role: string): SeenEvent | null {
  return story.find((other) => other.role === role)?.seen ?? null;
}
