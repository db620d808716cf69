import { types } from 'node:util';
import { hasProbeName } from '../probes.ts';

/** How V8 quotes a condition, as there is one in front of an access to a property. */
const CONDITION = '(intermediate value)(intermediate value)(intermediate value)';

/** The program has caught an error, and may look at its message. If that quotes a probe, making its stack puts it right. */
export function caught(error: unknown): void {
  if (quotesProbe(error)) void error.stack;
}

/** Whether it is an error of V8 whose message quotes an expression with a probe in it. */
export function quotesProbe(error: unknown): error is Error {
  if (!types.isNativeError(error)) return false;
  const message: unknown = Object.getOwnPropertyDescriptor(error, 'message')?.value;
  return typeof message === 'string' && (hasProbeName(message) || message.includes(CONDITION));
}
