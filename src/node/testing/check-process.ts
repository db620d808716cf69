import { open, readFile } from 'node:fs/promises';
import { regiontrack } from '../../analyses/regiontrack/index.ts';
import { Baseline } from '../../check/baseline.ts';
import { checkTrace, type TraceCheck } from '../../check/check.ts';
import type { AnalysisResult } from '../../check/result.ts';
import { resultsOf } from '../../check/results.ts';
import { parseResults } from '../../check/saved-results.ts';
import { explainViolations } from '../../check/second-look.ts';
import { SourceFiles, withSources } from '../../check/sources.ts';
import { TraceReader } from '../../formats/read.ts';
import { TrkWriter } from '../../formats/trk/index.ts';
import { PLAIN } from '../../report/style.ts';
import { violationText } from '../../report/violation-text.ts';
import { Specification } from '../../spec/specification.ts';
import { programResults } from '../judgement/program-results.ts';
import type { CheckAnswer, CheckRequest } from './check-request.ts';
import { Descent } from './descent.ts';

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
  const { options, spool } = request;
  const whole = `${spool}.whole`;
  const descent = await finishedCopy(spool, whole);
  const check = {
    analyses: [regiontrack],
    specification: specificationOf(options),
    forkJoin: 'family' as const,
    format: 'trk',
    first: false,
  };
  const found = await checkTrace(whole, check);
  if (found.problem !== null) throw found.problem;
  const left = leaveToOthers(found, descent, request);
  const explanations = await explainViolations(whole, found, { ...check, subtraces: false });
  const files = new SourceFiles({ searched: [options.root], others: [] });
  const results = await Promise.all(
    (await resultsOf(whole, found, explanations, null, 0)).map((result) => withSources(result, files)),
  );
  const [result] = await withoutKnown(await programResults(results, whole), options.baseline);
  const isError = result.violations.some(({ severity }) => severity === 'error');
  const worst = isError ? 'error' : result.violations.length > 0 ? 'warning' : null;
  return { text: textOfResult(result), worst, left };
}

/** Drops what has been told, and what is not this test's to tell; gives the begins of the latter. */
function leaveToOthers(
  { runs, trace }: TraceCheck,
  descent: Descent,
  { begins, test, others }: CheckRequest,
): number[] {
  const untold = new Set(begins);
  const left: number[] = [];
  const tests = new Set(test === null ? [] : [test, ...others]);
  for (const run of runs) {
    run.violations = run.violations.filter(({ block, thread }) => {
      if (block === null || trace === null || !untold.has(block.begin)) return false;
      const owner = descent.testOf(trace.names.threads.text(thread), tests);
      // What belongs to no test is told by the first that ends.
      if (owner === null || owner === test) return true;
      left.push(block.begin);
      return false;
    });
  }
  return left;
}

/** A copy of a trace that is still being written, up to here, with an end; and which threads forked which. */
async function finishedCopy(from: string, to: string): Promise<Descent> {
  const extras: [name: string, content: Uint8Array][] = [];
  const extra = (name: string, content: Uint8Array) => extras.push([name, content]);
  const reader = await TraceReader.open(from, { format: 'trk', lenient: true, extra });
  const descent = new Descent(reader.names.threads);
  const file = await open(to, 'w');
  try {
    const writer = new TrkWriter(reader.names, (bytes) => file.writeFile(bytes));
    for await (const batch of reader.batches()) {
      descent.look(batch);
      await writer.write(batch);
    }
    for (const [name, content] of extras) await writer.extra(name, content);
    await writer.finish();
  } finally {
    await file.close();
  }
  return descent;
}

function specificationOf({ atomic, exclude }: CheckRequest['options']): Specification {
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
  const known = new Baseline(parseResults(await readFile(baseline, 'utf8'), baseline), baseline);
  return results.map((result) => known.hide(result));
}

function textOfResult(result: AnalysisResult): string {
  const { violations } = result;
  // What makes a test fail comes first.
  const ordered = [...violations].sort(
    (a, b) => Number(b.severity === 'error') - Number(a.severity === 'error'),
  );
  const layout = { tool: { name: 'trackside', version: '' } as const, style: PLAIN, width: WIDTH };
  const texts = ordered
    .slice(0, MOST_SHOWN)
    .map((violation) => [...violationText(violation, layout, result)].join(''));
  if (ordered.length > MOST_SHOWN) texts.push(`and ${ordered.length - MOST_SHOWN} more\n`);
  return texts.join('\n');
}

async function textOf(stream: NodeJS.ReadStream): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
