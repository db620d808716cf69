import type { ViolationKind } from '../analyses/analysis.ts';

/*
 * What a check found, with every id turned into text. These are the objects of the JSON report; reporters
 * only lay them out.
 */

export type Severity = 'error' | 'warning';
export type Verdict = 'ok' | 'violation' | 'error';

export interface EventResult {
  event: number;
  thread: string;
  /** As in STD: `w(balance)`. */
  op: string;
  location: string | null;
}

export interface ConflictResult {
  from: EventResult;
  to: EventResult;
}

export interface BlockResult {
  label: string;
  begin: number;
  /** Null when the block was still open where the trace, or the check, ended. */
  end: number | null;
}

export interface ViolationResult {
  kind: ViolationKind;
  severity: Severity;
  pattern: string | null;
  event: number;
  thread: string;
  block: BlockResult | null;
  cycle: ConflictResult[];
  message: string;
}

export interface ErrorResult {
  message: string;
  line: number | null;
  column: number | null;
}

export interface AnalysisResult {
  trace: string;
  analysis: string;
  verdict: Verdict;
  serializable: boolean | null;
  firstEvent: number | null;
  events: number;
  violations: ViolationResult[];
  statistics: Readonly<Record<string, number>>;
  error?: ErrorResult;
}

export interface CheckReport {
  tool: { name: 'trackside'; version: string };
  results: AnalysisResult[];
}
