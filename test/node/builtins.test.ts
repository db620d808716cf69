import { describe, expect, it } from 'vitest';
import {
  ARRAY_METHODS,
  ASSIGNING,
  BUFFER_EXTRA,
  BUFFER_METHODS,
  CONSTRUCTORS,
  DATA_VIEW_METHODS,
  type Effect,
  type Effects,
  effectOfFunction,
  FUNCTIONS,
  MAP_METHODS,
  REG_EXP_METHODS,
  SET_METHODS,
  TYPED_ARRAY_METHODS,
  WEAK_MAP_METHODS,
  WEAK_SET_METHODS,
} from '../../src/node/builtins.ts';

/* The table of built-ins says what the engine does: found out by a proxy, or by what becomes of what is changed. */

const typedArray = Object.getPrototypeOf(Uint8Array.prototype);

describe('every method of the engine is in the table', () => {
  const OTHERS = new Set(['constructor']);
  it.each<[string, object, ReadonlySet<string>]>([
    ['Array', Array.prototype, names(ARRAY_METHODS)],
    ['Map', Map.prototype, names(MAP_METHODS)],
    ['Set', Set.prototype, names(SET_METHODS)],
    ['WeakMap', WeakMap.prototype, names(WEAK_MAP_METHODS)],
    ['WeakSet', WeakSet.prototype, names(WEAK_SET_METHODS)],
    ['%TypedArray%', typedArray, names(TYPED_ARRAY_METHODS)],
    ['DataView', DataView.prototype, new Set(DATA_VIEW_METHODS.keys())],
  ])('%s', (_name, prototype, known) => {
    const methods = Object.entries(Object.getOwnPropertyDescriptors(prototype))
      .filter(([name, { value }]) => typeof value === 'function' && !OTHERS.has(name))
      .map(([name]) => name);
    expect(methods.filter((name) => !known.has(name))).toEqual([]);
  });

  /** Those that neither read nor change what is in an object; symbols are of no interest. */
  const TOUCH_NOTHING = {
    Object:
      'create freeze getPrototypeOf is isExtensible isFrozen isSealed preventExtensions seal setPrototypeOf',
    Reflect: 'apply construct getPrototypeOf isExtensible preventExtensions setPrototypeOf',
    JSON: 'parse rawJSON isRawJSON',
    Array: 'isArray of',
    // How it is shown, and views of the same memory.
    Buffer: 'inspect toLocaleString parent offset',
    // What has made the iterator has read all there is.
    Iterator: 'drop every filter find flatMap forEach map next reduce return some take throw toArray',
  };

  it.each<[keyof typeof TOUCH_NOTHING, object | undefined, Iterable<string>]>([
    ['Object', Object, [...ownFunctions('Object'), ...ASSIGNING].map(unqualified)],
    ['Reflect', Reflect, ownFunctions('Reflect').map(unqualified)],
    ['JSON', JSON, ownFunctions('JSON').map(unqualified)],
    ['Array', Array, ownFunctions('Array').map(unqualified)],
    [
      'Buffer',
      Buffer.prototype,
      [...BUFFER_METHODS.keys(), ...names(BUFFER_EXTRA), ...names(TYPED_ARRAY_METHODS)].concat(
        // Text in an encoding, by functions that only Node itself calls.
        Object.getOwnPropertyNames(Buffer.prototype).filter((name) =>
          /^(?:ascii|base64|base64url|hex|latin1|ucs2|utf8)(?:Slice|Write)$/.test(name),
        ),
      ),
    ],
    ['Iterator', Reflect.get(globalThis, 'Iterator')?.prototype, []],
  ])('or in the list of those that touch nothing: %s', (name, object = {}, table) => {
    const known = new Set([...table, ...TOUCH_NOTHING[name].split(' '), 'constructor']);
    const functions = Object.entries(Object.getOwnPropertyDescriptors(object))
      .filter(([, { value }]) => typeof value === 'function')
      .map(([key]) => key);
    expect(functions.filter((key) => !known.has(key))).toEqual([]);
  });
});

function ownFunctions(object: string): string[] {
  return Object.keys(FUNCTIONS).filter((name) => name.startsWith(`${object}.`));
}

function unqualified(name: string): string {
  return name.replace(/^.*\./, '');
}

describe('an array method does what the table says:', () => {
  it.each(present(ARRAY_METHODS, Array.prototype))('%s %s', (name, effect) => {
    const array = [3, 1, 2];
    const seen = observed(array, (proxy) =>
      Reflect.apply(Reflect.get(Array.prototype, name), proxy, argumentsOf(name)),
    );
    expect(effectsSeen(seen, 3)).toBe(effect);
  });
});

describe('a function does what the table says to its first argument:', () => {
  it.each(Object.entries(FUNCTIONS).filter(([name]) => functionNamed(name) !== undefined))(
    '%s %s',
    (name, effect) => {
      if (effect === 'reads-all') return expectToIterate(name);
      const inner = { deep: 1 };
      const object: Record<string, unknown> = { a: inner, b: 2 };
      // What is cloned cannot be a proxy, so that its getters tell.
      if (name === 'Object.getOwnPropertyDescriptors')
        return expect(Object.getOwnPropertyDescriptors(object).b.value).toBe(2);
      if (name === 'structuredClone') return expect(readOf(structuredClone, inner, object)).toBe(effect);
      const seen = observed(
        object,
        (proxy) => functionNamed(name)!(proxy, 'b', { value: 3, configurable: true }),
        inner,
      );
      expect(effectsSeen(seen, 2)).toBe(effect);
    },
  );

  it.each([...ASSIGNING])('%s writes to it what the others hold', (name) => {
    const target = observed<object>({}, (proxy) => functionNamed(name)!(proxy, { a: { value: 1 } }));
    expect([...target.written]).toEqual(['a']);
    const source = observed({ a: { value: 1 } }, (proxy) => functionNamed(name)!({}, proxy));
    expect([...source.read]).toContain('a');
  });

  it.each([...CONSTRUCTORS].filter((name) => Reflect.has(globalThis, name)))(
    'new %s goes through it',
    (name) => {
      const key = {};
      const element = name.startsWith('Big')
        ? 1n
        : name.endsWith('Map')
          ? [key, 1]
          : name.endsWith('Set')
            ? key
            : 1;
      const seen = observed([element], (proxy) => new (Reflect.get(globalThis, name))(proxy));
      expect([...seen.read]).toContain('0');
      if (name.endsWith('Array')) expect(effectOfFunction(`${name}.from`)).toBe('reads-all');
    },
  );
});

describe('a method of a container does what the table says:', () => {
  const key = {};
  const make = {
    Map: () =>
      new Map<unknown, unknown>([
        [key, 1],
        ['b', 2],
      ]),
    Set: () => new Set<unknown>([key, 'b']),
    WeakMap: () => new WeakMap([[key, 1]]),
    WeakSet: () => new WeakSet([key]),
  };
  const rows = [
    ...present(MAP_METHODS, Map.prototype).map((row) => ['Map', ...row] as const),
    ...present(SET_METHODS, Set.prototype).map((row) => ['Set', ...row] as const),
    ...present(WEAK_MAP_METHODS, WeakMap.prototype).map((row) => ['WeakMap', ...row] as const),
    ...present(WEAK_SET_METHODS, WeakSet.prototype).map((row) => ['WeakSet', ...row] as const),
  ];
  it.each(rows)('%s %s %s', (kind, name, effect) => {
    const given = /^(?:forEach|getOrInsertComputed)$/.test(name) ? () => 9 : undefined;
    const call = (object: object, entry: unknown): unknown => {
      const first =
        given !== undefined && name === 'forEach' ? given : isOfTwo(name) ? new Set([entry]) : entry;
      const result: Iterable<unknown> & { next?: unknown } = Reflect.apply(
        Reflect.get(object, name),
        object,
        [first, given ?? 9],
      );
      return typeof result?.next === 'function' ? [...result] : result;
    };
    const [there, other] = [make[kind](), make[kind]()];
    const fresh = {};
    call(there, key);
    call(other, fresh);
    // By what is left: entries that were there, and the one that was not.
    const left = (object: ReturnType<(typeof make)[typeof kind]>) =>
      `${object.has(key)} ${object.has(fresh)}`;
    const expected: Partial<Record<Effect, [string, string]>> = {
      'removes-entry': ['false false', 'true false'],
      clears: ['false false', 'false false'],
      'writes-entry': ['true false', 'true true'],
      'adds-entry': ['true false', 'true true'],
    };
    expect([left(there), left(other)]).toEqual(expected[effect] ?? ['true false', 'true false']);
  });
});

describe('a method of a typed array does what the table says:', () => {
  it.each(present(TYPED_ARRAY_METHODS, typedArray))('%s %s', (name, effect) => {
    const run = (array: Uint8Array) => {
      const seen: unknown[] = [];
      const args = argumentsOf(name, (value) => seen.push(value));
      const result = Reflect.apply(Reflect.get(array, name), array, args);
      return seen.length > 0 ? seen : result;
    };
    expect(effectOnBytes((bytes) => new Uint8Array(bytes), run)).toBe(effect);
  });

  it.each(present(BUFFER_EXTRA, Buffer.prototype).filter(([name]) => !/Int[BL]E$|swap/i.test(name)))(
    'Buffer %s %s',
    (name, effect) => {
      const other = Buffer.from([3, 1, 2]);
      const args = { write: ['hi', 1], copy: [other], equals: [other], compare: [other] }[name] ?? [];
      const done = effectOnBytes(Buffer.from, (array) => {
        const result = Reflect.apply(Reflect.get(array, name), array, args);
        return name === 'copy' ? [...(args[0] as Buffer)] : result;
      });
      expect(done).toBe(effect === 'copies-to' ? 'reads-all' : effect);
    },
  );

  it.each([...DATA_VIEW_METHODS, ...BUFFER_METHODS])('%s covers %i bytes', (name, size) => {
    const bytes = Buffer.alloc(16, 1);
    const isView = DATA_VIEW_METHODS.has(name);
    const view = isView ? new DataView(bytes.buffer, bytes.byteOffset, 16) : bytes;
    const method = Reflect.get(view, name);
    if (method === undefined) return;
    const big = name.includes('Big');
    const isWrite = /^(?:set|write)/.test(name);
    const call = () =>
      isWrite
        ? Reflect.apply(method, view, isView ? [4, big ? -1n : -1, true] : [big ? 0n : 0, 4])
        : Reflect.apply(method, view, [4, true]);
    const covered = [...bytes.keys()].filter((at) => {
      bytes.fill(1);
      const before = call();
      if (isWrite) return bytes[at] !== 1;
      bytes[at] = 77;
      return call() !== before;
    });
    // Some bytes of a number may stay what they were, but none outside of it changes or matters.
    expect(covered.every((at) => at >= 4 && at < 4 + size)).toBe(true);
    expect(covered.length).toBeGreaterThan(0);
  });
});

it.each(Object.keys(REG_EXP_METHODS))('%s of a global expression goes on where it was', (name) => {
  const global = /a/g;
  Reflect.apply(Reflect.get(global, name), global, ['aa']);
  expect(global.lastIndex).toBe(1);
  const plain = /a/;
  Reflect.apply(Reflect.get(plain, name), plain, ['aa']);
  expect(plain.lastIndex).toBe(0);
});

// ---- What the engine does ------------------------------------------------------------------------------------------

interface Seen {
  read: Set<string>;
  /** Asked for with all that is known of them, their values included. */
  described: Set<string>;
  written: Set<string>;
  removed: Set<string>;
  listsKeys: boolean;
  /** Whether what is inside of a value was read, too. */
  isDeep: boolean;
}

/** What a function does to an object, as a proxy in its place sees it. */
function observed<T extends object>(object: T, run: (proxy: T) => unknown, inner?: object): Seen {
  const seen: Seen = {
    read: new Set(),
    described: new Set(),
    written: new Set(),
    removed: new Set(),
    listsKeys: false,
    isDeep: false,
  };
  const note = (set: Set<string>, key: string | symbol) => typeof key === 'string' && set.add(key);
  const deep = new Proxy(inner ?? {}, {
    get: (target, key) => {
      if (key === 'deep') seen.isDeep = true;
      return Reflect.get(target, key);
    },
  });
  const proxy = new Proxy(object, {
    get(target, key, receiver) {
      note(seen.read, key);
      const value = Reflect.get(target, key, receiver);
      return value === inner && inner !== undefined ? deep : value;
    },
    has(target, key) {
      note(seen.read, key);
      return Reflect.has(target, key);
    },
    getOwnPropertyDescriptor(target, key) {
      note(seen.described, key);
      return Reflect.getOwnPropertyDescriptor(target, key);
    },
    set(target, key, value) {
      note(seen.written, key);
      return Reflect.set(target, key, value);
    },
    defineProperty: (target, key, descriptor) => {
      note(seen.written, key);
      return Reflect.defineProperty(target, key, descriptor);
    },
    deleteProperty(target, key) {
      note(seen.removed, key);
      return Reflect.deleteProperty(target, key);
    },
    ownKeys(target) {
      seen.listsKeys = true;
      return Reflect.ownKeys(target);
    },
  });
  const result = run(proxy) as { next?: unknown } | undefined;
  // An iterator does nothing until it is asked.
  if (typeof result?.next === 'function') for (const _ of result as Iterable<unknown>);
  return seen;
}

const isIndex = (key: string) => /^\d+$/.test(key);

function effectsSeen(seen: Seen, length: number): Effect {
  const { read, described, written, removed, listsKeys, isDeep } = seen;
  const [reads, writes] = [read, written].map((keys) => [...keys].filter((key) => isIndex(key)));
  const old = writes.filter((key) => Number(key) < length);
  if (isDeep) return 'reads-deep';
  if (old.length > 0 && writes.some((key) => Number(key) >= length)) return 'grows-in-front';
  if (old.length > 0) return reads.length > 0 ? 'changes-all' : 'writes-all';
  if (writes.length > 0) return 'grows';
  if (removed.has(`${length - 1}`) && reads.length === 1) return 'takes-last';
  if (removed.size > 0) return 'removes-entry';
  if (written.size > 0) return 'writes-entry';
  if (reads.length > 0) return reads.length === 1 ? 'reads-one' : 'reads-all';
  if (read.has('length')) return 'counts';
  if (listsKeys) return read.has('b') && read.has('a') ? 'reads-values' : 'reads-keys';
  return read.size + described.size > 0 ? 'reads-entry' : 'none';
}

/** By getters, where nobody can put a proxy in its place. */
function readOf(run: (object: object) => unknown, inner: object, object: object): Effect {
  let isDeep = false;
  Object.defineProperty(inner, 'deep', {
    enumerable: true,
    get() {
      isDeep = true;
      return 1;
    },
  });
  run(object);
  return isDeep ? 'reads-deep' : 'none';
}

function expectToIterate(name: string): void {
  const isConcat = name === 'Buffer.concat';
  const element = isConcat ? Buffer.from([1]) : ['k', 1];
  const read: string[] = [];
  const list = new Proxy([element, element], {
    get(target, key) {
      if (typeof key === 'string' && isIndex(key)) read.push(key);
      return Reflect.get(target, key);
    },
  });
  functionNamed(name)!(list, name.endsWith('groupBy') ? () => 'all' : undefined);
  expect(new Set(read)).toEqual(new Set(['0', '1']));
}

/** By what a call gives and leaves, with one element after the other changed before. */
function effectOnBytes<T extends Uint8Array>(
  make: (bytes: number[]) => T,
  run: (array: T) => unknown,
): Effect {
  const outcome = (changed: number): { result: string; left: number[] } => {
    const array = make([3, 1, 2].map((value, i) => (i === changed ? 9 : value)));
    const result = run(array) as { next?: unknown; buffer?: unknown };
    const isView = ArrayBuffer.isView(result) && result.buffer === array.buffer;
    const isIterator = typeof result?.next === 'function';
    const given = isView ? 'view' : isIterator ? [...(result as Iterable<unknown>)] : result;
    return { result: JSON.stringify(given) ?? '', left: [...array] };
  };
  const plain = outcome(-1);
  const all = [0, 1, 2];
  const after = all.map(outcome);
  const moves = all.some((at) => all.some((i) => i !== at && after[at].left[i] !== plain.left[i]));
  if (moves) return 'changes-all';
  const overwritten = all.filter((at) => after[at].left[at] !== 9);
  if (overwritten.length > 0) return overwritten.length === 3 ? 'writes-all' : 'writes-range';
  const read = all.filter((at) => after[at].result !== plain.result);
  return read.length === 0 ? 'none' : read.length === 1 ? 'reads-one' : 'reads-all';
}

function argumentsOf(name: string, look: (value: unknown) => void = () => {}): unknown[] {
  if (/^(?:every|filter|find.*|forEach|map|some|flatMap)$/.test(name))
    return [
      (value: unknown) => {
        look(value);
        return name === 'every';
      },
    ];
  if (/^reduce/.test(name)) return [(sum: number, value: number) => 31 * sum + value, 0];
  if (/^(?:push|unshift|fill)$/.test(name)) return [5];
  if (name === 'includes') return [9];
  if (/ndexOf$/.test(name)) return [9];
  if (name === 'with') return [1, 8];
  if (name === 'splice' || name === 'toSpliced') return [0, 1];
  if (name === 'copyWithin') return [0, 1];
  if (name === 'at') return [-1];
  return name === 'set' ? [[7, 7], 1] : [];
}

function functionNamed(name: string): ((...args: unknown[]) => unknown) | undefined {
  const [of, method] = name.split('.');
  const owner = Reflect.get(globalThis, of);
  return method === undefined ? owner : owner[method]?.bind(owner);
}

function present(effects: Effects, prototype: object): [name: string, effect: Effect][] {
  return Object.entries(effects).filter(([name]) => name in prototype);
}

function names(effects: Effects): ReadonlySet<string> {
  return new Set(Object.keys(effects));
}

function isOfTwo(name: string): boolean {
  return /^(?:difference|intersection|is\w+|symmetricDifference|union)$/.test(name);
}
