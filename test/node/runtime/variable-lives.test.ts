import { setImmediate as turn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { ObjectRecord } from '../../../src/node/core/object-record.ts';
import { ENDED, Task } from '../../../src/node/core/task.ts';
import type { VariableRecord } from '../../../src/node/core/variable.ts';
import { VariableLives } from '../../../src/node/runtime/variable-lives.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Makes so many variables that get numbers from `first` on. */
function numbered(lives: VariableLives, first: number, count: number): VariableRecord[] {
  return Array.from({ length: count }, (_, i) => {
    const variable = new ObjectRecord('object').add('x', 0);
    variable.id = first + i;
    lives.follow(variable);
    return variable;
  });
}

it('numbers are free when all variables that got theirs together are gone, and not while one is left', async () => {
  const gone: number[] = [];
  const lives = new VariableLives((ids) => gone.push(...ids));
  const kept = numbered(lives, 0, 8)[3];
  numbered(lives, 8, 8);
  for (let i = 0; i < 100 && gone.length === 0; i++) {
    collectGarbage();
    await turn();
  }
  expect(gone).toEqual([8, 9, 10, 11, 12, 13, 14, 15]);
  expect(kept.id).toBe(3);
});

it('a variable keeps none of the tasks that have written it and are over', () => {
  const variable = new ObjectRecord('object').add('x', 0);
  const tasks = [new Task('first'), new Task('second')];
  [variable.formerWriter, variable.lastWriter] = tasks;
  variable.lastTask = tasks[1];
  for (const task of tasks) task.state = ENDED;
  variable.tidy();
  for (const kept of [variable.formerWriter, variable.lastWriter, variable.lastTask])
    expect(tasks).not.toContain(kept);
});

it('an object that was touched by a task that is over is reached by the next one', () => {
  const object = new ObjectRecord('object');
  const [first, second] = [new Task('first'), new Task('second')];
  object.noteTask(first);
  expect(object.isOwnedBy(first)).toBe(true);
  first.state = ENDED;
  object.tidy();
  expect(object.isOwnedBy(first)).toBe(false);
  object.noteTask(second);
  expect([object.isReached, object.isOwnedBy(second)]).toEqual([true, false]);
});
