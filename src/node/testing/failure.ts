import type { CheckAnswer } from './check-request.ts';
import type { WorkerOptions } from './options.ts';

/** What a test fails with. */
export class AtomicityError extends Error {
  override readonly name = 'AtomicityError';

  constructor(message: string) {
    super(message);
    // The places that count are in the message; where the check was called from says nothing.
    this.stack = `${this.name}: ${message}`;
  }
}

/** Fails or warns, as the options say; `what` was not atomic. */
export function tell(
  answer: CheckAnswer | null,
  what: string,
  { mode, failOn }: WorkerOptions,
  warn: (text: string) => void,
): void {
  if (answer === null) return;
  const text = `${what}\n\n${answer.text.trimEnd()}\n`;
  if (mode === 'fail' && (answer.worst === 'error' || failOn === 'warning')) throw new AtomicityError(text);
  warn(`trackside: ${text}`);
}
