import type {
  Analysis,
  AnalysisDescription,
  EventHandlers,
  Outcome,
  ViolationFact,
} from '../../src/analyses/analysis.ts';

/** A trace too long to be written down: calls the handlers of an analysis and numbers the events. */
export class DirectTrace {
  readonly #analysis: Analysis;
  readonly violations: ViolationFact[] = [];
  events = 0;

  constructor(description: AnalysisDescription) {
    this.#analysis = description.create({
      forkJoin: 'edge',
      report: (violation) => this.violations.push(violation),
    });
  }

  add(thread: number, op: keyof EventHandlers, operand = 0): this {
    this.#analysis[op]!(thread, operand, ++this.events);
    return this;
  }

  /** A block in which a thread takes lock 0 and increments variable 0. */
  lockedIncrement(thread: number): this {
    this.add(thread, 'begin').add(thread, 'acquire');
    this.add(thread, 'read').add(thread, 'write');
    return this.add(thread, 'release').add(thread, 'end');
  }

  outcome(): Outcome {
    this.#analysis.finish(this.events);
    return this.#analysis.outcome();
  }
}
