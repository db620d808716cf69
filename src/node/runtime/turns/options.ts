/** A call of a block, counted from 1 among the calls of its label. */
export interface NumberedCall {
  label: string;
  nth: number;
}

/** Which blocks run one at a time, as if a lock were held from their begin to their end. */
export interface TurnsOptions {
  /** Globs of labels. */
  labels: readonly string[];
  /** These calls in this order; all others as they come. */
  sequence?: readonly NumberedCall[];
  /** Whether calls that are not in the sequence are left alone. */
  onlySequence?: boolean;
  /** No turns, but one call by itself. */
  alone?: AloneOptions;
}

/** A call that goes on before all else does that it started beside, or after all else is over. */
export interface AloneOptions {
  call: NumberedCall;
  when: 'first' | 'last';
}

/** What came of it: written beside the trace when the program ends. */
export interface TurnsOutcome {
  /** How many calls had to wait. */
  waited: number;
  /** Why turns were given up, so that the rest of the program ran without them; null if they were not. */
  givenUp: string | null;
}

export function turnsFile(spool: string): string {
  return `${spool}.turns.json`;
}
