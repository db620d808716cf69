/**
 * The library behind the command line: read traces, run analyses over them, find the witnesses of what they found. It is
 * what `trackside/library` exports. `docs/explanation/architecture.md` says how the parts fit together.
 *
 * @module library
 */
export type {
  Analysis,
  AnalysisContext,
  AnalysisDescription,
  BlockFact,
  ConflictFact,
  EventHandlers,
  ForkJoin,
  Outcome,
  RelatedEvent,
  ViolationFact,
  ViolationKind,
  ViolationSink,
} from './analyses/analysis.ts';
export { dispatch } from './analyses/dispatch.ts';
export { ANALYSES, analysesNamed } from './analyses/registry.ts';
export { type AnalysisRun, type CheckOptions, checkTrace, type TraceCheck } from './check/check.ts';
export type {
  AnalysisResult,
  BlockResult,
  CheckReport,
  ConflictResult,
  EventResult,
  Severity,
  Verdict,
  ViolationResult,
} from './check/result.ts';
export { resultsOf } from './check/results.ts';
export { type Explanations, explainViolations } from './check/second-look.ts';
export { type ReadOptions, TraceReader } from './formats/read.ts';
export { FORMATS } from './formats/registry.ts';
export { StdWriter } from './formats/std-writer.ts';
export { TrkWriter } from './formats/trk/writer.ts';
export type { ByteSink, TraceWriter } from './formats/writer.ts';
export { Specification } from './spec/specification.ts';
export { EventBatch } from './trace/batch.ts';
export { MemoryTrace, type NamedEvent } from './trace/memory-trace.ts';
export { TraceNames } from './trace/names.ts';
export { Op } from './trace/operation.ts';
export { InputProblem, type Position } from './trace/problem.ts';
export { WellFormedness } from './trace/wellformed.ts';
