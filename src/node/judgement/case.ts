import type { PatternName } from '../../explain/pattern.ts';
import { EventFlag, type TaskKind, type VariableFacts } from '../../trace/facts.ts';
import { type Access, isChange } from './access.ts';
import type { Relation, SiteKnowledge } from './sites.ts';

/** What was read of the variable since others have changed it last, and how the act goes by it. */
export interface FreshLook {
  /** It flows into what is written. */
  isData: boolean;
  /** It decides whether anything is written. */
  isDecision: boolean;
  /** It was compared with what had been read before the change. */
  isCompared: boolean;
}

/**
 * Two accesses of a block to one variable with one of somebody else between them: what a rule decides about. All that is
 * known is asked here, so that rules read as sentences.
 */
export interface Case {
  pattern: PatternName;
  first: Access;
  between: Access;
  last: Access;
  /** For an act upon a read: how it depends on that. */
  relation: Relation;
  fresh: FreshLook;
  /** Whether another part of the block had decided by the read, and the one that acted has looked again only to add to that. */
  isDecidedEarlier: boolean;
  /** Whether the block has read it at another place since, for whatever. */
  isSeenAgain: boolean;
  /** All accesses to the variable up to the last one, by anybody, in the order of the trace. */
  history: readonly Access[];
  /** The block that was violated, by its begin, and its thread. */
  block: number;
  thread: number;
  /** The begin of the block in which its task was started; 0 if there is none. */
  startedIn: number;
  /** Where the function of the block begins. */
  blockLocation: string | null;
  /** Whether it is no block of the trace, but a task of the event loop and all that it has led to. */
  isHandler: boolean;
  /** Whether the block was still open at the last access. */
  isOpen: boolean;
  /** Whether what the first access has seen or done can have reached the last one, along tasks. */
  isConnected: boolean;
  /** Whether the variable came to be in a call of this very block, so that only its own callbacks can get at it. */
  isOwnVariable: boolean;
  variable: { name: string; facts: Partial<VariableFacts> };
  sites: SiteKnowledge;
  taskKind(access: Access): TaskKind;
  /**
   * Whether the read was looked at together with something that the block changed at once, and changes again when it has acted: a
   * place that it had reserved.
   */
  isReserved(): boolean;
  /** Whether the act only led to another look at what was read, and the block acted upon such a look in the end. */
  isForAnotherRound(): boolean;
  /** For what was read twice: whether the block has written the first value somewhere else, where others look, after it had changed. */
  isActedUponElsewhere(): boolean;
  /** For a cycle through several variables: whether the other task has changed the first and the last of them in one step. */
  isOneStep: boolean;
  /** For what the block reads back: whether the other task has set a flag for it to look again, by which it has come there. */
  isTold(): boolean;
  /** Whether several tasks take the lock. */
  isSharedLock(lock: number): boolean;
}

/** Whether an access is by somebody outside of the block and of what it has started. */
export function isForeign({ block, thread }: Pick<Case, 'block' | 'thread'>, access: Access): boolean {
  return access.thread !== thread && !access.families.includes(block);
}

/** Whether a value has become another one. */
export function isRealChange(access: Access): boolean {
  return isChange(access) && (access.flags & EventFlag.same) === 0;
}

/** The access right before another one. */
function before(it: Case, access: Access): Access | undefined {
  return it.history[it.history.indexOf(access) - 1];
}

/** Whether the block has changed the variable after it had read it, before anybody else did. */
export function isActedUponAtOnce(it: Case): boolean {
  const just = before(it, it.first);
  return (just?.letter === 'u' && just.run === it.first.run) || changeAtOnce(it) !== undefined;
}

/** That change, if it came after the read. */
export function changeAtOnce({ first, history, last }: Case): Access | undefined {
  const change = history.find((access) => access.event > first.event && isChange(access));
  return change?.thread === first.thread && change.event < last.event ? change : undefined;
}
