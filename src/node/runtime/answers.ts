import type { Op } from '../../trace/operation.ts';
import type { Activation } from '../core/activation.ts';
import type { VariableRecord } from '../core/variable.ts';
import type { Tasks } from './tasks.ts';

/** Accesses that are others if whoever asked for them goes by the answer. */
export class Answers {
  readonly #tasks: Tasks;
  /** Whether anybody has ever waited for one. */
  areAny = false;
  readonly #awaited = new WeakMap<Activation, { entry: number; variable: VariableRecord; ifUsed: Op }>();

  constructor(tasks: Tasks) {
    this.#tasks = tasks;
  }

  /** Of the access that was recorded last. */
  await(variable: VariableRecord, ifUsed: Op): void {
    this.areAny = true;
    this.#awaited.set(this.#tasks.acting(), { entry: this.#tasks.log.next - 1, variable, ifUsed });
  }

  /** An activation goes on with what it has waited for, and uses it or not. */
  given(activation: Activation, isUsed: boolean): void {
    const answer = this.#awaited.get(activation);
    if (answer === undefined) return;
    this.#awaited.delete(activation);
    if (isUsed) this.#tasks.log.become(answer.entry, answer.ifUsed, answer.variable);
  }
}
