import type { AnalysisResult, ViolationResult } from '../check/result.ts';
import { type PageAbout, pageResult, shownJson } from './html-data.ts';
import { HtmlPage, pagePart } from './html-page.ts';
import type { Report, ReportEnd, Reporter, ReportOptions } from './reporter.ts';

/** For people, to look at and to mail: one page that needs nothing else. */
export const html: Reporter = {
  name: 'html',
  summary: 'a page for a browser in one file, to step through each violation',
  showsSubtraces: true,
  start: (options) => new HtmlReport(options),
};

/** A page with more would take long to open, and nobody would look at the rest. */
const MOST_VIOLATIONS = 25_000;
/** In all their cycles and schedules. */
const MOST_EVENTS = 400_000;
/** More of those that are gone are not listed. */
const MOST_FIXED = 1000;

class HtmlReport implements Report {
  readonly #options: ReportOptions;
  readonly #page = new HtmlPage();
  #begun = false;
  readonly #room = { violations: MOST_VIOLATIONS, events: MOST_EVENTS };

  constructor(options: ReportOptions) {
    this.#options = options;
  }

  *trace(results: readonly AnalysisResult[]): Generator<string> {
    yield* this.#head();
    for (const result of results) {
      const violations = this.#fitting(result.violations);
      const leftOut = result.violations.length - violations.length;
      yield pagePart('results', pageResult(result, violations, leftOut));
    }
  }

  *finish({ fixed, runs }: ReportEnd = {}): Generator<string> {
    yield* this.#head();
    if (runs !== undefined) yield pagePart('runs', shownJson(runs));
    if (fixed !== undefined) yield pagePart('fixed', shownJson(fixed.slice(0, MOST_FIXED)));
    yield this.#page.end();
  }

  *#head(): Generator<string> {
    if (this.#begun) return;
    this.#begun = true;
    const { tool, run = null, editor = null } = this.#options;
    yield this.#page.head('Trackside report', tool);
    yield pagePart('about', shownJson({ version: tool.version, run, editor } satisfies PageAbout));
  }

  /** As many as there is room for, errors before others where that is not all. */
  #fitting(violations: readonly ViolationResult[]): readonly ViolationResult[] {
    const room = this.#room;
    const fits = (violation: ViolationResult) => {
      const events = eventsIn(violation);
      if (room.violations === 0 || room.events < events) return false;
      room.violations--;
      room.events -= events;
      return true;
    };
    const errors = violations.filter(({ severity }) => severity === 'error');
    const kept = new Set(
      [...errors, ...violations.filter(({ severity }) => severity !== 'error')].filter(fits),
    );
    return violations.filter((violation) => kept.has(violation));
  }
}

function eventsIn({ cycle, related, confirmation }: ViolationResult): number {
  return 2 * cycle.length + related.length + (confirmation?.window.length ?? 0);
}
