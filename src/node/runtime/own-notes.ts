import { types } from 'node:util';
import { FILL, FIRST, type History, SAME, WRITE } from '../core/history.ts';
import { KEYS, type ObjectRecord } from '../core/object-record.ts';
import type { OwnRecord } from '../core/own-record.ts';
import type { Steps } from '../core/steps.ts';
import { UNKNOWN } from '../core/variable.ts';
import { isStale } from './staleness.ts';
import { isAlike, isPrivate } from './touch.ts';

/*
 * What is asked, and noted, of one object whose accesses are put off (`own-objects.ts`, `own-lists.ts`).
 */

export function note(own: OwnRecord, kind: number, site: number, key: unknown): boolean {
  const after = own.history.after(kind, site, key);
  if (after === null) return false;
  own.history = after;
  return true;
}

/*
 * What was known of a property before the epoch.
 */
export const NEW = 0;
export const READ_ONLY = 1;
const CHANGED = 2;
/** Its keys are known, and it would be one more. */
export const UNCERTAIN = 3;

export function stateBefore(record: ObjectRecord, object: object, key: string): number {
  if (record.find(KEYS) !== null && isMissing(object, key)) return UNCERTAIN;
  const variable = record.find(key);
  if (variable === null) return NEW;
  return variable.lastWriter === null ? READ_ONLY : CHANGED;
}

/** Whether the block may act upon what it read in an earlier segment: then an update is none (`Recorder.update`). */
export function mayBeStale({ before, stretch }: OwnRecord, key: unknown): boolean {
  const variable = before?.find(key) ?? null;
  return variable !== null && isStale(variable, stretch.by, stretch.segment, Number.NaN);
}

/** A write of which it is known that it changes something. */
export function noteChange(own: OwnRecord, site: number, key: unknown): boolean {
  return note(own, WRITE, site, key) || note(own, FIRST, site, key);
}

/** Of a write to what was only read so far; null if nobody can tell. */
export function kindOfFirst(object: object, key: string, value: unknown): number | null {
  if (isPrivate(key)) return FIRST;
  if (types.isProxy(object)) return null;
  const descriptor = Object.getOwnPropertyDescriptor(object, key);
  if (descriptor === undefined) return (value ?? null) === null ? SAME : FILL;
  if (!('value' in descriptor)) return null;
  if (value !== UNKNOWN && isAlike(descriptor.value, value)) return SAME;
  return (descriptor.value ?? null) === null ? FILL : FIRST;
}

export function isMissing(object: object, key: unknown): boolean {
  return !types.isProxy(object) && !Object.hasOwn(object, key as PropertyKey);
}

/** Goes on to what was looked up the last time, if it starts from there; false if it does not. */
export function goOn(own: OwnRecord, steps: Steps, site: number): boolean {
  const { history } = own;
  if (history !== steps.from[site]) return false;
  const to = steps.to[site] as History;
  // The first access at a place depends on what was known before.
  if (to !== history && own.before !== null) return false;
  own.history = to;
  return true;
}
