import { types } from 'node:util';
import { hasProbeName } from '../probes.ts';

/** The program has caught an error, and may look at its message. If that quotes a probe, making its stack puts it right. */
export function caught(error: unknown): void {
  if (!types.isNativeError(error)) return;
  const message: unknown = Object.getOwnPropertyDescriptor(error, 'message')?.value;
  if (typeof message === 'string' && hasProbeName(message)) void error.stack;
}
