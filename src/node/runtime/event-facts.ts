import type { EventBatch } from '../../trace/batch.ts';
import { evidenceEntry, type StoreEvidence } from '../../trace/evidence.ts';
import type { FactRecord } from '../../trace/facts.ts';
import type { NamesById } from '../../trace/names.ts';
import type { VariableRecord } from '../core/variable.ts';
import { looksSecret } from './short-value.ts';
import type { Tasks } from './tasks.ts';

/** So many variables are remembered in which there was nothing at first. */
const MOST_ABSENT = 50_000;

/** What is known of the events of a batch besides, as they are put into it. */
export class EventFacts {
  readonly #batch: EventBatch;
  readonly #names: NamesById;
  readonly #tasks: Tasks;
  /** Numbers of events, each followed by what was read or written. */
  #values: (number | string)[] = [];
  #evidence: (number | string)[] = [];
  #absent = 0;
  readonly #tell: (fact: FactRecord) => void;

  constructor(batch: EventBatch, names: NamesById, tasks: Tasks, tell: (fact: FactRecord) => void) {
    this.#batch = batch;
    this.#names = names;
    this.#tasks = tasks;
    this.#tell = tell;
  }

  /** What was read or written by the event that comes next. */
  noteValue(variable: VariableRecord, value: string): void {
    variable.isSecret ??= looksSecret(this.#names.text(variable.id));
    if (variable.isSecret) return;
    // Events of several isolates get their numbers elsewhere: theirs say how far behind the fact they come.
    const first = this.#tasks.isolate === null ? this.#batch.firstEvent : 0;
    this.#values.push(first + this.#batch.length, value);
  }

  /** What orders the event that comes next among those of other processes. */
  noteEvidence(evidence: StoreEvidence): void {
    if (this.#tasks.isolate === null)
      this.#evidence.push(this.#batch.firstEvent + this.#batch.length, ...evidenceEntry(evidence));
  }

  /** There was nothing in the variable when it was first written. */
  noteAbsent(variable: VariableRecord): void {
    variable.wasAbsent = false;
    if (this.#absent++ >= MOST_ABSENT) return;
    this.#tell(['variable', this.#names.text(variable.id), { absent: true }]);
  }

  /** The batch is going to be handed over. */
  flush(): void {
    if (this.#values.length > 0) this.#tell(['values', this.#values]);
    this.#values = [];
    if (this.#evidence.length > 0) this.#tell(['evidence', this.#evidence]);
    this.#evidence = [];
  }
}
