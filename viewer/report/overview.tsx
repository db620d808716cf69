import { useContext } from 'preact/hooks';
import type { KnownViolation, RunResult } from '../../src/check/result.ts';
import { scheduleWords } from '../../src/check/schedules.ts';
import { violatedBlocks } from '../../src/check/violated-blocks.ts';
import type { PageResult } from '../../src/report/html-data.ts';
import { counted, grouped } from '../../src/report/layout.ts';
import { runsSummary, titleOf } from '../../src/report/program-runs.ts';
import { notUnderstoodSentences, unfollowedSentences } from '../../src/report/unfollowed.ts';
import { headline } from '../../src/report/violation-text.ts';
import { About } from '../shared/about.ts';

const MOST_ROWS = 500;

interface Properties {
  results: readonly PageResult[];
  fixed: readonly KnownViolation[] | null;
  runs: readonly RunResult[];
}

/** What was checked, and how it came out. */
export function Overview({ results, fixed, runs }: Properties) {
  const leftOut = results.reduce((sum, result) => sum + result.leftOut, 0);
  const remarks = new Set(
    results.flatMap((result) => [
      ...unfollowedSentences(result),
      ...notUnderstoodSentences(result),
      ...result.assumptions.map(({ message }) => message),
    ]),
  );
  return (
    <article class="detail overview">
      <header class="violation-head">
        <h2 tabIndex={-1}>{verdict(results)}</h2>
        {leftOut > 0 && (
          <p class="message">
            {counted(leftOut, 'more violation')} would not fit into this page; <code>--reporter json</code>{' '}
            lists every one.
          </p>
        )}
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what can be scrolled must be reachable by keys */}
      <section class="panel table" aria-label="Results" tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">trace</th>
              <th scope="col">analysis</th>
              <th scope="col">verdict</th>
              <th scope="col" class="numeric">
                violations
              </th>
              <th scope="col" class="numeric">
                blocks checked
              </th>
              <th scope="col" class="numeric">
                events
              </th>
            </tr>
          </thead>
          <tbody>
            {results.slice(0, MOST_ROWS).map((result, i) => (
              <tr key={i}>
                <th scope="row">
                  <bdi>{titleOf(result)}</bdi>
                  {result.error !== undefined && <p class="error-words">{result.error.message}</p>}
                </th>
                <td>{result.analysis}</td>
                <td class={`verdict ${result.verdict}`}>{VERDICTS[result.verdict]}</td>
                <td class="numeric">
                  {grouped(violatedBlocks(result.violations) + result.leftOut)}
                  {result.known !== undefined && ` new, ${grouped(result.known)} known`}
                </td>
                <td class="numeric">{grouped(result.blocks.checked)}</td>
                <td class="numeric">{grouped(result.events)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <RunFacts results={results} />
      {runsSummary(runs).map((line) => (
        <p key={line} class="remark">
          {line}
        </p>
      ))}
      {results.length > MOST_ROWS && <p class="remark">and {grouped(results.length - MOST_ROWS)} more</p>}
      {[...remarks].slice(0, 20).map((message) => (
        <p key={message} class="remark">
          {message}
        </p>
      ))}
      {fixed !== null && fixed.length > 0 && (
        <section class="panel" aria-label="Fixed">
          <div class="panel-head">
            <h3>{counted(fixed.length, 'known violation')} fixed, or at least not seen in this run</h3>
          </div>
          <ul class="fixed">
            {fixed.map(({ fingerprint, analysis, violation }) => (
              <li key={fingerprint}>
                {analysis}: {headline(violation)}
              </li>
            ))}
          </ul>
        </section>
      )}
    </article>
  );
}

/** The command, and when and with what it was run. */
function RunFacts({ results }: { results: readonly PageResult[] }) {
  const { version, run } = useContext(About);
  const facts: [what: string, value: string][] = [];
  if (run !== null) {
    facts.push(['command', run.command], ['date', run.date.replace('T', ' ').replace(/\.\d+Z$/, ' UTC')]);
    facts.push(['folder', run.folder], ['Node', run.node]);
  }
  if (version !== '') facts.push(['Trackside', version]);
  const schedules = new Set(
    results.flatMap(({ schedule }) => (schedule === undefined ? [] : [scheduleWords(schedule)])),
  );
  if (schedules.size > 0) facts.push(['order of tasks', [...schedules].slice(0, 5).join('; ')]);
  if (facts.length === 0) return null;
  return (
    <section class="panel run-facts" aria-label="Run">
      <dl>
        {facts.map(([what, value]) => (
          <div key={what}>
            <dt>{what}</dt>
            <dd>
              <bdi>{value}</bdi>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

const VERDICTS = { ok: 'ok', violation: 'violated', error: 'not read to its end' };

function verdict(results: readonly PageResult[]): string {
  if (results.length === 0) return 'Nothing was checked';
  const found = results.reduce(
    (sum, { violations, leftOut }) => sum + violatedBlocks(violations) + leftOut,
    0,
  );
  const failed = results.filter(({ verdict }) => verdict === 'error').length;
  const words = found === 0 ? 'No violations found' : `${counted(found, 'violation')} found`;
  return failed === 0 ? words : `${words}, but ${counted(failed, 'trace')} could not be read to the end`;
}
