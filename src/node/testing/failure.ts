import type { CheckAnswer } from './check-request.ts';
import { type Frame, stackOf } from './frames.ts';
import type { WorkerOptions } from './options.ts';

/** What a test fails with. Its stack holds the accesses; where the check was called from says nothing. */
export class AtomicityError extends Error {
  override readonly name = 'AtomicityError';
  /** For Vitest, which would take the positions in `stack` for those in the compiled files. */
  readonly stacks?: readonly Frame[];

  constructor(message: string, frames: readonly Frame[] = []) {
    super(message);
    this.stack = `${this.name}: ${message}${stackOf(frames)}`;
    if (frames.length > 0) this.stacks = frames;
  }
}

/** Fails or warns, as the options say; `what` was not atomic. */
export function tell(
  answer: CheckAnswer | null,
  what: string,
  { mode, failOn, schedule }: WorkerOptions,
  warn: (text: string) => void,
): void {
  if (answer === null) return;
  const again =
    schedule === null
      ? ''
      : `\nTasks went on in the order of schedule '${schedule.kind}' with seed ${schedule.seed}. To have it again, run this test with TRACKSIDE_SEED=${schedule.seed}.\n`;
  const text = `${what}\n\n${answer.text.trimEnd()}\n${again}`;
  if (mode === 'fail' && (answer.worst === 'error' || failOn === 'warning'))
    throw new AtomicityError(text, answer.frames);
  warn(`trackside: ${text}`);
}
