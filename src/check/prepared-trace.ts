import { inFile, type ReadOptions, TraceReader } from '../formats/read.ts';
import { BlockFilter } from '../spec/block-filter.ts';
import type { Specification } from '../spec/specification.ts';
import type { EventBatch } from '../trace/batch.ts';
import type { TraceNames } from '../trace/names.ts';
import { InputProblem, type Position } from '../trace/problem.ts';
import { RULES, type Rule, WellFormedness } from '../trace/wellformed.ts';

export interface PrepareOptions extends ReadOptions {
  specification: Specification;
}

/** What `--lenient` put right, and how often. */
export interface Repair {
  what: string;
  count: number;
}

/**
 * A trace as every analysis sees it: read, checked for well-formedness, and without the blocks that are not
 * meant to be atomic.
 */
export class PreparedTrace {
  readonly reader: TraceReader;
  readonly #wellFormedness: WellFormedness;
  readonly #filter: BlockFilter;

  static async open(path: string, options: PrepareOptions): Promise<PreparedTrace> {
    return new PreparedTrace(await TraceReader.open(path, options), options);
  }

  private constructor(reader: TraceReader, options: PrepareOptions) {
    this.reader = reader;
    this.#wellFormedness = new WellFormedness(reader.names, { lenient: options.lenient ?? false });
    this.#filter = new BlockFilter(options.specification, reader.names.labels);
  }

  get names(): TraceNames {
    return this.reader.names;
  }

  /** How many blocks have begun so far, and how many of them the specification leaves out. */
  get blocks(): { begun: number; leftOut: number } {
    return { begun: this.#wellFormedness.begun, leftOut: this.#filter.leftOut };
  }

  async *batches(): AsyncGenerator<EventBatch> {
    const locate = (offset: number) => this.reader.locate(offset);
    for await (const batch of this.reader.batches()) {
      const problem = this.#check(batch, locate);
      this.#filter.apply(batch);
      yield batch;
      if (problem !== null) throw problem;
    }
  }

  /** The numbers of these threads, which the trace has retired, are going to be those of others. */
  forgetThreads(threads: readonly number[]): void {
    this.#wellFormedness.forgetThreads(threads);
  }

  /** The same for locks. */
  forgetLocks(locks: readonly number[]): void {
    this.#wellFormedness.forgetLocks(locks);
  }

  repairs(): Repair[] {
    return repairsOf(this.reader, this.#wellFormedness);
  }

  /** Cuts the batch off before the first event that breaks a rule: what comes before it still counts. */
  #check(batch: EventBatch, locate: (offset: number) => Position): InputProblem | null {
    try {
      this.#wellFormedness.check(batch, locate);
      return null;
    } catch (error) {
      if (!(error instanceof InputProblem)) throw error;
      inFile(error, this.reader.path);
      batch.length = (error.position.event as number) - batch.firstEvent;
      return error;
    }
  }
}

/** What a lenient reader has done to a trace that ends where its writer was killed, or that is damaged. */
export const PASSED_OVER = 'what could not be read was passed over';

export function repairsOf(reader: TraceReader, wellFormedness: WellFormedness): Repair[] {
  const repairs: Repair[] = [];
  if (reader.repaired > 0) {
    repairs.push({ what: PASSED_OVER, count: reader.repaired });
  }
  for (const [rule, count] of wellFormedness.repairs) repairs.push({ what: RULES[rule as Rule], count });
  return repairs;
}
