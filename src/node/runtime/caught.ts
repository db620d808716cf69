import { types } from 'node:util';
import { hasProbeName } from '../probes.ts';

/** The program has caught an error, and may look at its message. If that quotes a probe, making its stack puts it right. */
export function caught(error: unknown): void {
  if (hasProbeMessage(error)) void (error as Error).stack;
}

/** Whether an error quotes a probe. */
export function hasProbeMessage(error: unknown): boolean {
  if (!types.isNativeError(error)) return false;
  const message: unknown = Object.getOwnPropertyDescriptor(error, 'message')?.value;
  return typeof message === 'string' && hasProbeName(message);
}
