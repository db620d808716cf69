import type { TaskFacts, TaskKind, VariableFacts } from '../../trace/facts.ts';
import { CALLBACK } from '../core/activation.ts';
import { KEYS, type ObjectRecord, SIZE } from '../core/object-record.ts';
import type { Task } from '../core/task.ts';
import type { VariableRecord } from '../core/variable.ts';

/*
 * What the judgement has to know of tasks and variables, which goes into the trace beside their names.
 */

/** How the runtime calls kinds of tasks, which begins their names, and what that means; all others are calls. */
const KINDS: ReadonlyMap<string, TaskKind> = new Map<string, TaskKind>([
  ['main', 'main'],
  ['callback', 'callback'],
  ['callbacks', 'background'],
  ['timeout', 'timeout'],
  ['interval', 'interval'],
  ['immediate', 'immediate'],
  ['tick', 'tick'],
  ['then', 'reaction'],
  ['message', 'message'],
  ['reaper', 'reaper'],
  ['request', 'request'],
]);

/** What the judgement has to know of a variable; null where it is an ordinary property. */
export function variableFacts({ parent, key }: VariableRecord): Partial<VariableFacts> | null {
  if (key === SIZE) return parent.kind === 'array' ? { kind: 'size', list: true } : { kind: 'size' };
  if (key === KEYS) return { kind: 'keys' };
  switch (parent.kind) {
    case 'scope':
      return { kind: 'binding', ...ownerIn(parent) };
    case 'file':
      return { kind: 'file' };
    case 'marked':
      return { kind: 'marked' };
    case 'shared-memory':
      return { kind: 'memory' };
    case 'array':
      return typeof key === 'number' ? { kind: 'element' } : null;
    case 'map':
    case 'set':
    case 'weak-map':
    case 'weak-set':
      return { kind: 'entry' };
    default:
      return null;
  }
}

/** The begin of the block in whose call variables of a function came to be. */
function ownerIn({ owner }: ObjectRecord): Pick<VariableFacts, 'owner'> | null {
  const thread = owner?.begunIn?.name;
  return owner === null || !thread || owner.begin <= 0 ? null : { owner: { thread, begin: owner.begin } };
}

/** What the judgement has to know of a task; null for a call. */
export function taskFacts(task: Task): TaskFacts | null {
  const kind = kindOf(task);
  const { call, adoptedBy } = task;
  if (kind === 'call' && adoptedBy === null) return null;
  if (call === null && adoptedBy === null) return { kind };
  return { kind, ...(call === null ? {} : { call }), ...(adoptedBy === null ? {} : { adoptedBy }) };
}

/** Those that a test runner has started for a test: what the program's own first task is elsewhere. */
const tests = new WeakSet<Task>();

export function noteTest(task: Task): void {
  tests.add(task);
}

function kindOf(task: Task): TaskKind {
  if (tests.has(task)) return 'main';
  const isCallback = task.root?.kind === CALLBACK;
  // What main has registered is called by the event loop, too.
  if (isCallback && task.kind === 'main') return 'callback';
  return KINDS.get(task.kind) ?? (isCallback ? 'callback' : 'call');
}
