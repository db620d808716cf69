import type { EventBatch } from '../../trace/batch.ts';
import { locationText } from '../../trace/location.ts';
import type { TraceNames } from '../../trace/names.ts';
import { Op } from '../../trace/operation.ts';
import type { VariableAccess, VariableFacts } from './consequence.ts';

/** Accesses to one variable that are kept; what comes later is not looked at. */
const MOST_ACCESSES = 20_000;

const LETTERS = ['r', 'w', 'u'] as const;

/** Gathers what `judge` has to know about some variables of a trace. */
export class VariableFactsSearch {
  readonly #names: TraceNames;
  readonly #absent: ReadonlySet<string>;
  readonly #accesses = new Map<string, VariableAccess[]>();
  /** By id of the variable; undefined for those not met yet, null for those that do not matter. */
  readonly #wanted: (VariableAccess[] | null | undefined)[] = [];

  constructor(names: TraceNames, variables: ReadonlySet<string>, absent: ReadonlySet<string>) {
    this.#names = names;
    this.#absent = absent;
    for (const variable of variables) this.#accesses.set(variable, []);
  }

  look(batch: EventBatch): void {
    for (let i = 0; i < batch.length; i++) {
      const op = batch.op[i];
      if (op > Op.update) continue;
      const found = this.#accessesTo(batch.operand[i]);
      if (found === null || found.length === MOST_ACCESSES) continue;
      found.push({
        event: batch.firstEvent + i,
        thread: this.#names.threads.text(batch.thread[i]),
        op: LETTERS[op],
        location: locationText(this.#names.locations, batch.location[i]),
      });
    }
  }

  facts(variable: string): VariableFacts {
    return { accesses: this.#accesses.get(variable) ?? [], wasAbsent: this.#absent.has(variable) };
  }

  #accessesTo(variable: number): VariableAccess[] | null {
    let found = this.#wanted[variable];
    if (found === undefined) {
      found = this.#accesses.get(this.#names.variables.text(variable)) ?? null;
      this.#wanted[variable] = found;
    }
    return found;
  }
}
