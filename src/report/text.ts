import { isFailing } from '../check/failing.ts';
import { fingerprintOf } from '../check/fingerprint.ts';
import type { AnalysisResult, ViolationResult } from '../check/result.ts';
import { scheduleArguments, scheduleWords } from '../check/schedules.ts';
import { violatedBlocks } from '../check/violated-blocks.ts';
import { isViolation } from '../check/worst.ts';
import { printable, quoted } from '../trace/printable.ts';
import { comparisonText } from './comparison-text.ts';
import type { Origin } from './event-words.ts';
import { counted, duration, fittedPath, grouped, hanging, paragraph } from './layout.ts';
import { runsSummary } from './program-runs.ts';
import type { Report, ReportEnd, Reporter, ReportOptions } from './reporter.ts';
import { labelWord, shellWord, suggestedCommand } from './suggested-command.ts';
import { notUnderstoodSentences, unfollowedSentences } from './unfollowed.ts';
import { type Group, groupedByLabel, groupedBySimilarity, groupTable } from './violation-groups.ts';
import { briefText, headline, violationText } from './violation-text.ts';
import { whatIfText } from './what-if-text.ts';

/** For people: what broke which block, by which interleaving, and what to do next. */
export const text: Reporter = {
  name: 'text',
  summary: 'an explanation for people; the default',
  start: (options) => new TextReport(options),
};

/** Up to this many violations of a trace are each shown in full, if they differ; more are grouped by block. */
const FEW = 3;
/** This many groups are shown by an example; the others only by their numbers. */
const MOST_EXAMPLES = 10;
/** So many violations that are gone are named. */
const MOST_FIXED = 10;
const PATH = 60;

class TextReport implements Report {
  readonly #options: ReportOptions;
  #traces = 0;
  #violated = 0;
  #failed = 0;
  #counted = 'violations';
  #origin: Origin;
  /** What has been told of a program that is run again and again. */
  readonly #told = new Set<string>();

  constructor(options: ReportOptions) {
    this.#options = options;
  }

  *trace(results: readonly AnalysisResult[]): Generator<string> {
    // Of a program that is run again and again, each thing is told once; in how many runs it was comes at the end.
    if (this.#isOldNews(results)) return;
    if (this.#traces++ > 0) yield '\n';
    this.#origin = results[0]?.origin;
    if (results.some(({ verdict }) => verdict === 'error')) this.#failed++;
    else if (results.some(isViolation)) this.#violated++;
    if (results.some(({ known }) => known !== undefined)) this.#counted = 'new violations';
    // How a program ended is no analysis of its trace, to be compared with others.
    const endings = results.filter(isEnding);
    for (const ending of endings) yield* this.#violations(ending, FEW);
    const analyses = results.filter((result) => !isEnding(result));
    const shown = mostTelling(analyses.length === 0 ? endings : analyses);
    if (analyses.length > 0) yield* this.#analyses(shown, analyses);
    if (shown.schedule !== undefined)
      yield `${this.#line('  To run it in this order again:')}    ${shown.schedule.replay}\n`;
  }

  *#analyses(shown: AnalysisResult, results: readonly AnalysisResult[]): Generator<string> {
    yield* this.#violations(shown, MOST_EXAMPLES);
    for (const result of results) {
      if (result === shown || !result.predictive || result.violations.length === 0) continue;
      yield `${this.#options.style.faint(`${result.analysis}: ${verdictWords(result)}`)}\n\n`;
      yield* this.#violations(result, FEW);
    }
    yield* this.#summary(shown, results);
    if (results.length > 1) yield* comparisonText(results, this.#options);
    for (const result of results) yield* this.#assumptions(result, results.length > 1);
    yield* this.#remarks(shown);
  }

  /** Whether all that was found in a run was found in one before; from now on, it was. */
  #isOldNews(results: readonly AnalysisResult[]): boolean {
    const found = results
      .filter(({ schedule }) => schedule !== undefined)
      .flatMap((result) => result.violations.map((each) => fingerprintOf(result, each)));
    const isOld = found.length > 0 && found.every((fingerprint) => this.#told.has(fingerprint));
    for (const fingerprint of found) this.#told.add(fingerprint);
    return isOld;
  }

  *finish({ fixed = [], runs = [], whatIf = [] }: ReportEnd = {}): Generator<string> {
    if (runs.length === 0) yield* this.#total();
    else yield `${this.#traces === 0 ? '' : '\n'}${runsSummary(runs).join('\n')}\n`;
    for (const each of whatIf) yield* whatIfText(each, this.#options);
    if (fixed.length === 0) return;
    yield `\n${this.#line(`${counted(fixed.length, 'known violation')} fixed, or at least not seen in this run:`)}`;
    for (const { analysis, violation } of fixed.slice(0, MOST_FIXED)) {
      yield this.#line(`  ${printable(analysis)}: ${headline(violation, this.#origin)}`);
    }
    if (fixed.length > MOST_FIXED) {
      yield this.#line(`  and ${grouped(fixed.length - MOST_FIXED)} more; --reporter json lists every one`);
    }
  }

  *#total(): Generator<string> {
    if (this.#traces < 2) return;
    const clean = this.#traces - this.#violated - this.#failed;
    const parts = [`${grouped(this.#violated)} with ${this.#counted}`, `${grouped(clean)} without`];
    if (this.#failed > 0) parts.push(`${grouped(this.#failed)} not read to the end`);
    yield `\n${counted(this.#traces, 'trace')}: ${parts.join(', ')}\n`;
  }

  *#violations(result: AnalysisResult, mostExamples: number): Generator<string> {
    const { violations } = result;
    const groups = violations.length <= FEW ? groupedBySimilarity(violations) : groupedByLabel(violations);
    for (const group of groups.slice(0, mostExamples)) {
      yield* this.#violation(group.example, result);
      yield* this.#more(group);
      yield '\n';
    }
    const [header, ...lines] = groupTable(groups.slice(mostExamples));
    if (lines.length === 0) return;
    yield `${this.#options.style.faint(header)}\n`;
    for (const line of lines) yield `${line}\n`;
    yield '\n';
  }

  /** Of a program, what may well be meant to be so is told in a few lines. */
  *#violation(violation: ViolationResult, result: AnalysisResult): Generator<string> {
    const isBrief =
      violation.because !== undefined && violation.severity !== 'error' && !this.#options.details;
    if (isBrief) yield* briefText(violation, this.#options);
    else yield* violationText(violation, this.#options, result);
  }

  *#more({ example, count, listed }: Group): Generator<string> {
    if (count === 1) return;
    const where = example.block === null ? '' : ` of block ${quoted(example.block.label, 40)}`;
    const all = `; --reporter json lists ${listed === count ? 'every one' : `${grouped(listed)} of the ${grouped(count)}`}`;
    yield `\n${this.#line(`  and ${counted(count - 1, 'more violation')}${where}${listed > 1 ? all : ''}`)}`;
  }

  *#summary(shown: AnalysisResult, results: readonly AnalysisResult[]): Generator<string> {
    const { style } = this.#options;
    const path = fittedPath(shown.trace, PATH);
    const isMild = this.#isOnlyWarned(shown);
    const emphasis = { ok: style.good, violation: isMild ? style.doubtful : style.bad, error: style.bad }[
      shown.verdict
    ];
    const facts = [counted(shown.events, 'event'), duration(shown.milliseconds.total)];
    // With several, the table below names them.
    if (results.length === 1) facts.push(shown.analysis);
    if (shown.schedule !== undefined) facts.push(scheduleWords(shown.schedule));
    const mild = isMild ? `${severityWords(shown.violations)}, not failing: ` : '';
    const words = `${path}: ${mild}${verdictWords(shown)} (${facts.join(', ')})`;
    const lines = hanging(words, this.#options.width).split('\n');
    const head = `${path}:`;
    const bold = lines[0].startsWith(head) ? head : lines[0];
    yield `${style.bold(bold)}${emphasis(lines[0].slice(bold.length))}\n`;
    for (const line of lines.slice(1)) yield `${emphasis(line)}\n`;
  }

  /** Whether there are warnings, and nothing that fails the run. */
  #isOnlyWarned(result: AnalysisResult): boolean {
    const { verdict, violations } = result;
    return (
      verdict === 'violation' &&
      violations.length > 0 &&
      violations.every((violation) => !isFailing(violation, result, this.#options.failOn))
    );
  }

  /** What a verdict is worth depends on what was looked at, and what is taken for granted. */
  *#assumptions(
    { analysis, assumptions, notes = [] }: AnalysisResult,
    isOneOfSeveral: boolean,
  ): Generator<string> {
    for (const message of [...notes, ...assumptions.map((assumption) => assumption.message)])
      yield this.#line(`  ${isOneOfSeveral ? `${analysis}: ` : ''}${message}`);
  }

  /** What a reader may ask next. */
  *#remarks(shown: AnalysisResult): Generator<string> {
    const { repairs, blocks, verdict, serializable, violations, origin } = shown;
    for (const { what, count } of repairs) yield this.#line(`  repaired ${counted(count, 'time')}: ${what}`);
    const isProgram = origin !== undefined && !shown.predictive;
    const unseen = [...unfollowedSentences(shown), ...notUnderstoodSentences(shown)];
    if (verdict === 'ok' && (serializable === true || isProgram)) {
      if (blocks.checked === 0) {
        const none = NO_BLOCKS.get(isProgram ? origin : undefined) ?? 'The trace has none';
        const why = blocks.leftOut === 0 ? none : 'The specification leaves all of them out';
        // A program that a signal has ended may have done what is not in its trace.
        const isKnown = shown.events > 0 || (shown.notes ?? []).length === 0;
        yield this.#line(`  No block was checked${isKnown ? `. ${why}` : ''}, so this says nothing.`);
      } else {
        const alone = 'Every block behaved as if it had run alone';
        yield this.#line(
          unseen.length === 0
            ? `  ${alone}. That holds for this run: another schedule of the same program may still break one.`
            : `  ${alone} in all that was followed.`,
        );
        if (unseen.length === 0) yield* this.#provoking();
      }
    }
    for (const sentence of unseen) yield this.#line(`  ${sentence}`);
    if (verdict === 'ok' && shown.predictive) {
      yield this.#line(
        '  This analysis looks for what other schedules could do; it does not say that the trace is serializable.',
      );
    }
    if (verdict === 'ok' && serializable === null && !isProgram) {
      for (const [name, value] of Object.entries(shown.statistics)) yield `  ${name} ${grouped(value)}\n`;
    }
    const { noted = 0 } = shown;
    if (noted > 0)
      yield this.#line(
        `  ${counted(noted, 'note')} on what is most likely meant to be so; --notes shows ${noted === 1 ? 'it' : 'them'}`,
      );
    if (violations.length > 0) yield* this.#next(shown);
  }

  /** How to look for a schedule that breaks a block. */
  *#provoking(): Generator<string> {
    const { provoking } = this.#options;
    if (provoking === undefined) return;
    const add = provoking.startsWith('-') ? ', add to the command' : '';
    yield `${this.#line(`  To look for one${add}:`)}    ${provoking}\n`;
  }

  /** Commands to go on with, each on a line of its own, to be copied. */
  *#next(result: AnalysisResult): Generator<string> {
    const { joined, origin, analysis, violations, predictive } = result;
    const trace = joined?.[0] ?? result.trace;
    const repeated = [...(this.#options.repeated ?? []), ...scheduleArguments(result.schedule)];
    const check = joined ? 'join' : origin === 'program' && !result.recorded ? 'run' : 'check';
    const isTrace = trace !== '-' && origin === undefined;
    const command = (name: string, ...more: string[]) =>
      `    ${suggestedCommand(name, trace, [...(joined?.slice(1).map((each) => shellWord(each) ?? '<trace>') ?? []), ...more], repeated)}\n`;
    const [{ example }] = groupedByLabel(violations);
    if (isTrace && predictive && example.confirmation === undefined) {
      yield this.#line('  To look for a schedule that shows it:');
      yield command('check', '--analysis', analysis, '--confirm');
    } else if (isTrace && !predictive && example.cycle.length > 0) {
      yield this.#line(
        `  For the smallest trace that shows ${violations.length === 1 ? 'it' : 'the first one'}, to mail or to check again:`,
      );
      yield command('explain', '--event', String(example.event), '-o', 'small.std');
    }
    const { block } = example;
    if (block === null) return;
    const glob = labelWord(block.label);
    const again = (...more: string[]) =>
      origin === 'process' ? `    ${more.join(' ')}\n` : command(check, ...more);
    const add = origin === 'process' ? ' add to the command' : '';
    yield this.#line(
      `  If ${quoted(block.label, 40)} is not meant to be atomic${add === '' ? '' : `,${add}`}:`,
    );
    yield again('--exclude', glob);
    if (violations.every((violation) => violation.block?.label === block.label)) return;
    yield this.#line(`  To look at it alone${add === '' ? '' : `,${add}`}:`);
    yield again('--only', glob);
  }

  #line(sentence: string): string {
    const indent = sentence.match(/^ */)?.[0] ?? '';
    return `${paragraph(sentence.trimStart(), this.#options.width, indent)}\n`;
  }
}

/** Why no block was checked, by where the events come from. */
const NO_BLOCKS: ReadonlyMap<Origin, string> = new Map([
  ['program', 'No async function of the program did anything that another could see'],
  ['process', 'None that was meant to be atomic did anything that another thread could see'],
]);

/** Whether it says how a program ended. */
function isEnding({ violations }: AnalysisResult): boolean {
  return violations.some(({ kind }) => kind === 'failure');
}

/** The analysis that says most: the exact one if it ran, else the first that found something. */
function mostTelling(results: readonly AnalysisResult[]): AnalysisResult {
  return (
    results.find(({ analysis }) => analysis === 'regiontrack') ??
    results.find(({ violations }) => violations.length > 0) ??
    results[0]
  );
}

function verdictWords(result: AnalysisResult): string {
  const { verdict, analysis, serializable, firstEvent, error, events, origin, blocks, known = 0 } = result;
  const violated = violatedWords(result);
  if (verdict === 'error') {
    const place = error?.line == null ? '' : ` at line ${error.line}`;
    const before = violated === '' ? '' : `; before that, ${violated}`;
    return `${events === 0 ? 'not read' : 'not read to the end'}: ${printable(error?.summary ?? '', 200)}${place}${before}`;
  }
  if (result.predictive) return known === 0 ? predictedWords(result) : violated;
  if (verdict === 'ok' && (origin === 'program' || (origin === 'process' && analysis === 'regiontrack')))
    return `${counted(blocks.checked, 'block')} checked, none violated`;
  if (verdict === 'ok') return serializable === null ? 'read to the end' : 'serializable';
  if (origin === 'program' && violated !== '') return violated;
  const from = firstEvent === null ? '' : ` from event ${firstEvent} on`;
  return `not serializable${from}${violated === '' ? '' : `: ${violated}`}`;
}

/** `2 races predicted`: what was found is about other schedules, not about this trace. */
function predictedWords({ violations }: AnalysisResult): string {
  if (violations.length === 0) return 'nothing predicted';
  const { kind } = violations[0];
  if (kind === 'race') return `${counted(violations.length, 'race')} found`;
  if (kind === 'deadlock') return `${counted(violations.length, 'potential deadlock')} found`;
  return `${counted(violations.length, 'violation')} predicted`;
}

/** `1 warning and 2 notes`. */
function severityWords(violations: readonly ViolationResult[]): string {
  const words = (['error', 'warning', 'note'] as const).map((severity) => {
    const count = violatedBlocks(violations.filter((violation) => violation.severity === severity));
    return count === 0 ? [] : [counted(count, severity)];
  });
  return words.flat().join(' and ');
}

/** `3 of 12 blocks violated`; where the check stopped before the end, how many there are is not known. */
function violatedWords(result: AnalysisResult): string {
  const { violations, blocks, complete, known = 0 } = result;
  if (known > 0)
    return `${counted(violations.length, 'new violation')}, ${counted(known, 'known violation')} hidden`;
  if (result.predictive) return violations.length === 0 ? '' : predictedWords(result);
  const violated = violatedBlocks(violations.filter(({ kind }) => kind === 'transaction'));
  if (violated === 0) return violations.length === 0 ? '' : 'a cycle of transactions';
  if (!complete) return `${counted(violated, 'block')} violated`;
  return `${grouped(violated)} of ${counted(blocks.checked, 'block')} violated${provedWords(violations)}`;
}

/** `, 1 proved harmful`, where somebody has tried. */
function provedWords(violations: readonly ViolationResult[]): string {
  if (violations.every(({ proof }) => proof === undefined)) return '';
  const proved = violations.filter(({ proof }) => proof?.verdict === 'harmful').length;
  return `, ${proved === 0 ? 'none' : grouped(proved)} proved harmful`;
}
