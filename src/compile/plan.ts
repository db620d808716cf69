import type { NamedEvent } from '../trace/memory-trace.ts';
import { Op } from '../trace/operation.ts';
import { executedEvents } from './executed.ts';

/** What a thread does in one turn, or in those of a block. `event` is the number of the turn. */
export type Step =
  | { op: typeof Op.read | typeof Op.write | typeof Op.update; event: number; variable: string }
  | { op: typeof Op.acquire; event: number; lock: string; release: number }
  | { op: typeof Op.release; event: number; lock: string }
  | { op: typeof Op.fork | typeof Op.join; event: number; thread: Thread }
  | { op: typeof Op.begin; event: number; block: Block };

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
}

export interface Thread extends Code {
  /** From 1, in the order in which the trace first speaks of them. */
  readonly number: number;
  readonly name: string;
  /** In the order of their begins, nested ones too. */
  readonly blocks: Block[];
  isForked: boolean;
}

/** A trace, as what each thread has to do, and when. */
export interface Plan {
  /** All that is executed; turns are numbered from 1. */
  readonly events: readonly NamedEvent[];
  readonly threads: readonly Thread[];
  readonly variables: readonly string[];
  readonly locks: readonly string[];
}

export function planOf(trace: readonly NamedEvent[]): Plan {
  const events = executedEvents(trace);
  const threads = new Map<string, Thread>();
  const variables = new Set<string>();
  /** The last acquire of each lock. */
  const acquires = new Map<string, Extract<Step, { op: typeof Op.acquire }>>();
  const openBlocks = new Map<Thread, Block[]>();
  let blocks = 0;

  const threadNamed = (name: string): Thread => {
    let thread = threads.get(name);
    if (thread === undefined) {
      thread = { number: threads.size + 1, name, steps: [], blocks: [], isForked: false };
      threads.set(name, thread);
      openBlocks.set(thread, []);
    }
    return thread;
  };

  for (const [index, { thread: name, op, operand }] of events.entries()) {
    const event = index + 1;
    const thread = threadNamed(name);
    const open = openBlocks.get(thread) as Block[];
    const { steps } = open.at(-1) ?? thread;
    switch (op) {
      case Op.read:
      case Op.write:
      case Op.update:
        variables.add(operand);
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
      case Op.fork:
      case Op.join: {
        const other = threadNamed(operand);
        if (op === Op.fork) other.isForked = true;
        steps.push({ op, event, thread: other });
        break;
      }
      case Op.begin: {
        const block = { number: ++blocks, label: operand, steps: [], end: 0 };
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
    locks: [...acquires.keys()],
  };
}
