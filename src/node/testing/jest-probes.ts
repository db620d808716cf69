/* What instrumented modules import where Jest runs them: `jest-start` has put it there, in the same realm. */
export * from '../loader/probes-module.ts';
