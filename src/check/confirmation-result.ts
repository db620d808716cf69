import type { ViolationFact, ViolationKind } from '../analyses/analysis.ts';
import { type Confirmation, type NoSchedule, type Schedule, statusOf } from '../confirm/confirmation.ts';
import { scheduledBatch } from '../confirm/verification.ts';
import type { TraceNames } from '../trace/names.ts';
import { type Confirmations, MOST_KEPT } from './confirming.ts';
import type { ConfirmationResult, EventResult } from './result.ts';
import { stdText } from './std-text.ts';

/** Longer schedules are not attached, and no more than so many events in all. */
const MOST_ATTACHED = 50_000;
const MOST_ATTACHED_IN_ALL = 1_000_000;
/** So many events of a schedule are spelled out, and so many reads named in the sentence. */
const MOST_SPELLED = 200;
const MOST_NAMED = 5;

const REASONS: Readonly<Record<NoSchedule, string>> = {
  'none-found': 'none of the schedules that were tried shows it',
  'too-many-states': 'there are too many schedules to try',
  'too-far': `it lies beyond the first ${MOST_KEPT} events of the trace`,
  'too-many': 'there are too many predictions to look into',
  'nothing-named': 'the analysis names no events to put in another order',
};

/** Spells out what became of the predictions of one check. */
export async function confirmationResults(
  { trace, of }: Confirmations,
  names: TraceNames,
  spell: (event: number) => EventResult,
): Promise<ReadonlyMap<ViolationFact, ConfirmationResult>> {
  const results = new Map<ViolationFact, ConfirmationResult>();
  let attached = 0;
  for (const [violation, confirmation] of of) {
    const { schedule, observedAt, states } = confirmation;
    const status = statusOf(confirmation);
    const message = sentence(violation.kind, confirmation);
    if (schedule === null) {
      const nothing = { changedReads: [], states, window: [] };
      results.set(violation, { status, message, firstEvent: observedAt, ...nothing });
      continue;
    }
    const { events, prefix, changedReads } = schedule;
    const isShort = events.length <= MOST_ATTACHED && attached + events.length <= MOST_ATTACHED_IN_ALL;
    if (isShort) attached += events.length;
    const text = isShort ? await stdText([confirmed(trace, schedule)], names) : null;
    results.set(violation, {
      status,
      message: text === null ? `${message} (too long to attach, or STD cannot hold its names)` : message,
      firstEvent: violation.kind === 'deadlock' ? null : events.length,
      changedReads,
      states,
      window: events
        .slice(violation.kind === 'deadlock' ? 0 : prefix)
        .slice(-MOST_SPELLED)
        .map(spell),
      ...(text === null ? {} : { order: events, trace: text }),
    });
  }
  return results;
}

const confirmed = (trace: Confirmations['trace'], { events }: Schedule) => scheduledBatch(trace, events);

function sentence(kind: ViolationKind, { schedule, observedAt, reason }: Confirmation): string {
  if (observedAt !== null) return `confirmed: the trace itself violates the block, at event ${observedAt}`;
  if (schedule === null) return `could not be confirmed: ${REASONS[reason ?? 'none-found']}`;
  const { events, changedReads } = schedule;
  const what = `a schedule of ${events.length} ${events.length === 1 ? 'event' : 'events'}`;
  const shows =
    kind === 'race'
      ? `${what} ends with the two accesses`
      : kind === 'deadlock'
        ? `after ${what}, each of the threads waits for a lock that another one holds`
        : `${what} violates the block at its last one`;
  if (changedReads.length === 0) return `confirmed: ${shows}, and every read before finds what it found`;
  const named = changedReads.slice(0, MOST_NAMED).join(', ');
  const more = changedReads.length > MOST_NAMED ? ` and ${changedReads.length - MOST_NAMED} more` : '';
  const reads = changedReads.length === 1 ? `the read at event ${named}` : `the reads at events ${named}`;
  const may = `${reads}${more} may find another value`;
  return `confirmed if threads go on as they did: ${shows}, but ${may}`;
}
