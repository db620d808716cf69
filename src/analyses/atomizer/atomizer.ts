import { grownUint8 } from '../../trace/growable.ts';
import { Op } from '../../trace/operation.ts';
import type { Analysis, AnalysisContext, Outcome } from '../analysis.ts';
import { HeldLocks } from '../shared/held-locks.ts';
import { Locksets } from '../shared/locksets.ts';
import { BlockPhases } from './block-phases.ts';
import { LockProtection } from './lock-protection.ts';
import { VariableProtection } from './variable-protection.ts';

/** Checks each block against R* N? L* while it runs, with movers told from what was seen so far. */
export class Atomizer implements Analysis {
  readonly #locksets = new Locksets();
  readonly #held = new HeldLocks(this.#locksets);
  readonly #variables = new VariableProtection(this.#locksets);
  readonly #locks = new LockProtection(this.#locksets);
  readonly #phases: BlockPhases;
  /** Per thread: whether it did anything. Before it owns a variable it has passed through here. */
  #acted = new Uint8Array(16);

  constructor({ report }: AnalysisContext) {
    this.#phases = new BlockPhases(report);
  }

  read(thread: number, variable: number, event: number): void {
    if (!this.#variables.isOwn(thread, variable)) this.#access(Op.read, thread, variable, event);
  }

  write(thread: number, variable: number, event: number): void {
    if (!this.#variables.isOwn(thread, variable)) this.#access(Op.write, thread, variable, event);
  }

  update(thread: number, variable: number, event: number): void {
    if (!this.#variables.isOwn(thread, variable)) this.#access(Op.update, thread, variable, event);
  }

  acquire(thread: number, lock: number, event: number): void {
    this.#act(thread);
    if (!this.#locks.use(thread, lock, this.#held.set(thread))) this.#phases.rightMover(thread, event);
    this.#held.acquire(thread, lock, event);
  }

  release(thread: number, lock: number, event: number): void {
    this.#held.release(thread, lock);
    if (!this.#locks.use(thread, lock, this.#held.set(thread))) this.#phases.leftMover(thread, event);
  }

  /** What the child does comes after the fork, so the fork may move to the left only. */
  fork(thread: number, _child: number, event: number): void {
    this.#act(thread);
    this.#phases.leftMover(thread, event);
  }

  join(thread: number, child: number, event: number): void {
    this.#act(thread);
    if (child < this.#acted.length && this.#acted[child] === 1) this.#phases.rightMover(thread, event);
  }

  /** Others come after an arrival when they leave, and before a departure when they arrive. */
  arrive(thread: number, _barrier: number, event: number): void {
    this.#act(thread);
    this.#phases.leftMover(thread, event);
  }

  leave(thread: number, _barrier: number, event: number): void {
    this.#act(thread);
    this.#phases.rightMover(thread, event);
  }

  /** As at barriers: what others receive comes after it was sent. */
  send(thread: number, _channel: number, event: number): void {
    this.#act(thread);
    this.#phases.leftMover(thread, event);
  }

  receive(thread: number, _channel: number, event: number): void {
    this.#act(thread);
    this.#phases.rightMover(thread, event);
  }

  begin(thread: number, label: number, event: number): void {
    this.#act(thread);
    this.#phases.begin(thread, label, event);
  }

  end(thread: number): void {
    this.#phases.end(thread);
  }

  finish(): void {}

  outcome(): Outcome {
    return {
      serializable: null,
      firstEvent: null,
      statistics: { violated: this.#phases.reported, locksets: this.#locksets.count },
    };
  }

  #access(kind: number, thread: number, variable: number, event: number): void {
    this.#act(thread);
    const variables = this.#variables;
    const isBothMover = variables.isSettled(kind, variable)
      ? !variables.isContended(variable)
      : variables.access(kind, thread, variable, this.#held.set(thread));
    if (!isBothMover) this.#phases.nonMover(thread, event);
  }

  #act(thread: number): void {
    if (thread >= this.#acted.length) this.#acted = grownUint8(this.#acted, thread + 1);
    this.#acted[thread] = 1;
  }
}
