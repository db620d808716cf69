import { Op } from '../trace/operation.ts';
import type { Plan, Step, Thread } from './plan.ts';

export type Join = Extract<Step, { op: typeof Op.join }>;

/**
 * How workers wait for the end of each other. Only who has made a worker is told of its exit, and a worker exits after
 * those that it has made itself. Where that is not what the trace says, a thread sends a message when it ends.
 */
export class WorkerJoins {
  readonly #plan: Plan;
  /** By number of the thread: the last turn of it, and of all that it has forked. */
  readonly #familyLast: number[] = [];

  constructor(plan: Plan) {
    this.#plan = plan;
    for (const thread of plan.threads)
      for (let each: Thread | null = thread; each !== null; each = each.parent)
        this.#familyLast[each.number] = Math.max(this.#familyLast[each.number] ?? 0, thread.last);
  }

  isByExit({ thread, by, event }: Join): boolean {
    return thread.parent === by && this.#familyLast[thread.number] < event;
  }

  /** The message by which somebody learns of the end of this thread; different from those of the trace. */
  messageOf({ name }: Thread): string {
    let message = `end of ${name}`;
    while (this.#plan.messages.has(message)) message += '~';
    return message;
  }

  /**
   * By turn: the message that is sent in it, as it is the last turn of a thread that somebody joins so. If a block ends in
   * that turn, the message is still part of the block, as the end is that is joined.
   */
  endings(): Map<number, string> {
    const joins = this.#plan.threads.flatMap(({ steps, blocks }) =>
      [steps, ...blocks.map((block) => block.steps)].flat().filter((step) => step.op === Op.join),
    );
    const byMessage = joins.filter((join) => join.thread.last > 0 && !this.isByExit(join));
    return new Map(byMessage.map(({ thread }) => [thread.last, this.messageOf(thread)]));
  }
}
