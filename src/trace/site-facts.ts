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
  /** What is written may be made of things that the analysis does not see, such as the answer of another file. */
  dataOutside: 128,
  /** Whether it is reached may be decided by such things. */
  controlOutside: 256,
  /** What is written may be made of what unknown callers hand over. */
  dataFromCaller: 512,
  /** Unknown callers decide whether it is reached. */
  calledFromOutside: 1024,
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
} as const;

/** What is written or passed at one place depends on. */
export type ActFacts = readonly [site: number, data: readonly number[], conditions: readonly number[]];

/** The static facts of a file. Sites are numbered as in `Probes.file`. */
export interface FileFacts {
  /** Per site: bits. */
  readonly bits: readonly number[];
  /** Per site: the number of the function that it stands in; -1 if that is not known. */
  readonly functions: readonly number[];
  readonly acts: readonly ActFacts[];
  /** The sites that each condition looks at. */
  readonly conditions: readonly (readonly number[])[];
  /** Whether it belongs to a package that the program uses. */
  readonly isOfPackage?: true;
}
