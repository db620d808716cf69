import { types } from 'node:util';
import { Op } from '../../trace/operation.ts';
import { type Activation, MARKED } from '../core/activation.ts';
import { LockRecord } from '../core/lock-record.ts';
import { ObjectRecord } from '../core/object-record.ts';
import type { MarkerProbes } from '../probes.ts';
import { callerPlace } from './caller-place.ts';
import { holdLock } from './locks/hold.ts';
import type { Sites } from './sites.ts';
import type { Touch } from './touch.ts';

export function markerProbes(
  touch: Touch,
  sites: Sites,
  displayPath: (absolute: string) => string,
): MarkerProbes {
  const { recorder } = touch;
  const variables = new Map<string, ObjectRecord>();
  const locks = new Map<string, LockRecord>();

  const site = (text: string) => {
    const place = callerPlace((file) => sites.hasFile(displayPath(file)));
    return place === null
      ? sites.find('', 0, 0, text)
      : sites.find(displayPath(place.path), place.line, 0, text);
  };

  /** As an async function whose body awaits `result`. */
  async function untilSettled<T>(activation: Activation, result: Promise<T>): Promise<T> {
    try {
      return await result;
    } finally {
      recorder.tasks.exit(activation);
    }
  }

  return {
    markAtomic<T>(label: string, run: () => T): T {
      const activation = recorder.tasks.enter(MARKED, site(label));
      activation.isUnnamed = types.isAsyncFunction(run);
      let result: T;
      try {
        result = run();
      } catch (error) {
        recorder.tasks.exit(activation);
        throw error;
      }
      if (!types.isPromise(result)) {
        recorder.tasks.exit(activation);
        return result;
      }
      recorder.tasks.nest(activation, activation.site);
      recorder.tasks.suspend(activation, null);
      return untilSettled(activation, result) as T;
    },
    markAccess(name, access) {
      let record = variables.get(name);
      if (record === undefined) {
        record = new ObjectRecord('marked', name);
        variables.set(name, record);
      }
      touch.variable(record, record, name, access === 'read' ? Op.read : Op.write, site(''));
    },
    markLock<T>(name: string, run: () => T): T {
      let lock = locks.get(name);
      if (lock === undefined) {
        lock = new LockRecord(name);
        locks.set(name, lock);
      }
      return holdLock(recorder, lock, site(''), run);
    },
  };
}
