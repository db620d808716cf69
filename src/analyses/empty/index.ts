import type { Analysis, AnalysisDescription, Outcome } from '../analysis.ts';

class Empty implements Analysis {
  read(): void {}
  write(): void {}
  update(): void {}
  acquire(): void {}
  release(): void {}
  fork(): void {}
  join(): void {}
  arrive(): void {}
  leave(): void {}
  send(): void {}
  receive(): void {}
  begin(): void {}
  end(): void {}
  readonly canForgetThreads = true;
  forgetVariable(): void {}
  forgetLock(): void {}
  forgetThreads(): void {}
  finish(): void {}

  needsThread(): boolean {
    return false;
  }

  outcome(): Outcome {
    return { serializable: null, firstEvent: null, statistics: {} };
  }
}

/** Does nothing: what it takes is what reading a trace takes, the baseline of every benchmark. */
export const empty: AnalysisDescription = {
  name: 'empty',
  summary: 'does nothing; measures what reading the trace costs',
  promise: 'decides nothing and reports nothing',
  source: null,
  create: () => new Empty(),
};
