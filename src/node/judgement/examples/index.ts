import { AGREED_ACTS } from './agreed-acts.ts';
import { EXCUSED_ACTS } from './excused-acts.ts';
import type { RuleExample } from './program.ts';
import { READS } from './reads.ts';
import { STALE_ACTS } from './stale-acts.ts';
import { WRITES } from './writes.ts';

/*
 * For each rule a small program in which it decides, and the nearest one in which it must not. They are its tests
 * (test/node/judgement/rules.test.ts runs them all), and `trackside run --explain-rules` shows the first.
 */

export type { RuleExample } from './program.ts';

export const EXAMPLES: Readonly<Record<string, RuleExample>> = {
  ...AGREED_ACTS,
  ...EXCUSED_ACTS,
  ...STALE_ACTS,
  ...READS,
  ...WRITES,
};
