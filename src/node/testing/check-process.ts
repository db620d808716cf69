import { open, readFile } from 'node:fs/promises';
import { regiontrack } from '../../analyses/regiontrack/index.ts';
import { Baseline } from '../../check/baseline.ts';
import { parseBaseline } from '../../check/baseline-file.ts';
import { resultsOfTrace } from '../../check/pipeline.ts';
import type { AnalysisResult, ViolationResult } from '../../check/result.ts';
import { violatedBlocks } from '../../check/violated-blocks.ts';
import { worstOf } from '../../check/worst.ts';
import { TraceReader } from '../../formats/read.ts';
import { TrkWriter } from '../../formats/trk/writer.ts';
import { counted } from '../../report/layout.ts';
import { PLAIN } from '../../report/style.ts';
import { violationText } from '../../report/violation-text.ts';
import { Specification } from '../../spec/specification.ts';
import { programResults } from '../judgement/program-results.ts';
import type { CheckAnswer, CheckRequest } from './check-request.ts';
import { Descent } from './descent.ts';
import { framesOf } from './frames.ts';
import type { WorkerOptions } from './options.ts';
import { Owners } from './owners.ts';
import { provedInTest } from './test-proofs.ts';

/*
 * Explains what was violated while a test ran. It is a process of its own, because the one with the tests in it is no place
 * to do anything in: clocks may stand still, files may be mocked, and whatever waits lets other tests go on.
 */

/** Failure messages get no wider. */
const WIDTH = 100;
/** More violations in one test are only counted. */
const MOST_SHOWN = 3;

const request: CheckRequest = JSON.parse(await textOf(process.stdin));
process.stdout.write(JSON.stringify(await answer(request)));

async function answer(request: CheckRequest): Promise<CheckAnswer> {
  const { options, spool, place } = request;
  const whole = `${spool}.whole`;
  const descent = await finishedCopy(spool, whole);
  const owners = new Owners(descent, request);
  const results = await resultsIn(whole, options, owners);
  const [found] = await withoutKnown(results, options.baseline);
  const sorted = { ...found, violations: worstFirst(found.violations) };
  const { prove, command } = options;
  const result =
    prove && command !== null && place !== null && sorted.violations.length > 0
      ? await provedInTest(sorted, {
          command,
          test: place,
          folder: options.folder,
          schedule: options.schedule,
          most: MOST_SHOWN,
          check: async (trace) => (await resultsIn(trace, options)).flatMap((each) => each.violations),
        })
      : sorted;
  const violations = worstFirst(result.violations);
  const frames = violations.slice(0, 1).flatMap((worst) => framesOf(worst, options.root));
  return {
    text: textOfResult({ ...result, violations }),
    worst: worstOf([result]),
    frames,
    left: owners.left,
    seen: owners.seen,
  };
}

function resultsIn(
  path: string,
  options: CheckRequest['options'],
  owners?: Owners,
): Promise<readonly AnalysisResult[]> {
  const watched = specificationOf(options);
  // What is left out by name is silenced; what is only not asked for may still break what is.
  const leftOut = specificationOf({ ...options, atomic: [] });
  return resultsOfTrace(
    { path, rereadable: true, problem: null },
    {
      analyses: [regiontrack],
      specification: watched,
      forkJoin: 'family',
      format: 'trk',
      first: false,
      subtraces: false,
      ...(owners === undefined ? {} : { select: (found) => owners.select(found) }),
      origin: 'program',
      judge: (found, trace) =>
        programResults(found, trace, {
          isMeant: (label) => leftOut.isAtomic(label),
          isWatched: (label, more) => watched.isAtomic(label) && (owners?.takes(more) ?? true),
          ...(owners === undefined ? {} : { from: owners.from }),
        }),
      sources: { searched: [options.root] },
    },
    {
      problem: (wrong) => {
        throw wrong;
      },
    },
  );
}

/** What makes a test fail comes first. */
function worstFirst(violations: readonly ViolationResult[]): ViolationResult[] {
  return [...violations].sort((a, b) => Number(b.severity === 'error') - Number(a.severity === 'error'));
}

/** A copy of a trace that is still being written, up to here, with an end; and which threads forked which. */
async function finishedCopy(from: string, to: string): Promise<Descent> {
  const sections: { name: string; version: number; bytes: Uint8Array }[] = [];
  const reader = await TraceReader.open(from, {
    format: 'trk',
    lenient: true,
    onSection: ({ name, version, bytes }) => sections.push({ name, version, bytes: bytes.slice() }),
  });
  const descent = new Descent(reader.names.threads);
  const file = await open(to, 'w');
  try {
    const writer = new TrkWriter(reader.names, (bytes) => file.writeFile(bytes));
    for await (const batch of reader.batches()) {
      descent.look(batch);
      await writer.write(batch);
    }
    for (const { name, version, bytes } of sections) await writer.section(name, version, bytes);
    await writer.finish();
  } finally {
    await file.close();
  }
  return descent;
}

function specificationOf({ atomic, exclude }: Pick<WorkerOptions, 'atomic' | 'exclude'>): Specification {
  const specification = new Specification();
  for (const glob of atomic) specification.only(glob);
  for (const glob of exclude) specification.exclude(glob);
  return specification;
}

async function withoutKnown(
  results: readonly AnalysisResult[],
  baseline: string | null,
): Promise<readonly AnalysisResult[]> {
  if (baseline === null) return results;
  const known = new Baseline(parseBaseline(await readFile(baseline, 'utf8'), baseline));
  return results.map((result) => known.hide(result));
}

function textOfResult(result: AnalysisResult): string {
  const { violations } = result;
  const layout = { tool: { name: 'trackside', version: '' } as const, style: PLAIN, width: WIDTH };
  const texts = violations
    .slice(0, MOST_SHOWN)
    .map((violation) => [...violationText(violation, layout, result)].join(''));
  const more = violatedBlocks(violations) - Math.min(violations.length, MOST_SHOWN);
  if (more > 0) texts.push(`and ${counted(more, 'more violation')}\n`);
  return texts.join('\n');
}

async function textOf(stream: NodeJS.ReadStream): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
