import { parentPort } from 'node:worker_threads';
import { loadAnalyses } from '../analyses/load.ts';
import { AnalysisRuns } from '../check/analysis-runs.ts';
import { IncomingBatches } from '../check/shared-batches.ts';
import { NameTable } from '../trace/name-table.ts';
import type { FoundThere, ThreadTask } from './analysis-worker.ts';

/*
 * What runs in the thread of the analyses: it is told what to do, takes batches until there are no more, and then tells what was found.
 * Whatever fails is not told: the other thread then does everything again by itself, and fails where it can be explained.
 */

parentPort?.once('message', analyse);

async function analyse({ batches, analyses, forkJoin }: ThreadTask): Promise<void> {
  const variables = new NameTable();
  const incoming = new IncomingBatches(batches, variables);
  try {
    const runs = new AnalysisRuns({
      analyses: await loadAnalyses(analyses.join(), forkJoin),
      forkJoin,
      first: false,
    });
    let events = 0;
    for (const batch of incoming.batches()) {
      runs.show(batch);
      events += batch.length;
      if (runs.runs.some(({ failure }) => failure !== null)) throw new Error('an analysis has failed');
    }
    runs.finish(events);
    const found: FoundThere = {
      runs: runs.runs.map(({ analysis, violations, leftOut, milliseconds, allocated, failure }) => {
        if (failure !== null) throw failure;
        return { outcome: analysis.outcome(), violations, leftOut, milliseconds, allocated };
      }),
      noticed: runs.noticed,
      variables: variables.size === 0 ? null : variables.parts,
    };
    parentPort?.postMessage(
      found,
      found.variables?.segments.flatMap(({ bytes, ends }) => [bytes.buffer, ends.buffer]),
    );
  } catch {
    incoming.abandon();
  }
}
