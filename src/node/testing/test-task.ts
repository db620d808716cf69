import { types } from 'node:util';
import type { Activation } from '../core/activation.ts';
import { BACKGROUND_SLOT } from '../core/log.ts';
import { Task } from '../core/task.ts';
import type { Recorder } from '../runtime/recorder.ts';

/**
 * Runs a test in a task of its own: whatever it starts descends from that, so that a violation can be told to belong to it
 * though other tests run at the same time. A test is no block: it is not meant to be atomic.
 */
export function runInTask<T>(
  recorder: Recorder,
  task: Task,
  run: () => T,
  onBegin: (root: Activation) => void = () => {},
): T {
  // What a hook before the test did is over.
  recorder.callbacks.endStale();
  const root = recorder.callbacks.start(task, null);
  recorder.tasks.acting();
  onBegin(root);
  // Callbacks that the test's own code registers, which may not be instrumented, are forked from here.
  root.backgroundSlot = recorder.tasks.log.push(BACKGROUND_SLOT, task, root, root, 0);
  let result: T;
  try {
    result = run();
  } catch (error) {
    recorder.tasks.exit(root);
    throw error;
  }
  if (!types.isPromise(result)) {
    recorder.tasks.exit(root);
    return result;
  }
  recorder.tasks.nest(root, 0);
  recorder.tasks.suspend(root, null);
  return untilSettled(recorder, root, result) as T;
}

export function testTask(name: string): Task {
  return new Task(name);
}

async function untilSettled<T>(recorder: Recorder, root: Activation, result: Promise<T>): Promise<T> {
  try {
    return await result;
  } finally {
    recorder.tasks.exit(root);
  }
}
