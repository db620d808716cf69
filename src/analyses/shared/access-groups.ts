import type { EventBatch } from '../../trace/batch.ts';
import { Op } from '../../trace/operation.ts';
import { Cells, MOST_MEMBERS, SEGMENTS, SETTLED, type Table } from './cells.ts';
import type { ConflictOrder, Together } from './conflict-order.ts';
import { MemberLists } from './member-lists.ts';

const READ = 1;
const UPDATE = 2;
const WRITE = 3;

/* The four cells of a variable, 16 bytes: its group and the one before it. */
const KEY = 0;
const VALUE = 1;
const KEY_BEFORE = 2;
const VALUE_BEFORE = 3;
const WIDTH = 4;

/** The cells of so many variables lie together. */
const SEGMENT_BITS = 10;
const SEGMENT = 1 << SEGMENT_BITS;
/** Cells in a page of memory. */
const PAGE = 1024;

/** At least so many segments do not fit the second-level cache. */
const LARGE = 128;

/** Groups of so many members are followed at once, from the second time on. */
const MANY = 4;

/**
 * Turns accesses into conflicts. Reads commute with reads and updates with updates, so the accesses of a
 * variable form groups of one kind; a write is a group alone. An access conflicts with the members of the group
 * before its own, and through those with everything earlier: two groups per variable are enough.
 *
 * A group is kept as a key and a value. No member: 0. One member: (thread + 1) · 4 + kind, and its time. More:
 * -kind, and a list in `MemberLists`. A thread is in a group once, at the time of its last access, because its
 * earlier events precede that one.
 *
 * The members of a list whose transactions are finished are replaced, when it is full, by the running
 * transactions that precede them, and vanish if there is none: a list is never longer than twice the number
 * of running transactions, however many threads have read. Such a source has not accessed the variable itself.
 * It is kept as ~thread, to be told from an access of that thread: an event of one's own is no conflict, but
 * one's own running transaction as the source of another's event closes a cycle.
 */
export class AccessGroups {
  /** What `foresee` saw. Of no use but that the compiler cannot leave out looking. */
  foreseen = 0;
  readonly #order: ConflictOrder;
  readonly #cells: Cells;
  /** Where the cells of each segment start; 0 for none. */
  readonly #segments: Table;
  /** By thread: up to when nothing that it did matters any more. */
  readonly #settled: Table;
  readonly #lists: MemberLists;
  /** Which members of a list are running, while it is made shorter. */
  readonly #running: number[] = [];
  /** What the members of a list know together; null if the list was followed once. */
  readonly #together = new Map<number, Together | null>();

  constructor(order: ConflictOrder, cells = new Cells()) {
    this.#order = order;
    this.#cells = cells;
    this.#segments = cells.table(SEGMENTS);
    this.#settled = cells.table(SETTLED);
    this.#lists = new MemberLists(cells);
    cells.all[MOST_MEMBERS] = 1;
  }

  /** The largest number of members that a group had. */
  get membersAtMost(): number {
    return this.#cells.all[MOST_MEMBERS];
  }

  /**
   * Looks at the variables of the coming events. One look after the other would each wait for memory, because
   * what is done next depends on it; here none depends on another, and the processor waits for many at a time.
   */
  foresee({ op, operand }: EventBatch, from: number, to: number): void {
    const { view } = this.#segments;
    const { all } = this.#cells;
    if (view.length < LARGE) return;
    let seen = 0;
    for (let i = from; i < to; i++)
      if (op[i] <= Op.update)
        seen |= all[view[operand[i] >> SEGMENT_BITS] + (operand[i] & (SEGMENT - 1)) * WIDTH];
    this.foreseen = seen;
  }

  read(thread: number, variable: number, event: number): void {
    this.#commuting(READ, thread, variable, event);
  }

  update(thread: number, variable: number, event: number): void {
    this.#commuting(UPDATE, thread, variable, event);
  }

  write(thread: number, variable: number, event: number): void {
    const now = this.#order.now(thread, event);
    const at = this.#place(variable);
    const { all } = this.#cells;
    const key = all[at + KEY];
    if (key >> 2 === thread + 1) {
      // A group of one's own alone: whatever it conflicts with precedes it already.
      all[at + VALUE] = now;
      if ((key & 3) === WRITE) return;
      all[at + KEY] = key | WRITE;
      this.#forgetBefore(at);
      return;
    }
    const value = all[at + VALUE];
    this.#conflictWith(key, value, thread, event);
    if (key < 0) this.#remove(value);
    this.#forgetBefore(at);
    this.#set(at, (thread + 1) * 4 + WRITE, this.#order.now(thread, event));
  }

  /** Puts an event that is no access, and is not remembered, after the latest group of accesses. */
  follow(thread: number, variable: number, event: number): void {
    this.#order.now(thread, event);
    const at = this.#find(variable);
    const { all } = this.#cells;
    if (at > 0) this.#conflictWith(all[at + KEY], all[at + VALUE], thread, event);
  }

  /** Nobody accesses the variable any more; its number may be used for another. */
  forget(variable: number): void {
    const at = this.#find(variable);
    if (at === 0) return;
    const { all } = this.#cells;
    this.#forgetBefore(at);
    if (all[at + KEY] < 0) this.#remove(all[at + VALUE]);
    all[at + KEY] = 0;
  }

  /** Whether an access to the variable so far can still have a part in a violation. */
  isNeeded(variable: number): boolean {
    const at = this.#find(variable);
    if (at === 0) return false;
    const { all } = this.#cells;
    return (
      this.#matters(all[at + KEY], all[at + VALUE]) ||
      this.#matters(all[at + KEY_BEFORE], all[at + VALUE_BEFORE])
    );
  }

  #matters(key: number, value: number): boolean {
    if (key >= 0) return key > 0 && this.#order.matters((key >> 2) - 1, value);
    for (let i = this.#lists.count(value) - 1; i >= 0; i--) {
      const thread = this.#lists.thread(value, i);
      if (this.#order.matters(thread < 0 ? ~thread : thread, this.#lists.time(value, i))) return true;
    }
    return false;
  }

  #commuting(kind: number, thread: number, variable: number, event: number): void {
    const now = this.#order.now(thread, event);
    const at = this.#place(variable);
    const { all } = this.#cells;
    const key = all[at + KEY];
    const own = (thread + 1) * 4;
    if (key === own + kind) {
      all[at + VALUE] = now;
    } else if (key === own + WRITE && all[at + VALUE] === now) {
      // Whatever conflicts with this access conflicts with the write.
    } else if ((key > 0 ? key & 3 : -key) === kind) {
      this.#joinGroup(at, kind, thread, now, event);
    } else {
      const value = all[at + VALUE];
      this.#conflictWith(key, value, thread, event);
      this.#forgetBefore(at);
      this.#setBefore(at, key, value);
      this.#set(at, own + kind, this.#order.now(thread, event));
    }
  }

  /** Adds `thread` to the present group, which is of the kind of its access and has members of other threads. */
  #joinGroup(at: number, kind: number, thread: number, now: number, event: number): void {
    const { all } = this.#cells;
    const lists = this.#lists;
    const key = all[at + KEY];
    const value = all[at + VALUE];
    const index = key < 0 ? lists.indexOf(value, thread) : -1;
    if (index >= 0 && lists.time(value, index) === now) return;
    this.#conflictWith(all[at + KEY_BEFORE], all[at + VALUE_BEFORE], thread, event);
    const time = this.#order.now(thread, event);
    if (index >= 0) {
      lists.setTime(value, index, time);
      if (this.#together.size > 0) this.#together.get(value)?.add(thread, time);
    } else if (key < 0 && lists.isFull(value) && this.#replacePast(value, thread, time)) {
      if (this.#together.size > 0) this.#together.get(value)?.add(thread, time);
    } else if (key < 0) {
      const list = lists.isFull(value) ? this.#compact(value) : value;
      lists.append(list, thread, time);
      if (this.#together.size > 0) this.#together.get(list)?.add(thread, time);
      this.#set(at, key, list);
      this.#countMembers(lists.count(list));
    } else if (this.#isSettled((key >> 2) - 1, value)) {
      this.#set(at, (thread + 1) * 4 + kind, time);
    } else {
      const list = lists.create(2);
      lists.append(list, (key >> 2) - 1, value);
      lists.append(list, thread, time);
      this.#set(at, -kind, list);
      this.#countMembers(2);
    }
  }

  /** Puts a member in the place of one that does not matter any more; false if there is none. */
  #replacePast(list: number, thread: number, time: number): boolean {
    const lists = this.#lists;
    if (lists.hasIndex(list)) return false;
    for (let i = 0; i < lists.count(list); i++) {
      const member = lists.thread(list, i);
      if (member < 0 || !this.#order.isPast(member, lists.time(list, i))) continue;
      lists.replace(list, i, thread, time);
      return true;
    }
    return false;
  }

  /** Whether what the thread did at the time does not matter any more. */
  #isSettled(thread: number, time: number): boolean {
    const { view } = this.#settled;
    if (thread < view.length && time <= view[thread]) return true;
    if (this.#order.matters(thread, time)) return false;
    // Nor does what it did before.
    this.#settled.reserve(thread + 1);
    this.#settled.view[thread] = time;
    return true;
  }

  #countMembers(count: number): void {
    const { all } = this.#cells;
    if (all[MOST_MEMBERS] < count) all[MOST_MEMBERS] = count;
  }

  /** The access of `thread` conflicts with all members of the group. */
  #conflictWith(key: number, value: number, thread: number, event: number): void {
    if (key > 0) {
      const other = (key >> 2) - 1;
      if (other !== thread) this.#order.conflict(other, value, thread, event);
    } else if (key < 0) {
      const count = this.#lists.count(value);
      if (count >= MANY && this.#conflictWithAll(value, thread, event)) return;
      for (let i = 0; i < count; i++) {
        const other = this.#lists.thread(value, i);
        if (other !== thread)
          this.#order.conflict(other < 0 ? ~other : other, this.#lists.time(value, i), thread, event);
      }
    }
  }

  /**
   * Follows all members of a list at once; false if it must be done one by one. Compiled code adds no members to lists that were
   * followed: those of variables are then the group before, and channels have none.
   */
  #conflictWithAll(list: number, thread: number, event: number): boolean {
    const order = this.#order;
    let together = this.#together.get(list);
    if (together === undefined) {
      // Most groups are followed once, and then it does not pay.
      if (order.gather !== undefined) this.#together.set(list, null);
      return false;
    }
    if (together === null) {
      together = order.gather!();
      if (together === null) return false;
      for (let i = 0; i < this.#lists.count(list); i++) {
        const member = this.#lists.thread(list, i);
        together.add(member < 0 ? ~member : member, this.#lists.time(list, i));
      }
      this.#together.set(list, together);
    }
    return order.conflictWithAll!(together, thread, event);
  }

  #remove(list: number): void {
    if (this.#together.size > 0) {
      this.#together.get(list)?.drop();
      this.#together.delete(list);
    }
    this.#lists.remove(list);
  }

  /** The list with the finished members replaced, and with room for more. */
  #compact(list: number): number {
    const lists = this.#lists;
    const order = this.#order;
    const count = lists.count(list);
    const running = this.#running;
    let sources = 0;
    running.length = 0;
    order.clearSources();
    for (let i = 0; i < count; i++) {
      const thread = lists.thread(list, i);
      const time = lists.time(list, i);
      if (thread >= 0 && order.isRunning(thread, time)) running.push(i);
      else sources = order.gatherSources(thread < 0 ? ~thread : thread, time);
    }
    const compact = lists.create(2 * (running.length + sources) + 1);
    for (const i of running) lists.append(compact, lists.thread(list, i), lists.time(list, i));
    for (let i = 0; i < sources; i++) lists.append(compact, ~order.sourceThread(i), order.sourceTime(i));
    this.#remove(list);
    return compact;
  }

  #forgetBefore(at: number): void {
    const { all } = this.#cells;
    if (all[at + KEY_BEFORE] < 0) this.#remove(all[at + VALUE_BEFORE]);
    all[at + KEY_BEFORE] = 0;
  }

  /* Cells may have moved since they were looked at. */

  #set(at: number, key: number, value: number): void {
    const { all } = this.#cells;
    all[at + KEY] = key;
    all[at + VALUE] = value;
  }

  #setBefore(at: number, key: number, value: number): void {
    const { all } = this.#cells;
    all[at + KEY_BEFORE] = key;
    all[at + VALUE_BEFORE] = value;
  }

  /** Where the cells of the variable are; 0 if it has none. */
  #find(variable: number): number {
    const { view } = this.#segments;
    const segment = variable >> SEGMENT_BITS;
    const start = segment < view.length ? view[segment] : 0;
    return start === 0 ? 0 : start + (variable & (SEGMENT - 1)) * WIDTH;
  }

  #place(variable: number): number {
    return this.#find(variable) || this.#add(variable);
  }

  #add(variable: number): number {
    const segment = variable >> SEGMENT_BITS;
    this.#segments.reserve(segment + 1);
    const start = this.#cells.allocate(SEGMENT * WIDTH);
    // Pages that are read before they are written are given twice, and other threads are told to forget the first.
    for (let cell = start; cell < start + SEGMENT * WIDTH; cell += PAGE) this.#cells.all[cell] = 0;
    this.#segments.view[segment] = start;
    return this.#find(variable);
  }
}
