import type {
  AnalysisResult,
  ErrorResult,
  ScheduleResult,
  Severity,
  ViolationResult,
} from '../check/result.ts';
import { sourcePlace } from '../check/source-place.ts';
import type { Origin } from './event-words.ts';
import { eventsOf } from './interleaving.ts';
import { counted } from './layout.ts';
import { primaryEvent } from './place.ts';
import { runsSummary } from './program-runs.ts';
import type { Report, ReportEnd, Reporter } from './reporter.ts';
import { groupedByLabel } from './violation-groups.ts';
import { headline, patternWords } from './violation-text.ts';
import { shown } from './well-formed-text.ts';

/** For GitHub Actions: workflow commands that become annotations beside the code. */
export const github: Reporter = {
  name: 'github',
  summary: 'annotations for GitHub Actions',
  start: () => new GithubReport(),
};

/** GitHub shows so many annotations of each level for a step, and drops the others. */
const MOST_ANNOTATIONS = 10;
const MESSAGE = 2000;

class GithubReport implements Report {
  readonly #room = new Map<Severity, number>([
    ['error', MOST_ANNOTATIONS],
    ['warning', MOST_ANNOTATIONS],
    ['note', MOST_ANNOTATIONS],
  ]);
  #leftOut = 0;

  *trace(results: readonly AnalysisResult[]): Generator<string> {
    const [first] = results;
    if (first?.error !== undefined) yield* this.#error(first.trace, first.error);
    for (const { violations, analysis, origin, schedule } of results) {
      for (const { example, count } of groupedByLabel(violations)) {
        yield* this.#violation(example, count, analysis, origin, schedule);
      }
    }
  }

  *finish({ runs = [] }: ReportEnd = {}): Generator<string> {
    for (const line of runsSummary(runs)) yield command('notice', { title: 'trackside' }, line);
    if (this.#leftOut === 0) return;
    const said = `${counted(this.#leftOut, 'more annotation')} left out, as GitHub shows ${MOST_ANNOTATIONS} of a level`;
    yield command('notice', { title: 'trackside' }, said);
  }

  *#error(trace: string, { message, line, column }: ErrorResult): Generator<string> {
    if (!this.#take('error')) return;
    const place = trace === '-' ? {} : { file: shown(trace, MESSAGE), line, col: column };
    yield command('error', { ...place, title: 'trackside: the trace cannot be read' }, message);
  }

  *#violation(
    violation: ViolationResult,
    count: number,
    analysis: string,
    origin: Origin,
    schedule: ScheduleResult | undefined,
  ): Generator<string> {
    const { severity, pattern, kind, message } = violation;
    if (!this.#take(severity)) return;
    const title = `trackside: ${pattern === null ? kind : patternWords(pattern)} (${analysis})`;
    const more = count === 1 ? '' : `\nand ${counted(count - 1, 'more violation')} of the same block`;
    const said =
      message === ''
        ? headline(violation, origin)
        : `${headline(violation, origin)}\n${shown(message, MESSAGE)}`;
    const again = schedule === undefined ? '' : `\nto run it in this order again: ${schedule.replay}`;
    yield command(
      severity === 'note' ? 'notice' : severity,
      { ...placeOf(violation), title },
      said + more + again,
    );
  }

  #take(level: Severity): boolean {
    const room = this.#room.get(level) as number;
    if (room === 0) this.#leftOut++;
    else this.#room.set(level, room - 1);
    return room > 0;
  }
}

function placeOf(violation: ViolationResult): Properties {
  const place = sourcePlace(primaryEvent(violation, eventsOf(violation))?.location ?? null);
  return place === null ? {} : { file: shown(place.path, MESSAGE), line: place.line, col: place.column };
}

type Properties = Readonly<Record<string, string | number | null>>;

/** A workflow command: one line, whatever the names in it hold. */
function command(name: string, properties: Properties, message: string): string {
  const listed = Object.entries(properties)
    .filter(([, value]) => value !== null)
    .map(([key, value]) => `${key}=${escapedProperty(shown(String(value), MESSAGE))}`);
  const lines = message.split('\n').map((line) => shown(line, MESSAGE));
  return `::${name} ${listed.join(',')}::${escapedData(lines.join('\n'))}\n`;
}

function escapedData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function escapedProperty(text: string): string {
  return escapedData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}

/**
 * Another report for the log of a workflow, in which no line is taken for a command: a name from a trace may
 * start with `::` and stand at the start of a line. `token` ends what it started, so nobody may guess it.
 */
export function withoutCommands(report: Report, token: string): Report {
  function* silenced(pieces: Iterable<string>): Generator<string> {
    yield `::stop-commands::${token}\n`;
    yield* pieces;
    yield `::${token}::\n`;
  }
  return {
    trace: (results) => silenced(report.trace(results)),
    finish: (...rest) => silenced(report.finish(...rest)),
  };
}
