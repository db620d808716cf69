import type { TraceInput } from '../formats/inputs.ts';
import { inFile, type ReadOptions, TraceReader } from '../formats/read.ts';
import { TraceNames } from '../trace/names.ts';
import { InputProblem } from '../trace/problem.ts';
import { StatisticsCounter, type TraceStatistics } from '../trace/statistics.ts';
import { WellFormedness } from '../trace/wellformed.ts';
import { type Repair, repairsOf } from './prepared-trace.ts';
import type { ErrorResult, Tool } from './result.ts';
import { errorResult } from './results.ts';

export interface InspectOptions extends ReadOptions {
  onProgress?: (events: number, reader: TraceReader) => void;
}

/** What is in one trace, as it was logged: the objects of the JSON report of `trackside info`. */
export interface InspectionResult extends TraceStatistics {
  trace: string;
  /** Null when the trace could not even be opened. */
  format: string | null;
  repairs: readonly Repair[];
  /** Why reading ended early, if it did; what came before it has been counted. */
  error?: ErrorResult;
}

export interface InfoReport {
  tool: Tool;
  traces: readonly InspectionResult[];
}

export interface TraceInspection {
  result: InspectionResult;
  problem: InputProblem | null;
}

/** Reads a trace, checks that it is well-formed, and counts what is in it. */
export async function inspectTrace(input: TraceInput, options: InspectOptions): Promise<TraceInspection> {
  const { path } = input;
  const nothing = new StatisticsCounter(new TraceNames()).statistics();
  const result: InspectionResult = { trace: path, format: null, ...nothing, repairs: [] };
  let { problem } = input;
  try {
    if (problem !== null) throw problem;
    const reader = await TraceReader.open(path, options);
    const wellFormedness = new WellFormedness(reader.names, { lenient: options.lenient ?? false });
    const counter = new StatisticsCounter(reader.names);
    result.format = reader.format.name;
    try {
      await count(reader, wellFormedness, counter, options);
    } finally {
      Object.assign(result, counter.statistics());
      result.repairs = repairsOf(reader, wellFormedness);
    }
  } catch (error) {
    if (!(error instanceof InputProblem)) throw error;
    problem = inFile(error, path) as InputProblem;
    result.error = errorResult(problem);
  }
  return { result, problem };
}

async function count(
  reader: TraceReader,
  wellFormedness: WellFormedness,
  counter: StatisticsCounter,
  options: InspectOptions,
): Promise<void> {
  const locate = (offset: number) => reader.locate(offset);
  let events = 0;
  for await (const batch of reader.batches()) {
    counter.countLogged(batch);
    let problem: unknown = null;
    try {
      wellFormedness.check(batch, locate);
    } catch (error) {
      if (!(error instanceof InputProblem)) throw error;
      const good = (error.position.event as number) - batch.firstEvent;
      counter.uncountFrom(batch, good);
      batch.length = good;
      problem = error;
    }
    counter.countTransactions(batch);
    if (problem !== null) throw problem;
    events += batch.length;
    options.onProgress?.(events, reader);
  }
}
