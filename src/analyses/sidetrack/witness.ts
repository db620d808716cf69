import type { EventBatch } from '../../trace/batch.ts';
import type { RelatedEvent, ViolationFact } from '../analysis.ts';
import { Reordering } from './reordering.ts';

/*
 * A prediction is confirmed by a schedule that shows it: a reordering of the observed events in which the
 * block is violated. `witnessOrder` reads from a prediction which events have to come in which order;
 * `witnessSchedule` finds the reordering. What it gives is to be checked like any trace: that it is
 * well-formed, and that an exact checker refutes the block.
 */

const FIRST_ACQUIRE = 'first acquire';
const FIRST_RELEASE = 'first release';
const CULPRIT_ACQUIRE = 'culprit acquire';
const CULPRIT_RELEASE = 'culprit release';
const SECOND_ACQUIRE = 'second acquire';

/** The events that tell of a prediction, in the order of the trace. */
export function relatedEvents(
  firstAcquire: number,
  firstRelease: number,
  culpritAcquire: number,
  culpritRelease: number,
  secondAcquire: number,
): RelatedEvent[] {
  return [
    { event: firstAcquire, role: FIRST_ACQUIRE },
    { event: firstRelease, role: FIRST_RELEASE },
    { event: culpritAcquire, role: CULPRIT_ACQUIRE },
    { event: culpritRelease, role: CULPRIT_RELEASE },
    { event: secondAcquire, role: SECOND_ACQUIRE },
  ].sort((a, b) => a.event - b.event);
}

/**
 * The lock operations that a witness has in this order: the block takes the lock and gives it back, the
 * culprit takes it and gives it back, and the block takes it again. All are of one lock; the culprit's are of
 * one other thread.
 */
export interface WitnessOrder {
  kind: 'before' | 'in' | 'after';
  firstAcquire: number;
  firstRelease: number;
  culpritAcquire: number;
  culpritRelease: number;
  secondAcquire: number;
}

/** What a witness of the prediction has to look like; null if it is no prediction of SideTrack's. */
export function witnessOrder({ kind, related = [] }: ViolationFact): WitnessOrder | null {
  if (kind !== 'before' && kind !== 'in' && kind !== 'after') return null;
  const eventOf = (role: string) => related.find((other) => other.role === role)?.event ?? 0;
  const order = {
    kind,
    firstAcquire: eventOf(FIRST_ACQUIRE),
    firstRelease: eventOf(FIRST_RELEASE),
    culpritAcquire: eventOf(CULPRIT_ACQUIRE),
    culpritRelease: eventOf(CULPRIT_RELEASE),
    secondAcquire: eventOf(SECOND_ACQUIRE),
  };
  return Object.values(order).includes(0) ? null : order;
}

/**
 * The numbers of the events of a witness, in its order; its last event is the second acquire. Null if none
 * was found. `batches` is called for the batches that the analysis was shown, from the first event on.
 *
 * The section that has to come earlier is moved forward together with what has to come before it, and with as
 * little else as can be: every event up to its acquire is preceded by the same events as in the trace, so
 * that every read up to there finds the value that it found.
 */
export function witnessSchedule(batches: () => Iterable<EventBatch>, order: WitnessOrder): number[] | null {
  const { kind, firstAcquire, firstRelease, culpritAcquire, culpritRelease, secondAcquire } = order;
  if (kind === 'in') return Array.from({ length: secondAcquire }, (_, i) => i + 1);
  const last = Math.max(culpritRelease, secondAcquire);
  // First with all that the section came after; then, if that is too much, with what its acquire came after.
  for (const isWhole of [true, false]) {
    const reordering = new Reordering(batches(), last);
    const found =
      kind === 'after'
        ? reordering.moveSection(culpritAcquire, culpritRelease, secondAcquire, isWhole) &&
          reordering.runTo(secondAcquire)
        : reordering.moveSection(firstAcquire, firstRelease, culpritAcquire, isWhole) &&
          reordering.runInOrder(culpritAcquire, secondAcquire);
    if (found) return reordering.events;
  }
  return null;
}
