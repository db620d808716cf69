import type { Outcome, ViolationFact } from '../analyses/analysis.ts';
import type { EventFact, Explanation, SeenEvent } from '../explain/index.ts';
import { message } from '../explain/message.ts';
import type { Actor } from '../explain/words.ts';
import { locationText } from '../trace/location.ts';
import type { NameTable } from '../trace/name-table.ts';
import type { TraceNames } from '../trace/names.ts';
import { MNEMONICS, OPERAND_KINDS } from '../trace/operation.ts';
import { printable } from '../trace/printable.ts';
import { InputProblem } from '../trace/problem.ts';
import { assumptionsOf } from './assumptions.ts';
import type { AnalysisRun, TraceCheck } from './check.ts';
import type { Confirmations } from './confirming.ts';
import { nameInResults } from './long-name.ts';
import type {
  AnalysisResult,
  BlockResult,
  ConfirmationResult,
  ConflictResult,
  CycleEventResult,
  ErrorResult,
  EventResult,
  SubtraceResult,
  Verdict,
  ViolationResult,
} from './result.ts';
import type { Explanations } from './second-look.ts';

type ConfirmationResults = ReadonlyMap<ViolationFact, ConfirmationResult>;

/** Turns the facts of a check into results: one for each analysis, every id spelled out. */
export async function resultsOf(
  path: string,
  check: TraceCheck,
  explanations: Explanations,
  confirmations: Confirmations | null,
  totalMilliseconds: number,
  origin?: AnalysisResult['origin'],
): Promise<AnalysisResult[]> {
  const texts =
    check.trace === null ? null : new Texts(check.trace.names, origin === 'program' ? 'task' : 'thread');
  const confirmed =
    texts === null ? (new Map() as ConfirmationResults) : await texts.confirmations(confirmations);
  const subtraces = await subtraceResults(explanations);
  const blocks = check.trace?.blocks ?? { begun: 0, leftOut: 0 };
  return check.runs.map((run) => {
    const { serializable, firstEvent, statistics, notes: ofAnalysis = [] } = outcomeOf(run);
    const notes = [...ofAnalysis, ...notesOn(run)];
    const problem = problemOf(run, check);
    return {
      trace: path,
      ...(origin === undefined ? {} : { origin }),
      analysis: run.description.name,
      verdict: verdictOf(run, serializable, problem),
      // A trace that was not read to its end may yet turn out not to be serializable, but not the reverse.
      serializable: problem !== null && serializable === true ? null : serializable,
      predictive: run.description.predictive ?? false,
      assumptions: assumptionsOf(run, check),
      firstEvent,
      events: check.events,
      complete: check.complete,
      format: check.trace?.reader.format.name ?? null,
      blocks: { checked: blocks.begun - blocks.leftOut, leftOut: blocks.leftOut },
      repairs: check.repairs,
      milliseconds: { analysis: rounded(run.milliseconds), total: rounded(totalMilliseconds) },
      allocatedBytes: run.allocated,
      statistics,
      ...(notes.length === 0 ? {} : { notes }),
      ...(problem === null ? {} : { error: errorResult(problem) }),
      violations:
        texts === null
          ? []
          : run.violations.map((violation) => {
              const confirmation = confirmed.get(violation);
              const subtrace = subtraces.get(violation);
              return {
                ...texts.violation(violation, explanations.get(violation) ?? null),
                ...(subtrace === undefined ? {} : { subtrace }),
                ...(confirmation === undefined ? {} : { confirmation }),
              };
            }),
    };
  });
}

const NOT_KNOWN: Outcome = { serializable: null, firstEvent: null, statistics: {} };

function outcomeOf({ analysis, failure }: AnalysisRun): Outcome {
  return failure === null ? analysis.outcome() : NOT_KNOWN;
}

function notesOn({ violations, leftOut }: AnalysisRun): string[] {
  if (leftOut === 0) return [];
  return [`only the first ${violations.length} violations are listed: there are ${leftOut} more`];
}

/** What is wrong with the trace or, which is our fault, with the analysis. */
function problemOf({ description, failure }: AnalysisRun, { problem }: TraceCheck): InputProblem | null {
  if (problem !== null || failure === null) return problem;
  const reason = failure instanceof Error ? failure.message : String(failure);
  return new InputProblem(
    `the analysis ${description.name} failed, which is a bug in trackside, please report it: ${reason}`,
    { cause: failure },
  );
}

/** What sub-traces may take in all, in characters. */
const MOST_SUBTRACES = 20_000_000;

async function subtraceResults(explanations: Explanations): Promise<Map<ViolationFact, SubtraceResult>> {
  const results = new Map<ViolationFact, SubtraceResult>();
  let room = MOST_SUBTRACES;
  for (const { violation, subtrace } of explanations.values()) {
    if (subtrace === null) continue;
    const { stdText } = await import('./std-text.ts');
    const { events, event, minimal, trace } = subtrace;
    const text = await stdText(trace.batches(), trace.names);
    if (text === null || text.length > room) continue;
    room -= text.length;
    results.set(violation, { trace: text, events, event, minimal });
  }
  return results;
}

/** To microseconds: what a clock gives beyond that is noise. */
function rounded(milliseconds: number): number {
  return Math.round(milliseconds * 1000) / 1000;
}

function verdictOf(run: AnalysisRun, serializable: boolean | null, problem: InputProblem | null): Verdict {
  if (problem !== null) return 'error';
  return run.violations.length > 0 || serializable === false ? 'violation' : 'ok';
}

export function errorResult(problem: InputProblem): ErrorResult {
  const { line, column } = problem.position;
  return {
    message: printable(problem.describe(), LONGEST_MESSAGE),
    line: line ?? null,
    column: column ?? null,
    summary: printable(problem.summary, LONGEST_MESSAGE),
  };
}

/** Long enough for every message of ours; what is quoted from the input is already short. */
const LONGEST_MESSAGE = 2000;

/** Spells out facts by the names of one trace, each name once: it may be a megabyte, in a million violations. */
class Texts {
  readonly #names: TraceNames;
  readonly #actor: Actor;
  readonly #spelled = new Map<NameTable, Map<number, string>>();

  constructor(names: TraceNames, actor: Actor) {
    this.#names = names;
    this.#actor = actor;
  }

  violation(violation: ViolationFact, explanation: Explanation | null): ViolationResult {
    const witness = explanation?.witness ?? null;
    const interference = witness?.interference ?? null;
    return {
      kind: violation.kind,
      severity: explanation?.severity ?? 'warning',
      pattern: witness?.pattern ?? null,
      event: violation.event,
      thread: this.#text(this.#names.threads, violation.thread),
      block: this.#block(violation, explanation),
      cycle: this.#cycle(explanation),
      interference:
        interference === null
          ? null
          : {
              first: this.#event(interference.first),
              between: this.#event(interference.between),
              last: this.#event(interference.last),
            },
      related: (explanation?.story ?? []).map(({ role, seen }) => ({ role, ...this.#event(seen) })),
      message: explanation === null ? '' : message(explanation, this.#names, this.#actor),
    };
  }

  /** The cycle that was found or, for a prediction, the pairs of events that its analysis named. */
  #cycle(explanation: Explanation | null): ConflictResult[] {
    const found = explanation?.witness?.cycle;
    if (found !== undefined)
      return found.map(({ from, to }) => ({ from: this.#step(from), to: this.#step(to) }));
    return (explanation?.pairs ?? []).map(({ from, to }) => ({
      from: this.#event(from),
      to: this.#event(to),
    }));
  }

  async confirmations(confirmations: Confirmations | null): Promise<ConfirmationResults> {
    if (confirmations === null) return new Map();
    const { confirmationResults } = await import('./confirmation-result.ts');
    const { op, thread, operand, location } = confirmations.trace;
    return confirmationResults(confirmations, this.#names, (event) =>
      this.#event({
        event,
        thread: thread[event],
        op: op[event] as SeenEvent['op'],
        operand: operand[event],
        location: location[event],
      }),
    );
  }

  #block({ block }: ViolationFact, explanation: Explanation | null): BlockResult | null {
    if (block === null) return null;
    const label = this.#text(this.#names.labels, block.label);
    const begin = explanation?.blockBegin ?? null;
    const location = begin === null ? {} : { location: this.#location(begin.location) };
    return { label, begin: block.begin, end: explanation?.blockEnd ?? null, ...location };
  }

  #step(fact: EventFact): CycleEventResult {
    const { block } = fact;
    const transaction =
      block === null ? null : { label: this.#text(this.#names.labels, block.label), begin: block.begin };
    return { ...this.#event(fact), transaction };
  }

  #event({ event, thread, op, operand, location }: SeenEvent): EventResult {
    return {
      event,
      thread: this.#text(this.#names.threads, thread),
      op: MNEMONICS[op],
      operand: this.#text(this.#names.operandTable(op), operand),
      kind: OPERAND_KINDS[op],
      location: this.#location(location),
    };
  }

  #location(location: number): string | null {
    const text = locationText(this.#names.locations, location);
    return text === null ? null : nameInResults(text);
  }

  #text(table: NameTable, id: number): string {
    let spelled = this.#spelled.get(table);
    if (spelled === undefined) {
      spelled = new Map();
      this.#spelled.set(table, spelled);
    }
    let text = spelled.get(id);
    if (text === undefined) {
      text = nameInResults(table.text(id));
      spelled.set(id, text);
    }
    return text;
  }
}
