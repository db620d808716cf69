import type { AnalysisDescription } from '../analysis.ts';
import { FirstCycle } from '../shared/first-cycle.ts';

/*
 * Algorithm 1 with clocks that are never copied. A clock of the paper says, for each thread, how much of it is
 * known; what checks ask of it is only which running transactions have their begin known (`C▷ ⊑ clk`). So an
 * access is remembered as a thread and its local time, and each running transaction knows for each thread from
 * which time on its begin is known there: what a clock of that time would say is looked up when it is needed.
 *
 * - Lazy updates: lines 41–46 raise every clock of a lock or variable that is after the begin of the ended
 *   transaction. All of these are of times at which that begin is known, so one change per thread does the same.
 * - Read clocks (§4.3): instead of two clocks per variable, the pair of each thread that has read it since the
 *   last write. Pairs whose thread is in no transaction and knows of none are dropped, and a long list is
 *   cut down to the running transactions it stands for, each of which is one entry of the reduced clock.
 * - Transactions that are still open end with the trace, so that Theorem 3 covers every cycle.
 */
export const aerodrome: AnalysisDescription = {
  name: 'aerodrome',
  summary: 'decides whether the trace is serializable by what each event knows, checking again at ends',
  promise:
    'exact verdict on the trace; reports one violation, at the first event that makes the trace non-serializable or later, and names the transaction in whose check it fell, which need not be violated itself',
  source: 'AeroDrome (ASPLOS 2020), Algorithm 1 and §4.3',
  create: (context) => new FirstCycle('event', context),
};
