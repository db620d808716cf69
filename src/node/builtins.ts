/*
 * What the functions of the language and of Node touch: the one table that the instrumenter goes by (which calls get a
 * probe) and the runtime (what the probe records). test/node/builtins.test.ts compares it with what the engine does.
 */

/** What a method does to the object that it is called on, or a function to one of its arguments. */
export type Effect =
  /** Nothing that is recorded. */
  | 'none'
  /** Looks how many elements or entries there are. */
  | 'counts'
  /** Reads all elements or entries, and how many there are. */
  | 'reads-all'
  /** Reads the element that the first argument says, from the end if it is negative. */
  | 'reads-one'
  /** Reads all that can be reached from it. */
  | 'reads-deep'
  /** Looks which properties there are. */
  | 'reads-keys'
  /** Reads all properties, and looks which there are. */
  | 'reads-values'
  /** Reads, writes, adds or removes the entry, or property, that the first argument says, behind the object itself. */
  | 'reads-entry'
  | 'writes-entry'
  | 'adds-entry'
  | 'removes-entry'
  /** Removes all entries. */
  | 'clears'
  /** Adds elements behind the others; in front of them. */
  | 'grows'
  | 'grows-in-front'
  /** Takes the last element away. */
  | 'takes-last'
  /** Changes elements by the elements: moves them, takes some away. */
  | 'changes-all'
  /** Writes elements without a look at them. */
  | 'writes-all'
  /** Writes elements from where an argument says on: those of the first argument. */
  | 'writes-range'
  /** Copies its elements to those of the first argument. */
  | 'copies-to'
  /** Reads or writes the bytes of one number. */
  | 'reads-number'
  | 'writes-number'
  /** Goes on where it was the last time, if the expression is global or sticky: reads and writes `lastIndex`. */
  | 'goes-on';

export type Effects = Readonly<Record<string, Effect>>;

function all(effect: Effect, ...names: string[]): Effects {
  return Object.fromEntries(names.flatMap((list) => list.split(' ')).map((name) => [name, effect]));
}

const READING_ELEMENTS = all(
  'reads-all',
  'entries every filter find findIndex findLast findLastIndex forEach includes indexOf join lastIndexOf map reduce',
  'reduceRight slice some toLocaleString toReversed toSorted values with',
);

export const ARRAY_METHODS: Effects = {
  ...READING_ELEMENTS,
  ...all('reads-all', 'concat flat flatMap toSpliced toString'),
  ...all('counts', 'keys'),
  ...all('reads-one', 'at'),
  ...all('grows', 'push'),
  ...all('grows-in-front', 'unshift'),
  ...all('takes-last', 'pop'),
  ...all('changes-all', 'copyWithin reverse shift sort splice'),
  ...all('writes-all', 'fill'),
};

export const MAP_METHODS: Effects = {
  ...all('reads-entry', 'get has'),
  ...all('writes-entry', 'set getOrInsert getOrInsertComputed'),
  ...all('removes-entry', 'delete'),
  ...all('clears', 'clear'),
  ...all('reads-all', 'entries forEach keys values'),
};

export const SET_METHODS: Effects = {
  ...all('reads-entry', 'has'),
  ...all('adds-entry', 'add'),
  ...all('removes-entry', 'delete'),
  ...all('clears', 'clear'),
  ...all('reads-all', 'entries forEach keys values'),
  ...all(
    'reads-all',
    ...['difference intersection isDisjointFrom isSubsetOf isSupersetOf symmetricDifference union'],
  ),
};

/** Methods of sets that read their argument as they read the set. */
export const OF_TWO_SETS: ReadonlySet<string> = new Set(
  'difference intersection isDisjointFrom isSubsetOf isSupersetOf symmetricDifference union'.split(' '),
);

export const WEAK_MAP_METHODS: Effects = {
  ...all('reads-entry', 'get has'),
  ...all('writes-entry', 'set getOrInsert getOrInsertComputed'),
  ...all('removes-entry', 'delete'),
};

export const WEAK_SET_METHODS: Effects = {
  ...all('reads-entry', 'has'),
  ...all('adds-entry', 'add'),
  ...all('removes-entry', 'delete'),
};

export const TYPED_ARRAY_METHODS: Effects = {
  ...READING_ELEMENTS,
  ...all('reads-all', 'toString'),
  ...all('none', 'keys subarray'),
  ...all('reads-one', 'at'),
  ...all('changes-all', 'copyWithin reverse sort'),
  ...all('writes-all', 'fill'),
  ...all('writes-range', 'set'),
};

/** How a DataView calls the numbers that it gets and sets, with their bytes. */
const VIEW_NUMBERS: readonly [name: string, size: number][] = [
  ...['Int8', 'Uint8'].map((name): [string, number] => [name, 1]),
  ...['Int16', 'Uint16', 'Float16'].map((name): [string, number] => [name, 2]),
  ...['Int32', 'Uint32', 'Float32'].map((name): [string, number] => [name, 4]),
  ...['Float64', 'BigInt64', 'BigUint64'].map((name): [string, number] => [name, 8]),
];

/** The methods of a DataView, with the number of bytes. */
export const DATA_VIEW_METHODS: ReadonlyMap<string, number> = new Map(
  VIEW_NUMBERS.flatMap(([number, size]) => [
    [`get${number}`, size],
    [`set${number}`, size],
  ]),
);

/** How a Buffer calls the numbers that it reads and writes, with their bytes. */
const BUFFER_NUMBERS: readonly [name: string, size: number][] = [
  ...(['Int8', 'Uint8', 'UInt8'] as const).map((name): [string, number] => [name, 1]),
  ...[
    ...(['Int16', 'Uint16', 'UInt16'] as const).map((name) => [name, 2] as const),
    ...(['Int32', 'Uint32', 'UInt32', 'Float'] as const).map((name) => [name, 4] as const),
    ...(['Double', 'BigInt64', 'BigUint64', 'BigUInt64'] as const).map((name) => [name, 8] as const),
  ].flatMap(([name, size]): [string, number][] => [
    [`${name}LE`, size],
    [`${name}BE`, size],
  ]),
];

/** The methods of a Buffer for single numbers, with the number of bytes. */
export const BUFFER_METHODS: ReadonlyMap<string, number> = new Map(
  BUFFER_NUMBERS.flatMap(([number, size]) => [
    [`read${number}`, size],
    [`write${number}`, size],
  ]),
);

/** What Buffers have beyond typed arrays. Numbers of any number of bytes (`readIntLE`) and swaps count as all. */
export const BUFFER_EXTRA: Effects = {
  ...all('reads-all', 'compare equals toJSON toString'),
  // A view of the same memory, not a copy as with typed arrays.
  ...all('none', 'slice'),
  ...all('reads-all', 'readIntBE readIntLE readUIntBE readUIntLE readUintBE readUintLE'),
  ...all('changes-all', 'swap16 swap32 swap64'),
  ...all('writes-all', 'writeIntBE writeIntLE writeUIntBE writeUIntLE writeUintBE writeUintLE'),
  ...all('writes-range', 'write'),
  ...all('copies-to', 'copy'),
};

export const REG_EXP_METHODS: Effects = all('goes-on', 'exec test');

/** Functions that are known by their full names; the effect is on their first argument. */
export const FUNCTIONS: Effects = {
  ...all('reads-keys', 'Object.keys Object.getOwnPropertyNames Object.getOwnPropertySymbols Reflect.ownKeys'),
  ...all('reads-values', 'Object.values Object.entries Object.getOwnPropertyDescriptors'),
  ...all('reads-deep', 'JSON.stringify structuredClone'),
  ...all('reads-all', 'Array.from Array.fromAsync Object.fromEntries Object.groupBy Map.groupBy'),
  ...all('reads-all', 'Buffer.from Buffer.concat'),
  ...all('reads-entry', 'Object.hasOwn Object.getOwnPropertyDescriptor'),
  ...all('reads-entry', 'Reflect.get Reflect.has Reflect.getOwnPropertyDescriptor'),
  ...all('writes-entry', 'Object.defineProperty Reflect.defineProperty Reflect.set'),
  ...all('removes-entry', 'Reflect.deleteProperty'),
};

/** Functions that read the properties of their other arguments and write them to the first. */
export const ASSIGNING: ReadonlySet<string> = new Set(['Object.assign', 'Object.defineProperties']);

const TYPED_ARRAYS = [
  ...['Int8Array', 'Uint8Array', 'Uint8ClampedArray', 'Int16Array', 'Uint16Array', 'Int32Array'],
  ...['Uint32Array', 'Float16Array', 'Float32Array', 'Float64Array', 'BigInt64Array', 'BigUint64Array'],
];

/** Constructors, and `from` of which classes, that read all elements or entries of their first argument. */
export const CONSTRUCTORS: ReadonlySet<string> = new Set([
  ...['Map', 'Set', 'WeakMap', 'WeakSet'],
  ...TYPED_ARRAYS,
]);

export function effectOfFunction(name: string): Effect {
  const [, array] = /^(\w+)\.from$/.exec(name) ?? [];
  if (array !== undefined && TYPED_ARRAYS.includes(array)) return 'reads-all';
  return Object.hasOwn(FUNCTIONS, name) ? FUNCTIONS[name] : 'none';
}

/** Whether a method of this name may access a number in a DataView or a Buffer. */
export function isOfBytes(name: string): boolean {
  return DATA_VIEW_METHODS.has(name) || BUFFER_METHODS.has(name);
}

/** Functions that ask their first argument for its text: of a list, that reads the elements. */
export const MAKING_TEXT: ReadonlySet<string> = new Set(['String']);

/** Methods of stores that are like Maps. */
const STORE_METHODS = [
  'get',
  'getAll',
  'has',
  'set',
  'put',
  'add',
  'append',
  'delete',
  'del',
  'getItem',
  'setItem',
  'removeItem',
];

/** The names of all methods that the runtime is told of, whatever they are called on. */
export const TRACKED_METHODS: ReadonlySet<string> = new Set([
  ...[ARRAY_METHODS, MAP_METHODS, SET_METHODS, TYPED_ARRAY_METHODS, BUFFER_EXTRA, REG_EXP_METHODS].flatMap(
    (methods) => Object.keys(methods),
  ),
  ...STORE_METHODS,
  ...DATA_VIEW_METHODS.keys(),
  ...BUFFER_METHODS.keys(),
]);
