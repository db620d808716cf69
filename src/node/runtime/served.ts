import type { BlockName, FactRecord } from '../../trace/facts.ts';
import { type Activation, CALLBACK } from '../core/activation.ts';
import { isCalledBy, MOST_ANCESTORS, outermost } from '../core/ancestry.ts';
import type { Handover } from './handover.ts';

/** So many answers are remembered until both sides are in the trace. */
const MOST = 10_000;

/** What the program has asked for to run later: a batch is worked off when all have said what they want. */
const DEFERRED = new Set(['immediate', 'tick', 'microtask', 'timeout', 'then']);

/**
 * Who has been answered by whom: a task that works for several others settles the promise of each with its part. What
 * it has read it has read for them.
 */
export class ServedActivations {
  #answers: { by: Activation; to: Activation; site: number }[] = [];

  /** The activation has waited for this, at this site. */
  add({ server: by, isBatch, madeIn }: Handover, to: Activation, site: number): void {
    if (by === null || this.#answers.length >= MOST || outermost(to).isOver) return;
    if (!isBatch && (isCalledBy(by, to) || !isForOthers(by, madeIn))) return;
    this.#answers.push({ by, to, site });
  }

  /** What can be told by now. `lineOf` names the line of a site. */
  *take(lineOf: (site: number) => string): Generator<FactRecord> {
    if (this.#answers.length === 0) return;
    const waiting = this.#answers;
    this.#answers = [];
    for (const answer of waiting) {
      const { by, to, site } = answer;
      const [server, client] = [blockOf(by), begunAs(to)];
      if (server !== null && client !== null) yield ['served', server, client, lineOf(site)];
      else if (!to.isOver) this.#answers.push(answer);
    }
  }
}

/**
 * Whether something was started to answer what had been asked for (in the segment `askedIn`): later, by a timer or the like. Whoever only passes
 * something on when it has done its own work, such as a connection, has read nothing for others.
 */
function isForOthers(server: Activation, askedIn: number): boolean {
  if (server.startedIn >= 0 && server.startedIn <= askedIn) return false;
  let first: Activation | null = server;
  for (let i = 0; first !== null && first.kind !== CALLBACK && i < MOST_ANCESTORS; i++) first = first.caller;
  return first?.kind === CALLBACK && DEFERRED.has(first.task.kind);
}

/** The block that has answered, or the whole task of a callback, which is none. */
function blockOf(activation: Activation): BlockName | null {
  if (activation.isBlock) return begunAs(activation);
  const thread = activation.task.name;
  return thread === null ? null : { thread, begin: 0 };
}

/** The begin of a block in the trace; null before there is one. */
function begunAs({ begunIn, begin }: Activation): BlockName | null {
  const thread = begunIn?.name;
  return !thread || begin <= 0 ? null : { thread, begin };
}
