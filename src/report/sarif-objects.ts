import { posix, resolve } from 'node:path';
import { fingerprintOf } from '../check/fingerprint.ts';
import type { AnalysisResult, ErrorResult, ViolationResult } from '../check/result.ts';
import { sourcePlace } from '../check/source-place.ts';
import { deedText, threadWord } from './event-words.ts';
import { eventsOf, type ToldEvent } from './interleaving.ts';
import { primaryEvent } from './place.ts';
import { RULES, type Rule, ruleOf } from './rules.ts';
import { linkedMessage, plainText } from './sarif-message.ts';
import { shown, wellFormed } from './well-formed-text.ts';

/*
 * The objects of SARIF 2.1.0, as far as we write them. Section numbers are those of the OASIS standard.
 */

/** What GitHub keeps of the locations of a code flow. */
const MOST_FLOW_LOCATIONS = 1000;
/** What GitHub shows of the related locations of a result. */
const MOST_RELATED = 100;
const MESSAGE = 2000;
/** No system opens longer ones. */
const LONGEST_PATH = 4096;

export function ruleObject({ id, name, severity, summary, help }: Rule): object {
  return {
    id,
    name,
    shortDescription: { text: summary },
    fullDescription: { text: summary },
    help: { text: help },
    defaultConfiguration: { level: severity },
    properties: { tags: ['concurrency', 'atomicity'] },
  };
}

/** Whether a baseline knows a result; null where there is none. */
export type BaselineState = 'new' | 'unchanged' | null;

export function resultObject(
  result: AnalysisResult,
  violation: ViolationResult,
  state: BaselineState,
): object {
  const rule = ruleOf(violation);
  const events = eventsOf(violation);
  const word = threadWord(result.origin);
  const fingerprint = fingerprintOf(result, violation);
  const primary = primaryEvent(violation, events);
  const related = events
    .filter((event) => event !== primary && event.location !== null)
    .slice(0, MOST_RELATED);
  return {
    ruleId: rule.id,
    ruleIndex: RULES.indexOf(rule),
    level: violation.severity,
    message: { text: linkedMessage(result, violation, related) },
    locations: [primaryLocation(result.trace, violation, primary)],
    // The second is the one that GitHub looks at (it writes `hash:occurrence`).
    partialFingerprints: { 'trackside/v2': fingerprint, primaryLocationLineHash: `${fingerprint}:1` },
    ...(state === null ? {} : { baselineState: state }),
    ...(state === 'unchanged' ? { suppressions: [IN_BASELINE] } : {}),
    ...(events.length === 0 ? {} : { codeFlows: [{ threadFlows: threadFlows(violation, events, word) }] }),
    ...(related.length === 0
      ? {}
      : { relatedLocations: related.map((event, id) => ({ id, ...location(event) })) }),
    properties: {
      trace: shown(result.trace, MESSAGE),
      analysis: shown(result.analysis),
      kind: violation.kind,
      event: violation.event,
      thread: shown(violation.thread),
      ...(result.schedule === undefined ? {} : { replay: shown(result.schedule.replay, MESSAGE) }),
    },
  };
}

/** §3.35: it is reported, so that nobody takes it for fixed, and hidden where results are shown. */
const IN_BASELINE = { kind: 'external', status: 'accepted', justification: 'known: it is in the baseline' };

/** One flow a thread (§3.37), that of the violated block first; `executionOrder` tells how they interleave. */
function threadFlows(violation: ViolationResult, events: readonly ToldEvent[], word: string): object[] {
  const flows = new Map<string, ToldEvent[]>([[violation.thread, []]]);
  for (const event of events.slice(0, MOST_FLOW_LOCATIONS)) {
    const flow = flows.get(event.thread);
    if (flow === undefined) flows.set(event.thread, [event]);
    else flow.push(event);
  }
  const leftOut = events.length - MOST_FLOW_LOCATIONS;
  return [...flows]
    .filter(([, flow]) => flow.length > 0)
    .map(([thread, flow], i) => ({
      id: shown(thread),
      message: message(
        `${word} ${shown(thread, 100)}${i === 0 && leftOut > 0 ? ` (${leftOut} later events are left out)` : ''}`,
      ),
      locations: flow.map((event) => ({
        location: location(event),
        executionOrder: event.event,
        importance: 'essential',
      })),
    }));
}

/** Of a result that no source line is known for, the trace is the place: GitHub refuses results without one. */
function primaryLocation(trace: string, violation: ViolationResult, primary: ToldEvent | null): object {
  const { block } = violation;
  const logical =
    block === null
      ? { name: shown(violation.thread), kind: 'thread' }
      : { fullyQualifiedName: shown(block.label), kind: 'function' };
  const artifact = artifactLocation(trace);
  const physical =
    primary !== null ? physicalLocation(primary.location) : artifact && { artifactLocation: artifact };
  return {
    ...(physical === null ? {} : { physicalLocation: physical }),
    logicalLocations: [logical],
  };
}

/** The trace itself as an artifact; null for standard input, and for what is too long to be a path. */
function artifactLocation(trace: string): { uri: string } | null {
  return trace === '-' || trace.length > LONGEST_PATH ? null : { uri: uriOf(trace) };
}

function location(event: ToldEvent): object {
  const physical = physicalLocation(event.location);
  const role = event.role === undefined ? '' : ` (${shown(event.role)})`;
  const name = shown(event.location ?? `event ${event.event}`);
  return {
    ...(physical === null ? { logicalLocations: [{ name }] } : { physicalLocation: physical }),
    message: message(`${deedText(event)}${role}`),
  };
}

function physicalLocation(text: string | null): object | null {
  const place = sourcePlace(text);
  if (place === null) return null;
  const { path, line, column } = place;
  return {
    artifactLocation: { uri: uriOf(path) },
    region: { startLine: line, ...(column === null ? {} : { startColumn: column }) },
  };
}

/**
 * A path as a URI reference: relative ones stay so, and no part of them can pass for a scheme or a host. One that leads out of
 * the folder is made absolute, because who reads the report takes relative ones for files of the project.
 */
export function uriOf(path: string): string {
  const isUrl = path.startsWith('file:///');
  const given = wellFormed(isUrl ? path.slice('file://'.length) : path.replaceAll('\\', '/'));
  const normal = given.split('/').includes('..') ? posix.normalize(given) : given;
  const plain = normal.startsWith('..') ? resolve(normal).replaceAll('\\', '/') : normal;
  const drive = /^[A-Za-z]:\//.test(plain);
  const segments = plain.split('/').filter((segment, i) => segment !== '' && !(segment === '.' && i === 0));
  let encoded = segments.map(encodeURIComponent);
  // What is a URL already has its escapes.
  if (isUrl) encoded = encoded.map((segment) => segment.replace(/%25(?=[\da-f]{2})/gi, '%'));
  if (drive) encoded[0] = segments[0];
  return `${plain.startsWith('/') || drive ? 'file:///' : ''}${encoded.join('/')}`;
}

export function errorNotification(trace: string, { message: said, line, column }: ErrorResult): object {
  const region = { startLine: line, ...(column === null ? {} : { startColumn: column }) };
  const artifact = artifactLocation(trace);
  const physical = { artifactLocation: artifact, ...(line === null ? {} : { region }) };
  return {
    ...notification('error', said),
    ...(artifact === null ? {} : { locations: [{ physicalLocation: physical }] }),
  };
}

export function notification(level: 'note' | 'warning' | 'error', said: string): object {
  return { level, message: message(said) };
}

/** A message string (§3.11), in which no name can pass for a placeholder or for a link. */
function message(said: string): { text: string } {
  return { text: plainText(said) };
}
