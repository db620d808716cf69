/*
 * Probes that record nothing and only return what they should: an instrumented program that runs with them must do
 * exactly what the plain one does.
 */

import type { Probes } from '../../src/node/probes.ts';

type Loose = unknown;

// The operators are the point: they must do what they would do in the program, whatever the operands are.
const plus = (a: Loose, b: Loose): Loose => (a as number) + (b as number);
const minus = (a: Loose, b: Loose): Loose => (a as number) - (b as number);
const next = (a: Loose): Loose => {
  let value = a as number;
  return ++value;
};
const previous = (a: Loose): Loose => {
  let value = a as number;
  return --value;
};

/** `saw` is called with the name of every probe that runs. */
export function passThroughProbes(saw: (probe: string) => void = () => {}): Probes {
  const token = {};
  const probes: Probes = {
    read: (object) => object,
    readKey: (_object, key) => key,
    write: (_object, _key, _site, value) => value,
    written: (object) => object,
    writtenKey: (_object, key) => key,
    changed: (object) => object,
    changedKey: (_object, key) => key,
    added: (_object, _key, _site, old, by) => plus(old, by),
    subtracted: (_object, _key, _site, old, by) => minus(old, by),
    incremented: (_object, _key, _site, old) => next(old),
    decremented: (_object, _key, _site, old) => previous(old),
    hasKey: (object) => object,
    taken: (object) => object,
    enumerated: (object) => object,
    assigned: (_target, source) => source,
    iterated: (object) => object,
    method: (object) => object,
    methodArgument: (_object, _name, _site, _used, argument) => argument,
    methodArguments: (_object, _name, _site, _used, _first, last) => last,
    superArgument: (_object, _method, _name, _site, _used, _first, last) => last,
    scope: () => token,
    bindingRead: () => {},
    bindingWrite: (_scope, _index, _site, value) => value as never,
    bindingChanged: () => {},
    bindingAdded: (_scope, _index, _site, old, by) => plus(old, by),
    bindingSubtracted: (_scope, _index, _site, old, by) => minus(old, by),
    bindingIncremented: (_scope, _index, _site, old) => next(old),
    bindingDecremented: (_scope, _index, _site, old) => previous(old),
    enter: () => token,
    exit: () => {},
    suspend: (_activation, value) => value,
    resume: (_activation, value) => value,
    resumed: () => {},
    expected: () => {},
    tail: (_activation, value) => value,
    kept: (value) => value,
    awaited: (_activation, iterable) => iterable,
    enterGenerator: () => token,
    exitGenerator: () => {},
    yielding: (_activation, value) => value,
    yielded: (_activation, value) => value,
    enterPromising: () => token,
    promised: (_activation, value) => value,
    failed: (_activation, error) => error,
    reaction: (_promise, callback) => callback,
    chained: (_promise, result) => result,
    machine: (_activation, body) => body,
    file: () => 0,
  };
  const seeing = new Map<string, unknown>();
  for (const [name, probe] of Object.entries(probes)) {
    seeing.set(name, (...args: unknown[]) => {
      saw(name);
      return (probe as (...args: unknown[]) => unknown)(...args);
    });
  }
  return Object.fromEntries(seeing) as unknown as Probes;
}
