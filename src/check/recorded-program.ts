import type { TraceSection } from '../formats/format.ts';
import { TraceReader } from '../formats/read.ts';
import { decodeProgram } from '../trace/facts.ts';
import { InputProblem } from '../trace/problem.ts';
import type { AnalysisResult } from './result.ts';

/** What a trace says about the program that it was recorded of. */
export class RecordedProgram {
  isProgram = false;
  readonly #unfollowed = new Set<string>();

  take(section: TraceSection): void {
    const facts = decodeProgram(section);
    if (facts === null) return;
    this.isProgram = true;
    for (const name of facts.unfollowed ?? []) this.#unfollowed.add(String(name));
  }

  /** The result of a trace that was recorded before. */
  recorded(result: AnalysisResult): AnalysisResult {
    return { ...this.with(result), recorded: true };
  }

  /** The result, with what nobody has seen of the program. */
  with(result: AnalysisResult): AnalysisResult {
    if (this.#unfollowed.size === 0) return result;
    return { ...result, unfollowed: [...this.#unfollowed].sort() };
  }
}

/** Whether a file is the trace of a program that Trackside has run: it says so before its first event. */
export async function isRecordedProgram(path: string, format: string): Promise<boolean> {
  const program = new RecordedProgram();
  try {
    const reader = await TraceReader.open(path, { format, onSection: (section) => program.take(section) });
    for await (const _ of reader.batches()) break;
  } catch (error) {
    // Whoever reads it all says what is wrong with it.
    if (!(error instanceof InputProblem)) throw error;
  }
  return program.isProgram;
}
