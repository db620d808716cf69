import type {
  Analysis,
  AnalysisContext,
  Outcome,
  RelatedEvent,
  ViolationFact,
  ViolationSink,
} from '../analysis.ts';
import { UnitRecorder, USUAL_RECORD } from '../shared/unit-recorder.ts';
import { Comparison, type Limits } from './comparison.ts';
import type { Meeting } from './patterns.ts';
import type { Pattern } from './shape.ts';
import { Shapes } from './shapes.ts';

/** They let the comparison take some seconds and some hundreds of megabytes. */
export const USUAL_LIMITS: Limits = {
  recorded: USUAL_RECORD,
  shapes: 50_000,
  elements: 4_000_000,
  comparisons: 50_000_000,
  comparisonsOfPair: 2_000_000,
};

/** Compares, when the trace is over, each unit with those that may run at the same time. */
export class BlockBased extends UnitRecorder implements Analysis {
  readonly #report: ViolationSink;
  readonly #limits: Limits;
  #statistics: Record<string, number> = {};
  #notes: readonly string[] = [];

  constructor({ report }: AnalysisContext, limits: Limits = USUAL_LIMITS) {
    super(limits.recorded);
    this.#report = report;
    this.#limits = limits;
  }

  finish(): void {
    const shapes = new Shapes(this, this.#limits);
    const found = new Map<string, ViolationFact>();
    const comparison = new Comparison(this.contexts, this.#limits, (meeting, pattern) => {
      if (!meeting.shape.isNew(pattern, meeting.other)) return;
      const key = keyOf(meeting, pattern);
      if (!found.has(key)) found.set(key, this.#violation(meeting, pattern, shapes));
    });
    comparison.run(shapes);
    this.#statistics = {
      units: this.units,
      shapes: shapes.list.length,
      shapesCompared: comparison.shapesCompared,
      variables: comparison.variables,
      variablesCompared: comparison.variablesCompared,
      pairs: comparison.pairs,
      pairsCutShort: comparison.pairsCutShort,
      unitsLeftOut: shapes.leftOut,
    };
    this.#notes = [...this.notes(), ...notesOn(comparison, shapes)];
    for (const violation of [...found.values()].sort((a, b) => a.event - b.event)) this.#report(violation);
  }

  outcome(): Outcome {
    return { serializable: null, firstEvent: null, statistics: this.#statistics, notes: this.#notes };
  }

  #violation(meeting: Meeting, { first, entered, left, last }: Pattern, shapes: Shapes): ViolationFact {
    const { unit } = meeting.instance;
    const event = shapes.eventOf(unit, last);
    const related: RelatedEvent[] = [
      { event: shapes.eventOf(unit, first), role: 'first access' },
      { event: shapes.eventOf(meeting.otherInstance.unit, entered), role: 'access between' },
      { event, role: 'second access' },
    ];
    if (entered !== left)
      related.push({ event: shapes.eventOf(meeting.otherInstance.unit, left), role: 'access between' });
    return {
      kind: 'block',
      event,
      thread: this.threadOf(unit),
      block: this.blockOf(unit),
      related: related.sort((a, b) => a.event - b.event),
    };
  }
}

function notesOn(comparison: Comparison, shapes: Shapes): string[] {
  const { shapesCompared, variablesCompared, variables, pairsCutShort } = comparison;
  const cut: string[] = [];
  if (shapes.leftOut > 0) cut.push(`${shapes.leftOut} blocks were left out`);
  if (shapesCompared < shapes.list.length)
    cut.push(`${shapesCompared} of ${shapes.list.length} kinds of blocks were compared with each other`);
  if (variablesCompared < variables)
    cut.push(`${variablesCompared} of ${variables} variables were compared with what is outside blocks`);
  if (pairsCutShort > 0) cut.push(`${pairsCutShort} pairs of blocks were compared in part`);
  return cut.length === 0
    ? []
    : [`there was too much to compare: ${cut.join('; ')}; there may be more to find`];
}

/** What tells reports apart: the label, the variables, what is done to them, and the locks held all the time. */
function keyOf({ shape, other }: Meeting, { first, entered, left, last }: Pattern): string {
  return [
    shape.label,
    shape.variable[first],
    shape.variable[last],
    shape.kind[first],
    other.kind[entered],
    other.kind[left],
    shape.kind[last],
    shape.locksThroughout(first, last),
  ].join();
}
