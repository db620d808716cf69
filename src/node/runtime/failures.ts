import type { Activation } from '../core/activation.ts';
import { Decoration } from '../core/decoration.ts';

/** The segment in which something that an activation waited for has failed. */
const failures = new Decoration<Activation, { segment: number }>('activation', () => ({ segment: -1 }));

export function noteFailure(activation: Activation, segment: number): void {
  failures.in(activation).segment = segment;
}

export function hasFailedIn(activation: Activation, segment: number): boolean {
  return failures.of(activation)?.segment === segment;
}
