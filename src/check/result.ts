import type { Assumption, ViolationKind } from '../analyses/analysis.ts';
import type { ConfirmationStatus } from '../confirm/confirmation.ts';
import type { Severity } from '../explain/pattern.ts';
import type { Mnemonic, OperandKind } from '../trace/operation.ts';
import type { ScheduleOptions } from '../trace/schedule-options.ts';
import type { Repair } from './prepared-trace.ts';

/*
 * What a check found, with every id turned into text. Reporters only lay it out.
 */

export type { Severity };
export type Verdict = 'ok' | 'violation' | 'error';

export interface OperationResult {
  op: Mnemonic;
  /** What is read, written, acquired, … */
  operand: string;
  kind: OperandKind;
}

/** The JSON report has its operation as one text, `w(balance)` (json-results.ts). */
export interface EventResult extends OperationResult {
  event: number;
  thread: string;
  location: string | null;
  /** What was read or written, in a few characters: `100`, `"open"`. Only for programs, where it is short and no secret. */
  value?: string;
  /** Only for rows of databases: the statement that it was done with, in one short line without constants. */
  statement?: string;
}

/** An event on a cycle, with the transaction that it belongs to. */
export interface CycleEventResult extends EventResult {
  /** The outermost block around it; null for an event outside every block, which is one by itself. */
  transaction?: { label: string; begin: number } | null;
}

export interface ConflictResult {
  from: CycleEventResult;
  to: CycleEventResult;
}

/** Two accesses of a block to one variable and that of another thread between them: what names the pattern. */
export interface InterferenceResult {
  first: EventResult;
  between: EventResult;
  last: EventResult;
}

/** An event that the analysis named itself, with its part in the story: `first access`, `culprit acquire`. */
export interface RelatedResult extends EventResult {
  role: string;
}

export interface BlockResult {
  label: string;
  begin: number;
  /** Null when the block was still open where the trace, or the check, ended. */
  end: number | null;
  /** Of its begin; left out where that is not known. */
  location?: string | null;
}

/** The smallest part of the observed trace that still shows the violation: a trace of its own. */
export interface SubtraceResult {
  /** As STD, one event a line, to be checked again. */
  trace: string;
  /** The number in the observed trace of the event on each line. */
  events: readonly number[];
  /** The line at which the violation is noticed there. */
  event: number;
  /** Whether nothing more can be left out; false where the search for something to leave out was given up. */
  minimal: boolean;
}

/** What became of the attempt to show a prediction by a schedule (docs/explanation/confirm.md). */
export interface ConfirmationResult {
  status: ConfirmationStatus;
  /** A sentence that says so, or why not. */
  message: string;
  /** Where the schedule shows it: the number of an event of the schedule; null for a deadlock, which is its end. */
  firstEvent: number | null;
  /** The reads that may find another value than in the observed trace, by their numbers there. */
  changedReads: readonly number[];
  /** How many states were looked at. */
  states: number;
  /** The events that are not in the order of the observed trace, with their numbers there; at most 200. */
  window: readonly EventResult[];
  /** All events of the schedule by their numbers in the observed trace, and the schedule as STD. */
  order?: readonly number[];
  trace?: string;
}

/** What an analysis finds in a trace; or that a program failed, which is nothing that is in its trace. */
export type ResultKind = ViolationKind | 'failure';

/** Why something was judged as it was. */
export interface BecauseResult {
  /** As `trackside run --explain-rules` lists them. */
  rule: string;
  /** What it has found, for people. */
  sentence: string;
}

/** What kind of variable tasks meet at. */
export type VariableKind =
  | 'property'
  | 'binding'
  | 'entry'
  | 'element'
  | 'size'
  | 'file'
  | 'shared-memory'
  | 'marked'
  /** In a database: a row or a column of it; which rows there are of some kind; a key or a field of a store without tables. */
  | 'row'
  | 'predicate'
  | 'key';

/** What is known of an interference beyond its accesses; reports choose their advice by it. */
export interface FindingFacts {
  variable: VariableKind;
  /** Where a row or a predicate is in a store of documents. */
  store?: 'mongodb';
  /** There was nothing in the variable before it was first written. */
  wasAbsent: boolean;
  /**
   * What the last access takes from the first: it flows into the value that is written, it decides whether that is written,
   * or both. Left out where the source does not tell.
   */
  dependsBy?: readonly ('value' | 'decision')[];
  /** The places where something is awaited between the first access and the last, and other tasks run. */
  awaits?: readonly string[];
  /** `step`: the old value and something more or less; `take`: something is taken out of a collection. */
  change?: 'step' | 'take';
}

/** What is different in a run in which the calls took turns. */
export interface DifferenceResult {
  what: 'exit code' | 'error' | 'test' | 'output' | 'value' | 'file';
  /** The variable, for a value; the path, for a file. */
  name?: string;
  /** Lines that only the observed run has, and that only the other one has. */
  observed: readonly string[];
  serial: readonly string[];
}

/** Whether a violation made a difference that somebody can see (docs/how-to/prove.md). */
export interface ProofResult {
  verdict: 'harmful' | 'no-difference' | 'not-deterministic' | 'not-possible' | 'not-tried';
  /** A sentence that says so, and why. */
  message: string;
  /** For what is harmful: from a run one after the other; for what is not deterministic: from the same run again. */
  differences: readonly DifferenceResult[];
}

export interface ViolationResult {
  kind: ResultKind;
  severity: Severity;
  pattern: string | null;
  event: number;
  thread: string;
  block: BlockResult | null;
  /** Empty when there are so many violations that this one was not explained. */
  cycle: ConflictResult[];
  interference: InterferenceResult | null;
  /** For kinds that speak of other schedules: the events that show how, in the order of the trace. */
  related: RelatedResult[];
  message: string;
  /**
   * Only for what was observed and has a cycle, where a report shows it (`Reporter.showsSubtraces`), and where it
   * is not too long and STD can hold its names.
   */
  subtrace?: SubtraceResult;
  /** Only for programs, where more is known than the pattern says (docs/reference/javascript.md). */
  consequence?: 'duplicate-work' | 'built-upon' | 'looked-again';
  /** Only for programs: which rule has decided how bad it is, and why (docs/explanation/judgement.md). */
  because?: BecauseResult;
  /** Only for programs, and only with an interference. */
  facts?: FindingFacts;
  /** Only for programs: the blocks around the blamed one that the same accesses violate, innermost first. */
  around?: readonly BlockResult[];
  /**
   * Only for programs: how many more blocks of this label were violated and are not listed, as only so many are looked at one by
   * one. With it, violations add up to the number of blocks that were violated (`violatedBlocks`).
   */
  alike?: number;
  /** Only with `--confirm`, and only for what was predicted. */
  confirmation?: ConfirmationResult;
  /** Only of `trackside prove`. */
  proof?: ProofResult;
}

export interface ErrorResult {
  /** The whole message, with the place, what was found and what was expected. */
  message: string;
  line: number | null;
  column: number | null;
  /** What is wrong, without the place. */
  summary: string;
}

/** Something that a verdict takes for granted, and what is known about it. */
export interface AssumptionResult {
  assumes: Assumption;
  /** The analysis that checks it. */
  checkedBy: string;
  /** How often that analysis found it broken; null if it did not run on this trace, or not to its end. */
  found: number | null;
  /** All of that as a sentence. */
  message: string;
}

/** Consecutive lines of a source file, as they are in the file, control characters included; long ones are cut. */
export interface ExcerptResult {
  firstLine: number;
  lines: readonly string[];
  /** For each line, how many characters were left out at its start, where `…` stands; left out if none were. */
  skipped?: readonly number[];
}

/** What is known of a source file that locations name. The location `Bank.java:12` means line 12 of `Bank.java`. */
export interface SourceResult {
  /** As the locations spell it, whatever the file is called on disk. */
  path: string;
  /** The lines around those that events are at: in order, none twice. */
  excerpts: readonly ExcerptResult[];
}

/** The order that a program was made to run in. */
export interface ScheduleResult extends ScheduleOptions {
  /** The command that runs the program in that order again. */
  replay: string;
}

/** The statements to one kind of store of which nobody knows what they do. */
export interface UnknownStatementsResult {
  store: string;
  /** How many different ones. */
  count: number;
  /** The first of them, in one short line without constants. */
  first: string;
}

export interface AnalysisResult {
  trace: string;
  /**
   * `program` if `trace` is a JavaScript or TypeScript program that was run, `process` if it is the name of a program in
   * another language; left out for a trace that was read.
   */
  origin?: 'program' | 'process';
  /** Only for a program: `trace` is not the program, but a trace that was recorded of it before. */
  recorded?: true;
  /** Only for processes that were joined: their traces. */
  joined?: readonly string[];
  /** Only for programs: the packages that keep data elsewhere and are not followed; left out if none was loaded. */
  unfollowed?: readonly string[];
  /** Only for programs: the drivers that were loaded and are not followed because of `--no-stores`; left out if there are none. */
  switchedOff?: readonly string[];
  /** Only for programs: statements that were not understood, by the kind of store; left out if all were. */
  notUnderstood?: readonly UnknownStatementsResult[];
  /** Only for a program that was run with `--schedule`. */
  schedule?: ScheduleResult;
  analysis: string;
  verdict: Verdict;
  serializable: boolean | null;
  /** Whether the analysis speaks of other schedules than the observed one. */
  predictive: boolean;
  /** What the verdict takes for granted. */
  assumptions: readonly AssumptionResult[];
  firstEvent: number | null;
  /** How many events were looked at, and whether those are all. */
  events: number;
  complete: boolean;
  violations: ViolationResult[];
  /** What the analysis did not look at, in sentences; left out where it looked at everything. */
  notes?: readonly string[];
  /** Only for programs: how many notes were made that are not among the violations (`--notes` shows them). */
  noted?: number;
  /** The source lines that events of the violations are at, as far as they were found; left out if none was. */
  sources?: readonly SourceResult[];
  /** Only with a baseline: how many violations it knows, which are not in `violations`; and these. */
  known?: number;
  knownViolations?: readonly ViolationResult[];
  error?: ErrorResult;
  /** The name of the format that the trace was read as; null when it could not be opened. */
  format: string | null;
  /** How many blocks were checked, nested ones included, and how many the specification left out. */
  blocks: { checked: number; leftOut: number };
  /** What `--lenient` put right. */
  repairs: readonly Repair[];
  /** Time in this analysis, and for the trace as a whole with reading, all analyses and explaining. */
  milliseconds: { analysis: number; total: number };
  /** Bytes of typed arrays that the analysis asked for in all; null unless it ran beside others. */
  allocatedBytes: number | null;
  /** Figures about the run of the analysis, by name. */
  statistics: Readonly<Record<string, number>>;
}

export interface Tool {
  name: 'trackside';
  version: string;
}

/** What a baseline knows about one or more violations that look the same. */
export interface KnownViolation {
  fingerprint: string;
  analysis: string;
  trace: string;
  /** The source file that it is in; null or left out where that is not known. */
  file?: string | null;
  /** How many there are, and the first of them. */
  count: number;
  violation: ViolationResult;
}

/** One of the parts into which a list of traces was divided, each to be checked by itself. */
export interface Shard {
  /** From 1 to `of`. */
  index: number;
  of: number;
  /** The same for all parts of a list, and another for other lists. */
  corpus?: string;
}

/** Which part of the traces results are of, where they are not of all. */
export interface PartsResult {
  /** Only with `--shard`. */
  shard?: Shard | undefined;
  /** Only in merged results: the parts that they were merged from. */
  shards?: readonly Shard[] | undefined;
}

/** How one of many runs of a program came out, from nothing of note to the worst. */
export const RUN_OUTCOMES = ['silent', 'violation', 'failure', 'timeout'] as const;

export type RunOutcome = (typeof RUN_OUTCOMES)[number];

/** One of the runs of `trackside explore`. */
export interface RunResult {
  /** The program. */
  trace: string;
  schedule: ScheduleOptions;
  outcome: RunOutcome;
}

/** How results came about. */
export interface RunData {
  /** As a shell takes it. */
  command: string;
  /** When it was started, as ISO 8601 has it. */
  date: string;
  /** The version of Node. */
  node: string;
  /** Where it was started: relative places are below that. */
  folder: string;
}

export interface CheckReport extends PartsResult {
  tool: Tool;
  /** Left out where results are of several commands. */
  run?: RunData | undefined;
  results: AnalysisResult[];
  /** Only of `trackside explore`: all runs, those that were silent too, of which there are no results. */
  runs?: RunResult[];
  /** Only of `trackside run --what-if-atomic`. */
  whatIf?: WhatIfResult[];
  /** Only with a baseline: what it knows and what was not found again. */
  fixed?: KnownViolation[];
}

/** What a run of a program changed in which calls of some blocks took turns (docs/how-to/prove.md). */
export interface WhatIfResult {
  /** The blocks, as globs of their labels. */
  labels: readonly string[];
  /** How many calls had to wait for their turn. */
  waited: number;
  /** Why turns were given up on the way; null if they were not. */
  givenUp: string | null;
  /** Violations of the one run that the other one has not, in words. */
  gone: readonly string[];
  appeared: readonly string[];
  /** Of the outcome: output, exit code, errors, values. */
  differences: readonly DifferenceResult[];
  milliseconds: { observed: number; serial: number };
}
