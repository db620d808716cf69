/*
 * What the instrumenter knows of the places in a file, as it is written into the instrumented file, kept by the runtime and
 * put into the trace (facts.ts). docs/explanation/judgement.md says what they are for.
 */

/** What is known of one place, as bits. */
export const SiteBit = {
  /** What is read there is only told to somebody, as in a line of a log. */
  mention: 1,
  /** `true` or `false` is written. */
  flag: 2,
  /** A constant is written: a literal, `null`, an empty object. */
  constant: 4,
  /** `x++`, `x += n`. */
  stepUp: 8,
  /** `x--`, `x -= n`. */
  stepDown: 16,
  /** Elements of an array are moved or taken away. */
  move: 32,
  /** What is read is compared for equality right there. */
  compared: 64,
  /** The new value is computed of the old one in one step: `x = Math.max(0, x - 1)`. */
  ownChange: 2048,
  /** Something is taken away, whatever it is by then: `delete`, `shift`, `clear`. */
  removal: 4096,
  /** What stands for nothing is written: `null`, `0`, `''`, `[]`. */
  empty: 8192,
  /** An object is written again with other properties: `x = { ...x, found }`. */
  merge: 16384,
  /** Control is given up. */
  wait: 32768,
  /** It stands in a function that a comment says is not meant to be atomic. */
  unmeant: 65536,
  /** What is read is only what a method is called on, whose answer nobody uses: `rows` of `rows.push(row)`. */
  receiver: 131072,
  /** It stands in a function that is called in several places of the file. */
  calledAgain: 262144,
  /** It stands in a function that may wait, so that each call of it is an activation. */
  inAsync: 524288,
  /** The new value is the old one with something more in it: `x = [...x, y]`, `x = x.concat(y)`. */
  adds: 1048576,
  /** A new object is written that is made of nothing: `new Registry()`. */
  instance: 2097152,
  /** It is written in a function that waits for modules, and for nothing else. */
  imported: 4194304,
  /** A property is written, or removed, by a name that was computed: the object is a table of things. */
  keyed: 8388608,
  /** The program uses what a removal gives back: whether it was still there, or all that was. */
  answered: 16777216,
  /** A variable is declared there, and given its first value. */
  declared: 33554432,
  /** An empty list, table or object is written, to which things may be added: `[]`, `new Map()`. */
  container: 67108864,
  /** What is first in a list is taken away: `shift()`, `splice(0, n)`. */
  front: 134217728,
} as const;

/**
 * Where a value comes from: a site, or, if it is negative, something that the judgement has to look up: -1 is the first of
 * `symbols`, and so on.
 */
export type Source = number;

export const SymbolKind = {
  /** Nobody knows: it comes from what is not followed, or is made of too much. */
  outside: 0,
  /** What a function is given: `[kind, function, number of the parameter]`. */
  parameter: 1,
  /** What comes back from a call, as far as that is in another file: `[kind, call]`. */
  result: 2,
  /** What decides whether that call throws: `[kind, call]`. */
  thrown: 3,
  /** `[kind, source]`: a source that was read before the async function that asked for it had waited, or after that. */
  first: 4,
  later: 5,
  /** `[kind, source]`: what may have come out of an object, as it was put there. */
  perhaps: 6,
} as const;

export type SymbolFacts = readonly number[];

/** What is written or passed at one place depends on, within its function. */
export type ActFacts = readonly [site: number, data: readonly Source[], conditions: readonly number[]];

/** Who may call a function. */
export const CalledBy = {
  anybody: 0,
  /** Only the calls of its file. */
  thisFile: 1,
  /** Also those who import it. */
  importers: 2,
  /** Whoever calls a method of its name. */
  name: 3,
} as const;

/** A function: the one that it stands in, or -1; who calls it; what it returns, throws by, and is handed as a callback. */
export type FunctionFacts = readonly [
  around: number,
  calledBy: number,
  returns: readonly Source[],
  throws: readonly Source[],
  handed: readonly Source[],
];

/**
 * A call: the function that it stands in, the functions of the file that it may run, the number of its link or -1, its arguments, the
 * conditions that it is under, and when it is made: before the function has waited (1), after that (2), or nobody knows (0). Then, if
 * there are any, those of the conditions that only choose among calls of the same function: `if (row) set(row) else set({})`.
 */
export type CallFacts = readonly [
  by: number,
  targets: readonly number[],
  link: number,
  given: readonly (readonly Source[])[],
  conditions: readonly number[],
  phase: number,
  choosing?: readonly number[],
];

/** A function that may be in another file: by module and name, or, without a module, by the name of a method. `*` is the module itself. */
export type LinkFacts = readonly [from: string, name: string];

/** What the judgement has to know to follow values from function to function, and from file to file. */
export interface FlowFacts {
  /** What each condition looks at. */
  readonly conditions: readonly (readonly Source[])[];
  /** Those that stand for whether a call has thrown. */
  readonly throwing: readonly number[];
  /** Those that something is behind only as one branch of them has waited: `if (isBusy) await turn()`. */
  readonly settling: readonly number[];
  readonly symbols: readonly SymbolFacts[];
  /** By the numbers of `functions`. */
  readonly flows: readonly FunctionFacts[];
  readonly calls: readonly CallFacts[];
  readonly links: readonly LinkFacts[];
  /** Functions by the names under which they are exported, and by those of the properties that hold them. */
  readonly exports: readonly (readonly [name: string, fn: number])[];
  readonly methods: readonly (readonly [name: string, fn: number])[];
  /** What is exported from another file, by its link. */
  readonly handedOn: readonly (readonly [name: string, link: number])[];
  /** Links that are used other than by calling them, and names of properties that are. */
  readonly escaping: readonly number[];
  readonly mentioned: readonly string[];
}

/** The static facts of a file. Sites are numbered as in `Probes.file`. */
export interface FileFacts extends Partial<FlowFacts> {
  /** Per site: bits. */
  readonly bits: readonly number[];
  /** Per site: the number of the function that it stands in; -1 if that is not known. */
  readonly functions: readonly number[];
  readonly acts: readonly ActFacts[];
  /** Whether it belongs to a package that the program uses. */
  readonly isOfPackage?: true;
}
