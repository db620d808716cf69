import type { EventBatch } from '../trace/batch.ts';
import { Op } from '../trace/operation.ts';
import type { EventHandlers } from './analysis.ts';

/** Shows every event of the batch to the handlers. This is the hot loop: nothing is allocated in it. */
export function dispatch(batch: EventBatch, handlers: EventHandlers): void {
  const { op, thread, operand, length, firstEvent } = batch;
  for (let i = 0; i < length; i++) {
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
    }
  }
}
