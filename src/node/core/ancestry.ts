/*
 * Who led to what. An activation was called by another one (`caller`), or registered in it as a callback; if it is part of
 * the same task, that is also the one around it (`outer`). A task was started by the caller of its first activation.
 */

import type { Activation } from './activation.ts';
import { SOME_ENDED, type Task } from './task.ts';

/** So far up is looked: in a chain of calls that go on for ever there is no end of callers. */
export const MOST_ANCESTORS = 32;

/** The outermost block of the task that the activation is in, or the activation itself if there is none. */
export function outermost(activation: Activation): Activation {
  let found = activation;
  for (let outer = activation.outer; outer !== null; outer = outer.outer) if (outer.isBlock) found = outer;
  return found;
}

/** The activation, or the nearest one that led to it, that is not over. */
export function nearestOpen(activation: Activation | null): Activation | null {
  while (activation?.isOver) activation = activation.caller;
  return activation;
}

/** The block that has started the task of a block, and is not over. */
export function starterOf(block: Activation): Activation | null {
  const parent = nearestOpen(block.caller);
  return parent === null ? null : outermost(parent);
}

/** Whether an activation is the other one, or was called, or started, by it. */
export function isCalledBy(activation: Activation | null, other: Activation | null): boolean {
  for (let i = 0; activation !== null && i < MOST_ANCESTORS; i++, activation = activation.caller)
    if (activation === other) return true;
  return false;
}

/** Whether the task was started by the block, directly or not, or is the one of the block itself; or that is not known any more. */
export function isPartOf(task: Task | null, block: Activation): boolean {
  if (task === null) return false;
  return task === SOME_ENDED || task === block.task || isCalledBy(task.root, block);
}

/** Whether the activation is in the task, or in one that was started from there. */
export function isWithin(activation: Activation | null, task: Task): boolean {
  for (let i = 0; activation !== null && i < MOST_ANCESTORS; i++, activation = activation.caller)
    if (activation.task === task) return true;
  return false;
}
