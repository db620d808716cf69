import type { EventBatch } from '../trace/batch.ts';
import { channelOf, Op } from '../trace/operation.ts';
import type { EventHandlers, Foresight, Skimming } from './analysis.ts';

/** So many events are announced at a time: enough to wait for memory together, few enough to stay in the cache. */
const FORESEEN = 64;

type Handlers = EventHandlers & Partial<Foresight> & Partial<Skimming>;

/** Shows every event of the batch to the handlers, or those that are left to them. */
export function dispatch(batch: EventBatch, handlers: Handlers): void {
  const { length } = batch;
  if (handlers.takeIn?.(batch) === true) {
    for (let i = handlers.skim!(0); i < length; i = handlers.skim!(i + 1)) show(batch, handlers, i, i + 1);
    return;
  }
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

/**
 * The hot loop: nothing is allocated in it. It is kept small, because a large one is compiled too late for a short
 * trace; nearly all events are reads and writes.
 */
function show(batch: EventBatch, handlers: EventHandlers, from: number, to: number): void {
  const { op, thread, operand, firstEvent } = batch;
  for (let i = from; i < to; i++) {
    if (op[i] === Op.read) handlers.read(thread[i], operand[i], firstEvent + i);
    else if (op[i] === Op.write) handlers.write(thread[i], operand[i], firstEvent + i);
    else showOther(handlers, op[i], thread[i], operand[i], firstEvent + i);
  }
}

function showOther(
  handlers: EventHandlers,
  op: number,
  thread: number,
  operand: number,
  event: number,
): void {
  switch (op) {
    case Op.update:
      handlers.update(thread, operand, event);
      break;
    case Op.acquire:
      handlers.acquire(thread, operand, event);
      break;
    case Op.release:
      handlers.release(thread, operand, event);
      break;
    case Op.fork:
      handlers.fork(thread, operand, event);
      break;
    case Op.join:
      handlers.join(thread, operand, event);
      break;
    case Op.begin:
      handlers.begin(thread, operand, event);
      break;
    case Op.end:
      handlers.end(thread, operand, event);
      break;
    case Op.arrive:
      handlers.arrive(thread, operand, event);
      break;
    case Op.leave:
      handlers.leave(thread, operand, event);
      break;
    case Op.send:
    case Op.notify:
      handlers.send(thread, channelOf(op, operand), event);
      break;
    case Op.receive:
    case Op.wait:
      handlers.receive(thread, channelOf(op, operand), event);
      break;
    case Op.volatileRead:
    case Op.volatileWrite:
    case Op.volatileUpdate:
      showVolatile(handlers, op, thread, operand, event);
      break;
  }
}

/** Shows a volatile access as what it is, or as a plain one to handlers that make no difference. */
export function showVolatile(
  handlers: EventHandlers,
  op: number,
  thread: number,
  variable: number,
  event: number,
): void {
  if (op === Op.volatileRead) {
    if (handlers.volatileRead === undefined) handlers.read(thread, variable, event);
    else handlers.volatileRead(thread, variable, event);
  } else if (op === Op.volatileWrite) {
    if (handlers.volatileWrite === undefined) handlers.write(thread, variable, event);
    else handlers.volatileWrite(thread, variable, event);
  } else if (handlers.volatileUpdate === undefined) {
    handlers.update(thread, variable, event);
  } else {
    handlers.volatileUpdate(thread, variable, event);
  }
}
