import type { Probes } from './probes.ts';

/*
 * Probes that record nothing and only return what they should: for instrumented code in a thread where no runtime was
 * started. A program that runs with them does exactly what the plain one does.
 */

// The operators are the point: they must do what they would do in the program, whatever the operands are.
const plus = (a: unknown, b: unknown): unknown => (a as number) + (b as number);
const minus = (a: unknown, b: unknown): unknown => (a as number) - (b as number);
const next = (a: unknown): unknown => {
  let value = a as number;
  return ++value;
};
const previous = (a: unknown): unknown => {
  let value = a as number;
  return --value;
};

const token = {};

export const passThrough: Probes = {
  read: (object) => object,
  readKey: (_object, key) => key,
  write: (_object, _key, _site, value) => value,
  writeIn: (_object, _key, _site, value) => value,
  written: (object) => object,
  writtenKey: (_object, key) => key,
  deleted: (object) => object,
  deletedKey: (_object, key) => key,
  changed: (object) => object,
  added: (_object, _key, _site, old, by) => plus(old, by),
  subtracted: (_object, _key, _site, old, by) => minus(old, by),
  incremented: (_object, _key, _site, old) => next(old),
  decremented: (_object, _key, _site, old) => previous(old),
  readIn: (object) => object,
  target: (object) => object,
  tested: (object) => object,
  changedIn: (object) => object,
  writtenIn: (object) => object,
  announce: () => {},
  enterUnit: () => undefined,
  exitUnit: () => {},
  hasKey: (object) => object,
  taken: (object) => object,
  enumerated: (object) => object,
  assigned: (_target, source) => source,
  iterated: (object) => object,
  copied: (object) => object,
  method: (object) => object,
  methodArgument: (_object, _name, _site, _used, argument) => argument,
  methodArguments: (_object, _name, _site, _used, _first, last) => last,
  superArgument: (_object, _method, _name, _site, _used, _first, last) => last,
  scope: () => token,
  importedScope: () => token,
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
  caught: () => {},
  tail: (_activation, value) => value,
  kept: (value) => value,
  awaited: (_activation, iterable) => iterable,
  enterGenerator: () => token,
  exitGenerator: () => {},
  yielding: (_activation, value) => value,
  yielded: (_activation, value) => value,
  delegated: (_activation, iterable) => iterable,
  enterPromising: () => token,
  promised: (_activation, value) => value,
  failed: (_activation, error) => error,
  reaction: (_promise, callback) => callback,
  chained: (_promise, result) => result,
  executor: (executor) => executor,
  made: (promise) => promise,
  machine: (_activation, body) => body,
  enterContinuing: () => token,
  exitContinuing: () => {},
  continuation: (callback) => callback,
  calledBack: () => {},
  turn: () => undefined,
  turnOver: () => {},
  inTurn: (_site, body) => body(),
  file: () => 0,
  named: () => {},
};
