import type { EventBatch } from '../trace/batch.ts';
import { Op } from '../trace/operation.ts';
import type { EventHandlers, Foresight } from './analysis.ts';

/** So many events are announced at a time: enough to wait for memory together, few enough to stay in the cache. */
const FORESEEN = 64;

/** Shows every event of the batch to the handlers. */
export function dispatch(batch: EventBatch, handlers: EventHandlers & Partial<Foresight>): void {
  const { length } = batch;
  if (handlers.foresee === undefined) {
    show(batch, handlers, 0, length);
    return;
  }
  for (let from = 0; from < length; from += FORESEEN) {
    const to = Math.min(from + FORESEEN, length);
    handlers.foresee(batch, from, to);
    show(batch, handlers, from, to);
  }
}

/** The hot loop: nothing is allocated in it. */
function show(batch: EventBatch, handlers: EventHandlers, from: number, to: number): void {
  const { op, thread, operand, firstEvent } = batch;
  for (let i = from; i < to; i++) {
    const event = firstEvent + i;
    switch (op[i]) {
      case Op.read:
        handlers.read(thread[i], operand[i], event);
        break;
      case Op.write:
        handlers.write(thread[i], operand[i], event);
        break;
      case Op.update:
        handlers.update(thread[i], operand[i], event);
        break;
      case Op.acquire:
        handlers.acquire(thread[i], operand[i], event);
        break;
      case Op.release:
        handlers.release(thread[i], operand[i], event);
        break;
      case Op.fork:
        handlers.fork(thread[i], operand[i], event);
        break;
      case Op.join:
        handlers.join(thread[i], operand[i], event);
        break;
      case Op.begin:
        handlers.begin(thread[i], operand[i], event);
        break;
      case Op.end:
        handlers.end(thread[i], operand[i], event);
        break;
      case Op.arrive:
        handlers.arrive(thread[i], operand[i], event);
        break;
      case Op.leave:
        handlers.leave(thread[i], operand[i], event);
        break;
    }
  }
}
