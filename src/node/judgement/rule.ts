import type { Case } from './case.ts';
import type { RuleExample } from './examples/index.ts';

/** `none`: this is no interference at all, and nothing is said. */
export type Verdict = 'error' | 'warning' | 'note' | 'none';

/** What came of a violation, where the pattern does not say it. */
export type Consequence = 'duplicate-work' | 'built-upon' | 'looked-again';

/** A row of the table; examples/ has the programs that show it. */
export interface Row {
  /** As in `because`, in the JSON report. */
  name: string;
  verdict: Verdict;
  applies(it: Case): boolean;
  /** For whoever reads the report: one sentence, in the past, about what was found. */
  because: string;
  consequence?: Consequence;
  /** For a rule about databases: its programs, in test/stores, the one in which it decides and the nearest in which it must not. */
  inStores?: readonly [example: string, twin: string];
}

export interface Rule extends Row, Partial<RuleExample> {}
