import { types } from 'node:util';
import { Op } from '../../trace/operation.ts';
import { KEYS, type ObjectRecord } from '../core/object-record.ts';
import type { Key, SiteNumber } from '../probes.ts';
import { NOTHING_KNOWN, type WriteFacts } from './recorder.ts';
import { isObject, kindOf, recordOf } from './stamp.ts';
import { notePromise, propertyKey, type Touch } from './touch.ts';

/**
 * A write; of a property that was not there, also an update of the set of keys, or of the length of an array. False if
 * the same write may have to be recorded in this epoch once more, with another value.
 */
export function writeProperty(
  touch: Touch,
  object: unknown,
  key: Key,
  site: SiteNumber,
  value: unknown,
): boolean {
  if (!isObject(object)) return true;
  const record = recordOf(object);
  if (isRepeated(touch, object, record, key, site)) {
    notePromise(value);
    return true;
  }
  const known = isOwnWrite(touch, object, record, key, value)
    ? NOTHING_KNOWN
    : beforeWrite(touch, object, record, key, site, value);
  touch.property(object, key, Op.write, site, known, value);
  const isNoted = touch.noteValue(record, key, value) || known.flags !== 0 || touch.isTold(record, key);
  if (record.find(KEYS) === null || isObject(key) || kindOf(object, record) === 'proxy') return !isNoted;
  if (!Object.hasOwn(object, key as PropertyKey)) touch.update(object, record, KEYS, site);
  return !isNoted;
}

/** Whether nobody has touched the property so far, or the last one who wrote it is the task that does now: most writes. */
function isOwnWrite(touch: Touch, object: object, record: ObjectRecord, key: Key, value: unknown): boolean {
  if (typeof key !== 'string' || Array.isArray(object) || propertyKey(key) !== key) return false;
  const variable = record.find(key);
  if (variable === null) return value !== null && value !== undefined;
  return variable.lastWriter !== null && variable.lastWriter === touch.recorder.tasks.current?.task;
}

/** Whether the task has written it here in this epoch, and nobody else has come to it, nor looked which properties there are. */
function isRepeated(touch: Touch, object: object, record: ObjectRecord, key: Key, site: SiteNumber): boolean {
  if (typeof key !== 'string' || key === 'size' || Array.isArray(object) || propertyKey(key) !== key)
    return false;
  const { tasks, own } = touch.recorder;
  if (!own.isOn) return false;
  const variable = record.made(key);
  if (variable === null || variable.isShared || variable.epoch !== tasks.epoch) return false;
  if (!variable.isLogged(Op.write, site) || record.find(KEYS) !== null) return false;
  tasks.noteRepeated();
  return true;
}

/** Notes what is to be known before a write, and gives what is known of it. */
function beforeWrite(
  touch: Touch,
  object: object,
  record: ObjectRecord,
  key: Key,
  site: SiteNumber,
  value: unknown,
): WriteFacts {
  touch.noteAbsence(record, key, () => isAbsent(object, key));
  if (Array.isArray(object)) {
    const index = propertyKey(key);
    if (
      typeof index === 'number' &&
      kindOf(object, record) === 'array' &&
      (index >= object.length || touch.isMadeSinceCounted(record, index))
    )
      touch.updateProperty(object, 'length', site);
  }
  return touch.factsOfWrite(object, record, key, value);
}

/** Whether a property is not there or holds nothing; without running the program's code. */
function isAbsent(object: object, key: Key): boolean {
  if (types.isProxy(object) || isObject(key)) return false;
  const descriptor = Object.getOwnPropertyDescriptor(object, key as PropertyKey);
  // What is in a private field, only its class can see.
  if (descriptor === undefined) return !(typeof key === 'string' && key.startsWith('#'));
  return 'value' in descriptor && (descriptor.value ?? null) === null;
}
