import { accessKind, isDispatch, isReceipt, OPERAND_KINDS, Op } from '../trace/operation.ts';

interface PlacedEvent {
  event: number;
  thread: number;
  op: number;
  operand: number;
}

/**
 * Whether the events of two threads conflict (docs/explanation/semantics.md). Of a barrier the rounds are not known here: every
 * departure is taken to conflict with every arrival before it.
 */
export function conflict(a: PlacedEvent, b: PlacedEvent): boolean {
  if (a.thread === b.thread) return false;
  if (isOfThread(a) && a.operand === b.thread) return true;
  if (isOfThread(b) && b.operand === a.thread) return true;
  if (OPERAND_KINDS[a.op] !== OPERAND_KINDS[b.op] || a.operand !== b.operand) return false;
  const [earlier, later] = a.event < b.event ? [a, b] : [b, a];
  switch (OPERAND_KINDS[a.op]) {
    case 'variable':
      return accessKind(a.op) !== accessKind(b.op) || accessKind(a.op) === Op.write;
    case 'lock':
      return true;
    case 'barrier':
      return earlier.op === Op.arrive && later.op === Op.leave;
    case 'message':
    case 'condition':
      return isDispatch(earlier.op) && isReceipt(later.op);
    default:
      return false;
  }
}

export function isOfThread({ op }: PlacedEvent): boolean {
  return op === Op.fork || op === Op.join;
}
