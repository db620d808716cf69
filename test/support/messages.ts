import type { NamedEvent } from '../../src/trace/memory-trace.ts';
import { Op } from '../../src/trace/operation.ts';
import type { Random } from './random-traces.ts';

/** Lets one thread send a message and another receive it, or the same with a condition, anywhere. */
export function insertMessage(threads: readonly NamedEvent[][], operand: string, random: Random): void {
  const [send, receive] = random.oneIn(3) ? [Op.notify, Op.wait] : [Op.send, Op.receive];
  insert(threads, random.below(threads.length), send, operand, random);
  // Several may send it; whoever comes first is enough.
  if (random.oneIn(4)) insert(threads, random.below(threads.length), send, operand, random);
  insert(threads, random.below(threads.length), receive, operand, random);
}

/** Lets some threads access a volatile variable, anywhere. */
export function insertVolatile(threads: readonly NamedEvent[][], operand: string, random: Random): void {
  const ops = [Op.volatileRead, Op.volatileWrite, Op.volatileUpdate];
  for (let i = random.between(2, 4); i > 0; i--)
    insert(threads, random.below(threads.length), ops[random.below(ops.length)], operand, random);
}

function insert(threads: readonly NamedEvent[][], t: number, op: Op, operand: string, random: Random): void {
  let at = random.between(0, threads[t].length);
  // Nothing comes between arriving at a barrier and leaving it.
  while (threads[t][at]?.op === Op.leave) at++;
  threads[t].splice(at, 0, { thread: `t${t + 1}`, op, operand });
}
