import { expiring, PRESENT, type StoreEvidence, valueCode } from '../../../trace/evidence.ts';
import type { EvidenceLog } from '../../runtime/evidence-log.ts';
import type { Caller, Connection } from './ledger.ts';
import { type Effect, type KnownValue, SOMETHING } from './variables.ts';

/** What a store has done at once: a statement, a transaction at its end. */
export type Step = Pick<StoreEvidence, 'step' | 'connection' | 'sent'>;

/** Numbers what stores do for this process, for whoever has to order it among what they do for others. */
export class Steps {
  readonly #log: EvidenceLog;
  #connections = 0;
  readonly #numbers = new WeakMap<Connection, number>();
  readonly #sent = new WeakMap<Caller, { connection: number; sent: number }>();

  constructor(log: EvidenceLog) {
    this.#log = log;
  }

  get count(): number {
    return this.#log.steps;
  }

  /** Takes a number for something that is no step. */
  mark(): number {
    return ++this.#log.steps;
  }

  /** Something goes out, for which it may wait a while. */
  sent(caller: Caller, connection: Connection): void {
    let number = this.#numbers.get(connection);
    if (number === undefined) {
      number = ++this.#connections;
      this.#numbers.set(connection, number);
    }
    this.#sent.set(caller, { connection: number, sent: this.count });
  }

  /** Its answer has come. */
  next(caller: Caller): Step {
    const { connection, sent } = this.#sent.get(caller) ?? { connection: 0, sent: caller.stepsBefore };
    return { step: ++this.#log.steps, connection, sent };
  }
}

export function evidenceOf(effect: Effect, step: Step | null): StoreEvidence | null {
  if (step === null || effect.variable.store === null) return null;
  return { ...step, seen: foundCode(effect), wrote: leftCode(effect), version: effect.version ?? 0 };
}

/** What something found there; empty if nobody knows. */
export function foundCode({ act, given, seen }: Effect): string {
  return codeOf(seen ?? (act === 'read' && given !== undefined ? givenValue(given) : undefined));
}

/** What it has left there. */
export function leftCode({ wrote }: Effect): string {
  return codeOf(wrote);
}

function givenValue({ row, name }: NonNullable<Effect['given']>): KnownValue | undefined {
  return row !== null && Object.hasOwn(row, name) ? { value: Reflect.get(row, name) } : undefined;
}

function codeOf(known: KnownValue | undefined): string {
  if (known === undefined) return '';
  const { value, isExact = false, expires = false } = known;
  const code = value === SOMETHING ? PRESENT : valueCode(value, isExact);
  return expires ? expiring(code) : code;
}
