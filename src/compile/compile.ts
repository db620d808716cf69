import type { NamedEvent } from '../trace/memory-trace.ts';
import { planOf } from './plan.ts';
import { tasksProgram } from './tasks-program.ts';
import { workersProgram } from './workers-program.ts';

/** What the threads of a program can be. */
export const THREAD_KINDS = ['tasks', 'workers'] as const;
export type ThreadKind = (typeof THREAD_KINDS)[number];

/**
 * The text of a JavaScript module that executes the events of a well-formed trace, in their order. The idea is Sadowski and Yi's (Tiddle, WODA 2009), with whose programs SideTrack was tested.
 */
export function compileTrace(events: readonly NamedEvent[], kind: ThreadKind): string {
  const plan = planOf(events);
  const count = `${plan.events.length} events of ${plan.threads.length} threads`;
  const title = `// Executes a trace: ${count}, each in a turn of its own. Made by trackside compile.\n`;
  return title + (kind === 'tasks' ? tasksProgram(plan) : workersProgram(plan));
}
