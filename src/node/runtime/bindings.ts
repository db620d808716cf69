import type { Probes, ScopeToken, SiteNumber } from '../probes.ts';
import { ObjectRecord } from './object-record.ts';
import { decremented, incremented, minus, plus } from './properties.ts';
import type { AccessKind } from './recorder.ts';
import type { SiteCache } from './site-cache.ts';
import type { Touch } from './touch.ts';
import { READ, WRITE } from './variable.ts';

type BindingProbes = Pick<
  Probes,
  | 'scope'
  | 'bindingRead'
  | 'bindingWrite'
  | 'bindingChanged'
  | 'bindingAdded'
  | 'bindingSubtracted'
  | 'bindingIncremented'
  | 'bindingDecremented'
>;

/** The tracked bindings of one scope that is alive. */
class Scope {
  readonly names: readonly string[];
  readonly record: ObjectRecord;

  constructor(names: readonly string[]) {
    this.names = names;
    this.record = new ObjectRecord('scope', 'scope');
  }
}

export function bindingProbes(touch: Touch, reads: SiteCache, writes: SiteCache): BindingProbes {
  const { recorder } = touch;

  function access(token: ScopeToken, index: number, kind: AccessKind, site: SiteNumber): void {
    // Before the scope is entered, the access itself is going to throw.
    if (token === undefined) return;
    const cache = kind === READ ? reads : writes;
    if (cache.object[site] === token && cache.epoch[site] === recorder.epoch) return;
    const { record, names } = token as Scope;
    touch.variable(record, record, names[index], kind, site);
    cache.object[site] = token;
    cache.epoch[site] = recorder.epoch;
  }

  function update(token: ScopeToken, index: number, site: SiteNumber, isNumeric: boolean): void {
    if (token === undefined) return;
    const { record, names } = token as Scope;
    if (isNumeric) {
      touch.update(record, record, names[index], site);
    } else {
      access(token, index, READ, site);
      access(token, index, WRITE, site);
    }
  }

  return {
    scope: (names) => new Scope(names),
    bindingRead(scope, index, site) {
      access(scope, index, READ, site);
    },
    bindingWrite(scope, index, site, value) {
      access(scope, index, WRITE, site);
      return value as NonNullable<typeof value>;
    },
    bindingChanged(scope, index, site) {
      access(scope, index, READ, site);
      access(scope, index, WRITE, site);
    },
    bindingAdded(scope, index, site, old, by) {
      update(scope, index, site, typeof old === 'number' && typeof by === 'number');
      return plus(old, by);
    },
    bindingSubtracted(scope, index, site, old, by) {
      update(scope, index, site, typeof old === 'number' && typeof by === 'number');
      return minus(old, by);
    },
    bindingIncremented(scope, index, site, old) {
      update(scope, index, site, typeof old === 'number');
      return incremented(old);
    },
    bindingDecremented(scope, index, site, old) {
      update(scope, index, site, typeof old === 'number');
      return decremented(old);
    },
  };
}
