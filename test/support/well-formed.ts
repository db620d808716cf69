import type { NamedEvent } from '../../src/trace/memory-trace.ts';
import { Op } from '../../src/trace/operation.ts';

/**
 * What is wrong with the order of events, or null: the rules of well-formed traces once more, apart from the
 * program's own check of them, so that a mistake there cannot hide one in the generators.
 */
export function firstProblem(events: readonly NamedEvent[]): string | null {
  const openBlocks = new Map<string, string[]>();
  const holders = new Map<string, { thread: string; depth: number }>();
  const running = new Set<string>();
  const forked = new Set<string>();
  const joined = new Set<string>();
  const sent = new Set<string>();
  const atBarriers = new Map<string, Set<string>>();

  for (const [i, { thread, op, operand }] of events.entries()) {
    const problem = (what: string) => `event ${i + 1}: ${what}`;
    if (joined.has(thread)) return problem(`${thread} acts after it was joined`);
    running.add(thread);
    const blocks = openBlocks.get(thread) ?? [];
    openBlocks.set(thread, blocks);
    const holder = holders.get(operand);
    const barriers = atBarriers.get(thread) ?? new Set();
    atBarriers.set(thread, barriers);
    switch (op) {
      case Op.begin:
        blocks.push(operand);
        break;
      case Op.end:
        if (blocks.pop() !== operand) return problem(`${operand} is not the innermost open block`);
        break;
      case Op.acquire:
        if (holder !== undefined && holder.thread !== thread)
          return problem(`${holder.thread} holds ${operand}`);
        holders.set(operand, { thread, depth: (holder?.depth ?? 0) + 1 });
        break;
      case Op.release:
        if (holder === undefined || holder.thread !== thread)
          return problem(`${thread} does not hold ${operand}`);
        if (--holder.depth === 0) holders.delete(operand);
        break;
      case Op.fork:
        if (running.has(operand)) return problem(`${operand} is already running`);
        if (forked.has(operand)) return problem(`${operand} was forked before`);
        forked.add(operand);
        break;
      case Op.join:
        if (operand === thread) return problem(`${thread} joins itself`);
        joined.add(operand);
        break;
      case Op.arrive:
        if (barriers.has(operand)) return problem(`${thread} has not left ${operand}`);
        barriers.add(operand);
        break;
      case Op.leave:
        if (!barriers.delete(operand)) return problem(`${thread} has not arrived at ${operand}`);
        break;
      case Op.send:
        sent.add(operand);
        break;
      case Op.receive:
        if (!sent.has(operand)) return problem(`nobody has sent ${operand}`);
        break;
    }
  }
  return null;
}
