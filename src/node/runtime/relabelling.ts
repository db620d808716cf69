import { Op } from '../../trace/operation.ts';
import type { Activation } from '../core/activation.ts';
import { holdLock, LockRecord } from '../core/lock-record.ts';
import { LATE_READ, type Log } from '../core/log.ts';
import type { ObjectRecord } from '../core/object-record.ts';
import { need, type Overlap } from '../core/overlap.ts';
import { Stretch } from '../core/stretch.ts';
import { Task } from '../core/task.ts';
import { VariableRecord } from '../core/variable.ts';
import { moveReads } from './late-reads.ts';
import { noteReads, relabelAccess } from './staleness.ts';
import { moveRead } from './unnoted-reads.ts';

/**
 * Gives the events after entry `from` that were done in the name of one task to another: a call that turned out to be a
 * task of its own.
 */
export function relabel(
  log: Log,
  overlap: Overlap,
  segment: number,
  from: number,
  old: Task,
  task: Task,
  block: Activation,
): void {
  log.forEachFrom(from + 1, (chunk, i, entry) => {
    if (chunk.task[i] !== old) return;
    if (chunk.op[i] === LATE_READ) moveReads(log, chunk.subject[i] as ObjectRecord, from);
    const subject = chunk.subject[i];
    const isLater = (chunk.op[i] === Op.read || chunk.op[i] === LATE_READ) && moveRead(chunk, i, block);
    if (subject instanceof VariableRecord && !isLater) noteReads(subject);
    chunk.task[i] = task;
    if (subject instanceof LockRecord && subject.holder === old) holdLock(subject, task);
    if (subject instanceof Task && subject.isNeeded) need(task);
    if (subject instanceof Stretch) relabelStretch(subject, overlap, segment, from, old, task, block);
    if (subject instanceof VariableRecord) {
      const by = chunk.by[i] ?? block;
      const isRead = chunk.op[i] === Op.read;
      subject.relabel(from, old, task, entry, isRead);
      overlap.relabel(subject, from, old, task);
      if (!isLater) relabelAccess(subject, block, by, entry, segment, task, isRead);
    }
  });
}

/** The same for what was put off, and has been logged since. */
function relabelStretch(
  stretch: Stretch,
  overlap: Overlap,
  segment: number,
  from: number,
  old: Task,
  task: Task,
  block: Activation,
): void {
  if (stretch.task !== old) return;
  stretch.task = task;
  for (const access of stretch.accesses) {
    if (access.task !== old) continue;
    access.task = task;
    const { variable, by, op } = access;
    variable.relabel(from, old, task, stretch.entry, op === Op.read);
    overlap.relabel(variable, from, old, task);
    relabelAccess(variable, block, by, stretch.entry, segment, task, op === Op.read);
  }
}
