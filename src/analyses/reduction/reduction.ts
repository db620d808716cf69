import type {
  Analysis,
  AnalysisContext,
  Outcome,
  RelatedEvent,
  ViolationFact,
  ViolationSink,
} from '../analysis.ts';
import { ACCESS, numberIn, Steps, tagOf, UnitRecorder, USUAL_RECORD } from '../shared/unit-recorder.ts';
import { BOTH, LEFT, type Mover, Movers, NON, RIGHT } from './movers.ts';

/** Looks, when the trace is over, for units that do not match R* N? L*, where both-movers may stand anywhere. */
export class Reduction extends UnitRecorder implements Analysis {
  readonly #report: ViolationSink;
  #violated = 0;

  constructor({ report }: AnalysisContext, recorded: number = USUAL_RECORD) {
    super(recorded);
    this.#report = report;
  }

  finish(): void {
    const movers = new Movers(this);
    const violations: ViolationFact[] = [];
    const steps = new Steps();
    const moves: Mover[] = [];
    for (let unit = 0; unit < this.units; unit++) {
      this.stepsOf(unit, steps);
      movers.classify(steps, moves);
      const violation = this.#violation(unit, steps, moves, movers);
      if (violation !== null) violations.push(violation);
    }
    this.#violated = violations.length;
    for (const violation of violations.sort((a, b) => a.event - b.event)) this.#report(violation);
  }

  outcome(): Outcome {
    return {
      serializable: null,
      firstEvent: null,
      statistics: {
        units: this.units,
        violated: this.#violated,
        steps: this.steps,
        distinctAccesses: this.accesses.count,
        locksets: this.contexts.locksets.count,
        periods: this.contexts.periods.count,
      },
      notes: this.notes(),
    };
  }

  #violation(unit: number, steps: Steps, moves: readonly Mover[], movers: Movers): ViolationFact | null {
    let commit = -1;
    for (let i = 0; i < moves.length; i++) {
      const mover = moves[i];
      if (mover === BOTH) continue;
      if (commit >= 0 && mover !== LEFT) {
        return {
          kind: 'reduction',
          event: steps.events[i],
          thread: this.threadOf(unit),
          block: this.blockOf(unit),
          related: this.#related(commit, i, steps, moves, movers),
        };
      }
      if (commit < 0 && mover !== RIGHT) commit = i;
    }
    return null;
  }

  #related(
    commit: number,
    late: number,
    steps: Steps,
    moves: readonly Mover[],
    movers: Movers,
  ): RelatedEvent[] {
    const related: RelatedEvent[] = [
      { event: steps.events[commit], role: 'commit point' },
      {
        event: steps.events[late],
        role: moves[late] === NON ? 'non-mover after the commit point' : 'right-mover after the commit point',
      },
    ];
    for (const i of [commit, late]) {
      const rival = tagOf(steps.codes[i]) === ACCESS ? movers.accesses.rivalOf(numberIn(steps.codes[i])) : -1;
      const event = rival < 0 ? 0 : this.accesses.firstEvent(rival);
      if (event > 0 && related.every((other) => other.event !== event))
        related.push({ event, role: 'access that races with it' });
    }
    return related.sort((a, b) => a.event - b.event);
  }
}
