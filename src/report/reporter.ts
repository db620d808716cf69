import type { FailOn } from '../check/failing.ts';
import type {
  AnalysisResult,
  KnownViolation,
  PartsResult,
  RunData,
  RunResult,
  Tool,
  WhatIfResult,
} from '../check/result.ts';
import type { Style } from './style.ts';

export interface ReportOptions {
  tool: Tool;
  style: Style;
  /** Columns of the terminal, or what is taken for it. */
  width: number;
  /** The options that decide what a check finds, such as `--only` and its value, for commands to suggest. */
  repeated?: readonly string[];
  /** What makes the program run in other orders: a command, or an option to add to the one that was given. */
  provoking?: string | undefined;
  /** Whether warnings and notes about programs are told as fully as errors are. */
  details?: boolean;
  /** How the results came about, where that is one command. */
  run?: RunData | undefined;
  /** The address that opens a place in an editor, with `{path}`, `{line}` and `{column}`; null for none. */
  editor?: string | null;
  /** Of which of the traces the results are, for documents that are to be merged. */
  parts?: PartsResult;
  /** The mildest that makes a run fail, if it was said (`check/failing.ts`). */
  failOn?: FailOn | undefined;
}

/** What is known when all traces have been reported. */
export interface ReportEnd {
  /** Only with a baseline: what it knows and what was not found again. */
  fixed?: readonly KnownViolation[] | undefined;
  /** Only for programs that were run many times: all runs, with those that were silent. */
  runs?: readonly RunResult[] | undefined;
  /** Only where it was asked what would change if blocks took turns. */
  whatIf?: readonly WhatIfResult[] | undefined;
}

/** A report while it is being written: pieces of text, in order. Where they go is not its business. */
export interface Report {
  /** Lays out the results of all analyses on one trace. */
  trace(results: readonly AnalysisResult[]): Iterable<string>;
  finish(more?: ReportEnd): Iterable<string>;
}

/** A way to lay out results. It computes nothing, and everything that comes from a trace is hostile to it. */
export interface Reporter {
  /** As in `--reporter`. */
  name: string;
  /** One line for the help. */
  summary: string;
  /** Whether it shows the smallest sub-trace of each violation, to find which takes another look at the trace. */
  showsSubtraces?: boolean;
  start(options: ReportOptions): Report;
}
