import { matchesGlob } from '../../../spec/glob.ts';
import type { Activation } from '../../core/activation.ts';
import { isCalledBy } from '../../core/ancestry.ts';
import type { AloneOptions, NumberedCall, TurnsOptions, TurnsOutcome } from './options.ts';

/** The program may replace its own ones. */
const { setTimeout, clearTimeout } = globalThis;

/** A call that keeps others waiting for so long is taken to wait for one of them. */
const PATIENCE_MS = 5000;

/** A call that has its turn, or waits for it. */
interface Turn {
  readonly label: string;
  readonly nth: number;
  /** For a call of a plain function, who called it: the call itself is not there yet. */
  readonly activation: Activation | null;
  /** Lets it go on; null if it never had to wait. */
  go: (() => void) | null;
}

/**
 * Lets calls of some blocks run one at a time. A call that the running one has made or started is part of it and does not
 * wait. If the running call waits for one that waits for its turn, turns are given up: a deadlock that the program
 * does not have is no answer to what it would do.
 */
export class Turns {
  readonly outcome: TurnsOutcome = { waited: 0, givenUp: null };
  readonly #labels: readonly string[];
  /** Those of the sequence that are not over, in order. */
  readonly #sequence: NumberedCall[];
  readonly #isOnlySequence: boolean;
  /** The call that runs when all else is over, or by itself. */
  readonly alone: AloneOptions | null;
  readonly #counts = new Map<string, number>();
  readonly #turns = new Map<object, Turn>();
  #running: Turn | null = null;
  #waiting: Turn[] = [];
  #patience: ReturnType<typeof setTimeout> | undefined;

  constructor({ labels, sequence = [], onlySequence = false, alone }: TurnsOptions) {
    this.alone = alone ?? null;
    this.#labels = labels;
    this.#isOnlySequence = onlySequence;
    this.#sequence = [...sequence];
  }

  /** A call begins. Gives what it has to wait for; undefined if it may go on. `key` stands for the call until its end. */
  begin(key: object, label: string, activation: Activation | null): Promise<void> | undefined {
    if (this.outcome.givenUp !== null || !this.#labels.some((glob) => matchesGlob(glob, label)))
      return undefined;
    const nth = (this.#counts.get(label) ?? 0) + 1;
    this.#counts.set(label, nth);
    const turn: Turn = { label, nth, activation, go: null };
    if (this.alone !== null) return this.#beginAlone(turn, this.alone);
    if (this.#isOnlySequence && !this.#sequence.some((call) => isCall(call, turn))) return undefined;
    this.#turns.set(key, turn);
    if (this.#running !== null && isPartOf(activation, this.#running)) return undefined;
    if (this.#mayRun(turn)) {
      this.#running = turn;
      return undefined;
    }
    this.outcome.waited++;
    this.#waiting.push(turn);
    this.#waitForProgress();
    return new Promise((resolve) => {
      turn.go = resolve;
    });
  }

  /** Only the last one waits; for the other, the schedule sees to it. */
  #beginAlone(turn: Turn, { call, when }: AloneOptions): Promise<void> | undefined {
    if (when === 'first' || !isCall(call, turn)) return undefined;
    this.outcome.waited++;
    this.#waiting.push(turn);
    this.#waitForProgress();
    return new Promise((resolve) => {
      turn.go = resolve;
    });
  }

  /** The call is over, in whatever way. */
  end(key: object): void {
    const turn = this.#turns.get(key);
    if (turn === undefined) return;
    this.#turns.delete(key);
    const at = this.#sequence.findIndex((call) => isCall(call, turn));
    if (at >= 0) this.#sequence.splice(at, 1);
    if (this.#running === turn) this.#running = null;
    this.#next();
  }

  /** Nothing can happen any more, and somebody waits: then it waits in vain. */
  idle(): void {
    if (this.alone !== null) {
      // All else is over.
      for (const turn of this.#waiting.splice(0)) turn.go?.();
      clearTimeout(this.#patience);
      return;
    }
    this.#giveUp('when nothing else was left to do');
  }

  /** Nobody runs, and all that come before it in the sequence are over. */
  #mayRun(turn: Turn): boolean {
    return this.#running === null && this.#sequence.findIndex((call) => isCall(call, turn)) <= 0;
  }

  #next(): void {
    const at = this.#waiting.findIndex((turn) => this.#mayRun(turn));
    if (at < 0) return;
    const [turn] = this.#waiting.splice(at, 1);
    this.#running = turn;
    clearTimeout(this.#patience);
    this.#patience = undefined;
    if (this.#waiting.length > 0) this.#waitForProgress();
    turn.go?.();
  }

  #waitForProgress(): void {
    this.#patience ??= setTimeout(() => this.#giveUp('after five seconds'), PATIENCE_MS).unref();
  }

  #giveUp(when: string): void {
    const [waiter] = this.#waiting;
    if (waiter === undefined) return;
    const holder = this.#running ?? this.#sequence[0];
    const held = holder === undefined ? '' : `, which ${words(holder)} had`;
    this.outcome.givenUp = `${words(waiter)} still waited for its turn ${when}${held}`;
    clearTimeout(this.#patience);
    for (const turn of this.#waiting.splice(0)) turn.go?.();
  }
}

function isCall(call: NumberedCall, other: NumberedCall): boolean {
  return call.label === other.label && call.nth === other.nth;
}

/** Whether a call was made, or started, by the running one. */
function isPartOf(activation: Activation | null, running: Turn): boolean {
  return activation !== null && running.activation !== null && isCalledBy(activation, running.activation);
}

function words({ label, nth }: NumberedCall): string {
  return `call ${nth} of '${label}'`;
}
