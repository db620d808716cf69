import { Op } from '../../trace/operation.ts';
import { type Activation, moveWaiting } from '../core/activation.ts';
import { outermost } from '../core/ancestry.ts';
import { BACKGROUND_SLOT, CALL, FORK_SLOT, type Log, SLOT } from '../core/log.ts';
import { RUNNING, Task } from '../core/task.ts';
import type { Tasks } from './tasks.ts';

/**
 * Something happens in a call, or because of it. It is put into the log only now, with those around it: nothing of its task
 * has happened since it was called, so that its begin may as well be here.
 */
export function putInLog(tasks: Tasks, activation: Activation): void {
  const { outer } = activation;
  if (outer?.isLogged === false) putAllInLog(tasks, outer);
  put(tasks, activation);
}

/** The same for a chain of calls, which may be thousands long. */
function putAllInLog(tasks: Tasks, activation: Activation): void {
  const calls: Activation[] = [];
  for (let outer: Activation | null = activation; outer?.isLogged === false; outer = outer.outer)
    calls.push(outer);
  for (let i = calls.length - 1; i >= 0; i--) put(tasks, calls[i]);
}

function put({ log, overlap }: Tasks, call: Activation): void {
  call.isLogged = true;
  call.isLate = call.isSuspended;
  if (!call.isCall) return;
  overlap.begin(call);
  const { task, site } = call;
  const isFirst = task.root === call;
  if (call.isBlock && !isFirst) {
    call.slot = log.push(CALL, task, call, null, site);
    call.backgroundSlot = call.slot;
    return;
  }
  if (!isFirst) call.slot = log.push(SLOT, task, call.caller, null, site);
  if (call.isBlock) log.push(Op.begin, task, call, null, site);
  else if (call.mayBeBlock) call.beginSlot = log.push(SLOT, task, call, null, site);
  call.backgroundSlot = log.push(BACKGROUND_SLOT, task, call, call, site);
}

/** Whether all about it is in one entry, which shows its background by itself. */
export function isOneEntry({ slot, backgroundSlot }: Activation): boolean {
  return slot >= 0 && slot === backgroundSlot;
}

/** A task for a callback that is given away: it comes after all that is done in this step, such as the call that takes it. */
export function giveAway(tasks: Tasks, site: number): Task {
  const activation = tasks.acting();
  const task = new Task('callback');
  activation.givenAway ??= [];
  activation.givenAway.push({ task, site });
  return task;
}

export function forkGivenAway(log: Log, activation: Activation): void {
  const { givenAway } = activation;
  if (givenAway === null) return;
  activation.givenAway = null;
  for (const { task, site } of givenAway)
    task.forkedAt = log.push(FORK_SLOT, activation.task, activation, task, site);
}

/** The caller of a nested activation goes on though that, and the chain of those that it waits for, is not over: it is a task of its own from here on. */
export function forkOutlived(tasks: Tasks, child: Activation, chain: readonly Activation[]): void {
  const { log } = tasks;
  const caller = child.outer as Activation;
  for (const inner of chain.toReversed())
    if (inner.isBlock && inner.isLogged) log.push(Op.end, inner.task, inner, null, inner.site);
  if (!caller.isLogged) putInLog(tasks, caller);
  const task = new Task('');
  task.root = child;
  task.state = RUNNING;
  tasks.overlap.begin(child);
  task.span = child.span;
  task.forkedBy = caller;
  task.forkedAt = log.push(Op.fork, caller.task, caller, task, child.calledAt);
  child.origin = outermost(caller);
  child.origin.isOrigin = true;
  child.outer = null;
  moveWaiting(child, task);
  for (const inner of chain)
    if (inner.isBlock && inner.isLogged) log.push(Op.begin, task, inner, null, inner.site);
}
