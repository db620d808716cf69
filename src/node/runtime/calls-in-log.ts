import { Op } from '../../trace/operation.ts';
import type { Activation } from '../core/activation.ts';
import { BACKGROUND_SLOT, FORK_SLOT, type Log, SLOT } from '../core/log.ts';
import { Task } from '../core/task.ts';
import type { Tasks } from './tasks.ts';

/**
 * Something happens in a call, or because of it. It is put into the log only now, with those around it: nothing of its task
 * has happened since it was called, so that its begin may as well be here.
 */
export function putInLog(log: Log, activation: Activation): void {
  const calls: Activation[] = [];
  for (let outer: Activation | null = activation; outer?.isLogged === false; outer = outer.outer)
    calls.push(outer);
  for (let i = calls.length - 1; i >= 0; i--) {
    const call = calls[i];
    call.isLogged = true;
    call.isLate = call.isSuspended;
    if (!call.isCall) continue;
    const { task, site } = call;
    if (task.root !== call) call.slot = log.push(SLOT, task, call.caller, null, site);
    if (call.isBlock) log.push(Op.begin, task, call, null, site);
    else if (call.mayBeBlock) call.beginSlot = log.push(SLOT, task, call, null, site);
    call.backgroundSlot = log.push(BACKGROUND_SLOT, task, call, call, site);
  }
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
