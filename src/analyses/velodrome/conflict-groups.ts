import type { TransactionGraph } from './graph.ts';
import { NONE } from './graph.ts';
import { MemberLists } from './member-lists.ts';

export const READ = 1;
export const WRITE = 2;
export const UPDATE = 3;
export type AccessKind = typeof READ | typeof WRITE | typeof UPDATE;

/* A variable's record: two integers (current group, previous group), then the time of each. */
export const WORDS = 6;
export const PREVIOUS = 1;
export const TIMES = 3;
export const CURRENT_TIME = 1;
export const PREVIOUS_TIME = 2;

/**
 * What must be known of each variable to find the conflicts of its next access. Its accesses fall into groups
 * that commute among themselves: reads, updates, or a single write. An access conflicts with all members of
 * the group before its own, and through them with everything before that. So two groups are kept: the current
 * one, and the one before it unless the current one is a write, which nobody joins.
 *
 * Of each thread only the last access in a group counts. A group with one member, nearly every one, is held in
 * the record, as thread and time; others are lists. A record takes 24 bytes.
 */
export class ConflictGroups {
  readonly lists = new MemberLists();
  /** The member of the current group, times four, plus the group's kind; 0 before the first access. */
  words: Int32Array;
  times: Float64Array;
  capacity = 64;

  constructor() {
    const buffer = new ArrayBuffer(this.capacity * 4 * WORDS);
    this.words = new Int32Array(buffer);
    this.times = new Float64Array(buffer);
  }

  reserve(count: number): void {
    if (count <= this.capacity) return;
    this.capacity = Math.max(count, 2 * this.capacity);
    const buffer = new ArrayBuffer(this.capacity * 4 * WORDS);
    const words = new Int32Array(buffer);
    words.set(this.words);
    this.words = words;
    this.times = new Float64Array(buffer);
  }

  /** Adds an access to the current group, whose kind it has. */
  join(variable: number, kind: AccessKind, thread: number, time: number, graph: TransactionGraph): void {
    const at = WORDS * variable;
    const member = this.words[at] >> 2;
    if (member < NONE) {
      this.lists.add(member, thread, time, graph);
      return;
    }
    const memberTime = this.times[TIMES * variable + CURRENT_TIME];
    if (member === NONE || member === thread || graph.nodeAt(member, memberTime) === NONE) {
      this.words[at] = (thread << 2) | kind;
      this.times[TIMES * variable + CURRENT_TIME] = time;
      return;
    }
    const list = this.lists.create();
    this.lists.add(list, member, memberTime, graph);
    this.lists.add(list, thread, time, graph);
    this.words[at] = (list << 2) | kind;
  }

  /** Makes an access the first of a new group. */
  start(variable: number, kind: AccessKind, thread: number, time: number): void {
    const at = WORDS * variable;
    const packed = this.words[at];
    const current = packed === 0 ? NONE : packed >> 2;
    if (packed !== 0 && this.words[at + PREVIOUS] < NONE) this.lists.giveBack(this.words[at + PREVIOUS]);
    if (kind !== WRITE) {
      this.words[at + PREVIOUS] = current;
      this.times[TIMES * variable + PREVIOUS_TIME] = this.times[TIMES * variable + CURRENT_TIME];
    } else {
      if (current < NONE) this.lists.giveBack(current);
      this.words[at + PREVIOUS] = NONE;
    }
    this.words[at] = (thread << 2) | kind;
    this.times[TIMES * variable + CURRENT_TIME] = time;
  }

  /** Forgets all accesses to a variable. */
  clear(variable: number): void {
    if (variable >= this.capacity) return;
    const at = WORDS * variable;
    const packed = this.words[at];
    if (packed === 0) return;
    if (packed >> 2 < NONE) this.lists.giveBack(packed >> 2);
    this.forgetPrevious(variable);
    this.words[at] = 0;
  }

  /** Nothing in the group before the current one can be part of a cycle any more. */
  forgetPrevious(variable: number): void {
    const at = WORDS * variable + PREVIOUS;
    if (this.words[at] < NONE) this.lists.giveBack(this.words[at]);
    this.words[at] = NONE;
  }
}
