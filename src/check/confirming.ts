import { setImmediate } from 'node:timers/promises';
import type { ViolationFact } from '../analyses/analysis.ts';
import { Confirmer } from '../confirm/confirm.ts';
import type { Confirmation } from '../confirm/confirmation.ts';
import { RecordedTrace } from '../confirm/recorded-trace.ts';
import type { TraceCheck } from './check.ts';
import { batchesAgain, type SecondLookOptions } from './second-look.ts';

/** So many events of a trace are kept to be put in another order. */
export const MOST_KEPT = 1_000_000;
/** So many predictions are looked into. */
const MOST_CONFIRMED = 500;

export interface ConfirmOptions extends SecondLookOptions {
  /** How many states are looked at, in all. */
  confirmBudget?: number;
  /** Called after every prediction, with how many were looked into and how many there are. */
  onConfirmed?: (done: number, all: number) => void;
}

/** What became of each prediction, and the events that the schedules are made of. */
export interface Confirmations {
  trace: RecordedTrace;
  of: ReadonlyMap<ViolationFact, Confirmation>;
}

/** Looks for schedules that show what the check predicted, by reading the trace at `path` again. */
export async function confirmViolations(
  path: string,
  check: TraceCheck,
  options: ConfirmOptions,
): Promise<Confirmations | null> {
  const predicted = check.runs
    .filter(({ description }) => description.predictive)
    .flatMap(({ violations }) => violations);
  if (check.trace === null || predicted.length === 0) return null;
  const trace = new RecordedTrace(Math.min(check.events, MOST_KEPT));
  const again = { ...options, format: check.trace.reader.format.name };
  for await (const batch of batchesAgain(path, check, again)) if (!trace.add(batch)) break;
  const confirmer = new Confirmer(trace, check.trace.names, options.confirmBudget);
  const known = new Map<string, Confirmation>();
  const of = new Map<ViolationFact, Confirmation>();
  for (const violation of predicted) {
    const key = keyOf(violation);
    let confirmation = known.get(key);
    if (confirmation === undefined) {
      const isOneTooMany = known.size >= MOST_CONFIRMED;
      confirmation = isOneTooMany ? confirmer.withoutSearch(violation) : confirmer.confirm(violation);
      if (!isOneTooMany) known.set(key, confirmation);
      // A search may take a second: in between, the line that says how far it is can be drawn, and signals heard.
      await setImmediate();
    }
    of.set(violation, confirmation);
    options.onConfirmed?.(of.size, predicted.length);
  }
  return { trace, of };
}

/** Several analyses may predict the same of the same events. */
function keyOf({ kind, block, related = [] }: ViolationFact): string {
  const what = kind === 'race' || kind === 'deadlock' ? kind : `block ${block?.begin}`;
  return `${what} ${related.map(({ event }) => event).join()}`;
}
