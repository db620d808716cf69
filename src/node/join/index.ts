import type { AnalysisResult } from '../../check/result.ts';
import { quoted } from '../../trace/printable.ts';
import { Certainty } from './certainty.ts';
import { writeJoined } from './joined-trace.ts';
import { type ProcessTrace, readEvidence } from './process-traces.ts';
import { StoreOrder } from './store-order.ts';

export type { ProcessTrace };

/** What the traces of several processes have in common. */
export interface JoinedProcesses {
  /** Takes what is not certain out of a result of the check of the joined trace. */
  certain(result: AnalysisResult): AnalysisResult;
}

/** Puts the traces of several processes in one order, by what the stores have shown to each, and writes them as one. */
export async function joinTraces(traces: readonly ProcessTrace[], path: string): Promise<JoinedProcesses> {
  const { evidence, calls, cut } = await readEvidence(traces);
  const order = StoreOrder.of(evidence);
  const joined = await writeJoined(traces, evidence.steps, order, calls, path);
  const certainty = new Certainty(evidence, order, joined);
  const notes = cut.map(
    ({ name }) =>
      `the trace of ${name === '' ? 'the program' : quoted(name)} is cut, as that of a process which was killed: it was taken as far as it goes`,
  );
  return {
    certain(result) {
      const certain = certainty.certain(result);
      return notes.length === 0 ? certain : { ...certain, notes: [...(certain.notes ?? []), ...notes] };
    },
  };
}
