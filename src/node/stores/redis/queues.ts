import { valueCode } from '../../../trace/evidence.ts';
import { textOf } from './commands.ts';

/*
 * Messages that go through lists and streams. Whoever takes one out comes after what was done before it was put in; that orders
 * processes, and makes nothing part of anybody's block.
 */

/** A message by where it is, and what it says or, in a stream, the number that the server has given it. */
export type Message = string;

const PUTS = /^[LR]PUSHX?$/;
const TAKES = /^[LR]POP$/;
const WAITS = /^B[LR]POP$/;
const MOVES = /^(?:B?LMOVE|B?RPOPLPUSH)$/;
const READS = /^XREAD(?:GROUP)?$/;

/** Whether a command may put messages somewhere. */
export function mayPut(name: string): boolean {
  return PUTS.test(name) || name === 'XADD';
}

/** Those that it has put there. */
export function messagesPut(name: string, [key, ...values]: readonly string[], reply: unknown): Message[] {
  if (name === 'XADD') return named(key, [reply]);
  return PUTS.test(name) && Number(reply) > 0 ? values.map((value) => inList(key, value)) : [];
}

/** Those that it has taken, or read, if the answer has come as the server sends it. */
export function messagesTaken(name: string, [key]: readonly string[], reply: unknown): Message[] {
  if (WAITS.test(name) && Array.isArray(reply)) return inLists(textOf(reply[0]) ?? '', [reply[1]]);
  if (TAKES.test(name) || MOVES.test(name)) return inLists(key, Array.isArray(reply) ? reply : [reply]);
  if (!READS.test(name) || !Array.isArray(reply)) return [];
  return reply.flatMap((stream) => {
    if (!Array.isArray(stream) || !Array.isArray(stream[1])) return [];
    return named(
      textOf(stream[0]) ?? '',
      stream[1].map((entry) => (Array.isArray(entry) ? entry[0] : null)),
    );
  });
}

function inLists(key: string, values: readonly unknown[]): Message[] {
  return values.flatMap((value) => {
    const text = textOf(value);
    return text === null ? [] : [inList(key, text)];
  });
}

/** What it says is kept as a hash only. */
function inList(key: string, value: string): Message {
  return `${key} ${valueCode(value, true)}`;
}

function named(key: string, ids: readonly unknown[]): Message[] {
  return ids.flatMap((id) => (typeof textOf(id) === 'string' ? [`${key} ${textOf(id)}`] : []));
}
