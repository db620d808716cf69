import { renameSync } from 'node:fs';
import type { TraceSection } from '../../formats/format.ts';
import { TraceReader } from '../../formats/read.ts';
import { decodeFacts, decodeProgram, FACTS_SECTION, TraceFacts } from '../../trace/facts.ts';
import { DOORBELL, ENDING, PROGRESS, type Region, SLEEPING } from '../isolates/region.ts';
import { Spool } from '../runtime/sinks/spool.ts';
import { Merge } from './merge.ts';
import { MergedTrace } from './merged-trace.ts';

const { add, load, store, wait } = Atomics;

/** What the checker thread is told by the main isolate. */
export interface CheckerData {
  /** Where the trace goes; what the main isolate did before there were others is there already. */
  spool: string;
}

/** Between two looks at the rings, unless somebody rings. */
const NAP_MS = 10;

/** After a look that found so much, the next one follows at once: somebody may be waiting for room. */
const MUCH = 8192;

/** After so many looks that found nothing, the next one is when the bell rings. */
const IDLE_LOOKS = 20;

/** Makes one trace of what is in the rings, until the main isolate says that nothing more comes. */
export async function runChecker(region: Region, { spool }: CheckerData): Promise<void> {
  const trace = new MergedTrace();
  const merged = `${spool}.merged`;
  trace.addSink(new Spool(merged, trace.names));
  await replay(spool, trace, () => add(region.header, PROGRESS, 1));
  // A program that is killed has either the old trace or the new one.
  renameSync(merged, spool);
  follow(region, trace);
  trace.finish();
}

/** Takes up what was recorded before there was a second isolate. */
async function replay(spool: string, trace: MergedTrace, onProgress: () => void): Promise<void> {
  const facts = new TraceFacts();
  const onSection = (section: TraceSection) => {
    const program = decodeProgram(section);
    if (program !== null) trace.noteFact(['program', program]);
    if (section.name !== FACTS_SECTION) return;
    for (const fact of decodeFacts(section.bytes)) {
      if (fact[0] === 'events') facts.add(fact);
      else trace.noteFact(fact);
    }
  };
  const reader = await TraceReader.open(spool, { format: 'trk', onSection });
  for await (const batch of reader.batches()) {
    trace.replay(batch, reader.names, facts);
    facts.flags.clear();
    onProgress();
  }
}

function follow(region: Region, trace: MergedTrace): void {
  const { header } = region;
  const merge = new Merge(region, trace);
  for (let idle = 0; ; ) {
    const bell = load(header, DOORBELL);
    const isEnding = load(header, ENDING) !== 0;
    const isSleeping = idle > IDLE_LOOKS;
    // Who writes after this look rings the bell.
    if (isSleeping) store(header, SLEEPING, 1);
    const found = merge.round();
    trace.flush();
    add(header, PROGRESS, 1);
    idle = found === 0 ? idle + 1 : 0;
    if (isEnding && found === 0) return;
    if (!isEnding && found < MUCH)
      wait(header, DOORBELL, bell, isSleeping && found === 0 ? undefined : NAP_MS);
    if (isSleeping) store(header, SLEEPING, 0);
  }
}
