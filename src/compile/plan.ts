import type { NamedEvent } from '../trace/memory-trace.ts';
import { type AccessKind, Op } from '../trace/operation.ts';
import { executedEvents } from './executed.ts';
import { withRoundsAsVariables } from './rounds.ts';

/** What a thread does in one turn, or in those of a block. `event` is the number of the turn. */
export type Step =
  | AccessStep
  | { op: typeof Op.acquire; event: number; lock: string; release: number }
  | { op: typeof Op.release; event: number; lock: string }
  | { op: typeof Op.fork; event: number; thread: Thread }
  | { op: typeof Op.join; event: number; thread: Thread; by: Thread }
  | { op: typeof Op.begin; event: number; block: Block }
  | { op: typeof Op.send | typeof Op.receive; event: number; message: string }
  | { op: typeof Op.notify | typeof Op.wait; event: number; condition: string };

export interface AccessStep {
  op: AccessKind | typeof Op.volatileRead | typeof Op.volatileWrite | typeof Op.volatileUpdate;
  event: number;
  variable: string;
}

/** Something that the program runs from its start to its end: a thread, or a block. */
interface Code {
  readonly steps: Step[];
}

export interface Block extends Code {
  /** From 1, in the order of their begins. */
  readonly number: number;
  readonly label: string;
  /** The turn in which it ends. */
  end: number;
  /** Whether a thread is forked in it, or in a block inside. */
  forks: boolean;
}

export interface Thread extends Code {
  /** From 1, in the order in which the trace first speaks of them. */
  readonly number: number;
  readonly name: string;
  /** In the order of their begins, nested ones too. */
  readonly blocks: Block[];
  /** Who forks it; null if nobody does. */
  parent: Thread | null;
  /** Its last turn; 0 if it does nothing. */
  last: number;
}

/** A trace, as what each thread has to do, and when. */
export interface Plan {
  /** All that is executed; turns are numbered from 1. */
  readonly events: readonly NamedEvent[];
  readonly threads: readonly Thread[];
  readonly variables: readonly string[];
  /** Those of the variables that are accessed as volatile ones, whether always or not. */
  readonly volatiles: ReadonlySet<string>;
  readonly locks: readonly string[];
  readonly messages: ReadonlySet<string>;
  readonly conditions: readonly string[];
}

export function planOf(trace: readonly NamedEvent[]): Plan {
  const events = executedEvents(trace);
  const threads = new Map<string, Thread>();
  const variables = new Set<string>();
  const volatiles = new Set<string>();
  const messages = new Set<string>();
  const conditions = new Set<string>();
  /** The last acquire of each lock. */
  const acquires = new Map<string, Extract<Step, { op: typeof Op.acquire }>>();
  const openBlocks = new Map<Thread, Block[]>();
  let blocks = 0;

  const threadNamed = (name: string): Thread => {
    let thread = threads.get(name);
    if (thread === undefined) {
      thread = { number: threads.size + 1, name, steps: [], blocks: [], parent: null, last: 0 };
      threads.set(name, thread);
      openBlocks.set(thread, []);
    }
    return thread;
  };

  for (const [index, { thread: name, op, operand }] of withRoundsAsVariables(events).entries()) {
    const event = index + 1;
    const thread = threadNamed(name);
    const open = openBlocks.get(thread) as Block[];
    const { steps } = open.at(-1) ?? thread;
    thread.last = event;
    switch (op) {
      case Op.read:
      case Op.write:
      case Op.update:
      case Op.volatileRead:
      case Op.volatileWrite:
      case Op.volatileUpdate:
        variables.add(operand);
        if (op >= Op.volatileRead) volatiles.add(operand);
        steps.push({ op, event, variable: operand });
        break;
      case Op.acquire: {
        const step = { op, event, lock: operand, release: 0 };
        acquires.set(operand, step);
        steps.push(step);
        break;
      }
      case Op.release: {
        (acquires.get(operand) as { release: number }).release = event;
        steps.push({ op, event, lock: operand });
        break;
      }
      case Op.fork: {
        const child = threadNamed(operand);
        child.parent = thread;
        for (const block of open) block.forks = true;
        steps.push({ op, event, thread: child });
        break;
      }
      case Op.join:
        steps.push({ op, event, thread: threadNamed(operand), by: thread });
        break;
      case Op.send:
      case Op.receive:
        messages.add(operand);
        steps.push({ op, event, message: operand });
        break;
      case Op.notify:
      case Op.wait:
        conditions.add(operand);
        steps.push({ op, event, condition: operand });
        break;
      case Op.begin: {
        const block = { number: ++blocks, label: operand, steps: [], end: 0, forks: false };
        steps.push({ op, event, block });
        thread.blocks.push(block);
        open.push(block);
        break;
      }
      case Op.end:
        (open.pop() as Block).end = event;
        break;
    }
  }
  return {
    events,
    threads: [...threads.values()],
    variables: [...variables],
    volatiles,
    locks: [...acquires.keys()],
    messages,
    conditions: [...conditions],
  };
}
