import { type AccessKind, Op } from '../../trace/operation.ts';
import { NEEDED, UNBEGUN } from '../core/activation.ts';
import { ObjectRecord } from '../core/object-record.ts';
import { UNKNOWN } from '../core/variable.ts';
import type { Probes, ScopeToken, SiteNumber } from '../probes.ts';
import { changeBy, decremented, incremented, minus, plus, step } from './operators.ts';
import { isObject, unfold } from './stamp.ts';
import type { Touch } from './touch.ts';
import { isFlag, isSomething, writtenValue } from './written-value.ts';

type BindingProbes = Pick<
  Probes,
  | 'scope'
  | 'importedScope'
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

  constructor(names: readonly string[], record = new ObjectRecord('scope', 'scope')) {
    this.names = names;
    this.record = record;
  }
}

export function bindingProbes(touch: Touch): BindingProbes {
  const { recorder } = touch;
  const { own } = recorder;
  const { reads, writes } = recorder.tasks;
  /** The variables of modules whose importers may know them, by file. */
  const modules = new Map<string, ObjectRecord>();

  function inModule(names: readonly string[], module: string): Scope {
    const scope = new Scope(names, modules.get(module));
    modules.set(module, scope.record);
    return scope;
  }

  function access(
    token: ScopeToken,
    index: number,
    kind: AccessKind,
    site: SiteNumber,
    value?: unknown,
  ): void {
    // Before the scope is entered, the access itself is going to throw.
    if (token === undefined) return;
    const cache = kind === Op.read ? reads : writes;
    if (cache.object[site] === token) return;
    const { record, names } = token as Scope;
    if (kind !== Op.read || !own.readBinding(record, names[index], site)) {
      unfold(record, record);
      touch.variable(record, record, names[index], kind, site, undefined, value);
    }
    cache.note(site, token);
  }

  function update(
    token: ScopeToken,
    index: number,
    site: SiteNumber,
    by: number | null,
    value: unknown,
  ): void {
    if (token === undefined) return;
    const { record, names } = token as Scope;
    if (by !== null) {
      if (own.updateBinding(record, names[index], site, by)) return;
      unfold(record, record);
      touch.update(record, record, names[index], site, by, value);
    } else {
      access(token, index, Op.read, site);
      access(token, index, Op.write, site, value);
    }
  }

  function write(token: ScopeToken, index: number, site: SiteNumber, value: unknown): void {
    if (token === undefined) return;
    if (writes.object[site] === token) return;
    const { record, names } = token as Scope;
    unfold(record, record);
    const variable = record.variable(names[index], site);
    const isSame = variable.value !== UNKNOWN && variable.value === writtenValue(value);
    const isReset = () => isFlag(value) && !value && isSomething(variable.value);
    const known = recorder.factsOfWrite(variable, value, isSame, isReset);
    touch.variable(record, record, names[index], Op.write, site, known, value);
    if (known.flags !== 0) {
      variable.value = writtenValue(value);
    } else if (!variable.isShared && !isObject(value) && !isFlag(value)) {
      // What this site writes next in this epoch is not looked at: numbers are what loops write.
      writes.note(site, token);
    } else {
      variable.value = writtenValue(value);
    }
  }

  return {
    scope(names, _site, module) {
      if (module !== undefined) return inModule(names, module);
      const scope = new Scope(names);
      const owner = recorder.innermostBlock();
      scope.record.owner = owner;
      if (owner?.begin === UNBEGUN) owner.begin = NEEDED;
      return scope;
    },
    importedScope: inModule,
    bindingRead(scope, index, site) {
      access(scope, index, Op.read, site);
    },
    bindingWrite(scope, index, site, ...value) {
      // Without a value, a function is going to be written.
      write(scope, index, site, value.length === 0 ? UNKNOWN : value[0]);
      return value[0] as NonNullable<(typeof value)[0]>;
    },
    bindingChanged(scope, index, site) {
      access(scope, index, Op.read, site);
      access(scope, index, Op.write, site);
    },
    bindingAdded(scope, index, site, old, by) {
      const value = plus(old, by);
      update(scope, index, site, changeBy(old, by, 1), value);
      return value;
    },
    bindingSubtracted(scope, index, site, old, by) {
      const value = minus(old, by);
      update(scope, index, site, changeBy(old, by, -1), value);
      return value;
    },
    bindingIncremented(scope, index, site, old) {
      const value = incremented(old);
      update(scope, index, site, step(old, 1), value);
      return value;
    },
    bindingDecremented(scope, index, site, old) {
      const value = decremented(old);
      update(scope, index, site, step(old, -1), value);
      return value;
    },
  };
}
