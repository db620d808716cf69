import { mayBe, NOTHING } from '../../../trace/evidence.ts';
import { EventFlag } from '../../../trace/facts.ts';
import type { Task } from '../../core/task.ts';
import type { VariableRecord } from '../../core/variable.ts';
import type { Connection } from './ledger.ts';
import { foundCode, leftCode } from './steps.ts';
import type { Effect } from './variables.ts';

/*
 * In which order a store has done what overlaps: statements that were on their way at the same time, on different connections. They
 * are logged as their answers come, which need not be the order in which the store has worked; what they found and left tells.
 */

/** Between which moments of the log something was done. It ends when it is logged. */
export interface Span {
  /** When it was sent what made it there for others to see: the statement, or the end of its transaction. */
  readonly sent: number;
  /** Of a change: between which moments its row was locked for it. */
  readonly lockSent: number;
  readonly locked: number;
  readonly connection: Connection | null;
}

/** Something that has been logged while other statements were on their way. */
interface Done {
  readonly at: number;
  readonly task: Task | null;
  readonly effect: Effect;
  readonly span: Span;
  /** What was there before it, if anybody knows. */
  readonly before: string;
  /** What it tells of what is there (`toldBy`), once somebody has asked. */
  told: string | null;
}

/** So many are remembered of each variable. */
const MOST = 24;

/** It was done before something that has been logged already. */
export const EARLIER = -1;

type Order = 'as logged' | 'earlier' | 'unknown';

export class StoreOrder {
  readonly #done = new WeakMap<VariableRecord, Done[]>();

  /** Flags for what is about to be logged, or `EARLIER`. */
  place(variable: VariableRecord, task: Task | null, effect: Effect, span: Span): number {
    const all = this.#done.get(variable);
    if (all === undefined) return 0;
    let flags = 0;
    let isEarlier = false;
    for (let i = all.length - 1; i >= 0 && all[i].at >= span.sent; i--) {
      const other = all[i];
      if (other.task === task || isInTurn(other, span)) continue;
      const isChange = other.effect.act !== 'read';
      if (effect.act === 'read' && !isChange) continue;
      const order =
        effect.act === 'read'
          ? orderOfRead(effect, other)
          : isChange
            ? orderOfChanges(effect, span, other)
            : orderAfterRead(effect, knownBefore(all, span.sent, task), other);
      if (order === 'earlier') isEarlier = true;
      else if (order === 'unknown') flags |= isChange ? EventFlag.amongChanges : EventFlag.amongReads;
      // Whoever has found what another one left comes after all that was there before.
      else if (effect.act === 'read') break;
    }
    return isEarlier ? EARLIER : flags;
  }

  /** It has been logged. */
  note(variable: VariableRecord, task: Task | null, effect: Effect, span: Span, at: number): void {
    let all = this.#done.get(variable);
    if (all === undefined) {
      all = [];
      this.#done.set(variable, all);
    }
    if (all.length >= MOST) all.splice(0, MOST / 2);
    all.push({ at, task, effect, span, before: knownBefore(all, span.sent, task), told: null });
  }
}

/** What goes through one connection is done in the order of its answers. */
function isInTurn({ span: { connection } }: Done, span: Span): boolean {
  return connection !== null && connection === span.connection;
}

/** What was there when something was sent: as others had left or seen it by then, or its own task had. */
function knownBefore(all: readonly Done[], sent: number, by: Task | null): string {
  for (let i = all.length - 1; i >= 0; i--) {
    const { at, task, effect } = all[i];
    if (at >= sent && task !== by) continue;
    const code = toldBy(all[i]);
    if (code !== '' || effect.act !== 'read') return code;
  }
  return '';
}

/** What somebody has found there, or left. */
function toldBy(done: Done): string {
  const { effect } = done;
  done.told ??= effect.act === 'read' ? foundCode(effect) : leftCode(effect);
  return done.told;
}

function orderOfRead(read: Effect, change: Done): Order {
  const found = foundCode(read);
  if (found === '') return 'unknown';
  const left = leftCode(change.effect);
  if (left !== '') return mayBe(found, left) ? 'as logged' : 'earlier';
  // It has made something else of what was there.
  if (change.before === '') return 'unknown';
  return found === change.before ? 'earlier' : 'as logged';
}

function orderAfterRead(change: Effect, before: string, read: Done): Order {
  const found = foundCode(read.effect);
  if (found === '') return 'unknown';
  const left = leftCode(change);
  const isSame = left !== '' && before === left;
  if (left !== '') return isSame || !mayBe(found, left) ? 'as logged' : 'earlier';
  if (before === '') return 'unknown';
  return found === before ? 'as logged' : 'earlier';
}

/** Changes of a row are in the order in which it was locked for them. */
function orderOfChanges(effect: Effect, { lockSent }: Span, other: Done): Order {
  if (effect.act === 'update' && other.effect.act === 'update') return 'as logged';
  if (other.span.locked < lockSent) return 'as logged';
  const [found, left] = [foundCode(effect), leftCode(other.effect)];
  if (found === '' || left === '') return 'unknown';
  if (found === left || (found === NOTHING) !== (left === NOTHING)) return 'as logged';
  return 'unknown';
}
