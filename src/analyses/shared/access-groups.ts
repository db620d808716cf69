import type { EventBatch } from '../../trace/batch.ts';
import { Op } from '../../trace/operation.ts';
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

/** Tables of at least this many cells do not fit the second-level cache. */
const LARGE = 1 << 19;

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
  readonly #lists = new MemberLists();
  #cells = new Int32Array(256 * WIDTH);
  #membersAtMost = 1;
  /** What the members of a list know together; null if the list was followed once. */
  readonly #together = new Map<number, Together | null>();

  constructor(order: ConflictOrder) {
    this.#order = order;
  }

  /** The largest number of members that a group had. */
  get membersAtMost(): number {
    return this.#membersAtMost;
  }

  /**
   * Looks at the variables of the coming events. One look after the other would each wait for memory, because
   * what is done next depends on it; here none depends on another, and the processor waits for many at a time.
   */
  foresee({ op, operand }: EventBatch, from: number, to: number): void {
    const cells = this.#cells;
    if (cells.length < LARGE) return;
    let seen = 0;
    for (let i = from; i < to; i++) if (op[i] <= Op.update) seen |= cells[operand[i] * WIDTH];
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
    const at = variable * WIDTH;
    if (at >= this.#cells.length) this.#grow(at);
    const cells = this.#cells;
    const key = cells[at + KEY];
    if (key >> 2 === thread + 1) {
      // A group of one's own alone: whatever it conflicts with precedes it already.
      cells[at + VALUE] = now;
      if ((key & 3) === WRITE) return;
      cells[at + KEY] = key | WRITE;
      this.#forgetBefore(at);
      return;
    }
    this.#conflictWith(key, cells[at + VALUE], thread, event);
    if (key < 0) this.#remove(cells[at + VALUE]);
    this.#forgetBefore(at);
    cells[at + KEY] = (thread + 1) * 4 + WRITE;
    cells[at + VALUE] = this.#order.now(thread, event);
  }

  /** Puts an event that is no access, and is not remembered, after the latest group of accesses. */
  follow(thread: number, variable: number, event: number): void {
    this.#order.now(thread, event);
    const at = variable * WIDTH;
    if (at < this.#cells.length)
      this.#conflictWith(this.#cells[at + KEY], this.#cells[at + VALUE], thread, event);
  }

  /** Nobody accesses the variable any more; its number may be used for another. */
  forget(variable: number): void {
    const at = variable * WIDTH;
    this.#forgetBefore(at);
    if (this.#cells[at + KEY] < 0) this.#remove(this.#cells[at + VALUE]);
    this.#cells[at + KEY] = 0;
  }

  /** Whether an access to the variable so far can still have a part in a violation. */
  isNeeded(variable: number): boolean {
    const at = variable * WIDTH;
    if (at >= this.#cells.length) return false;
    const cells = this.#cells;
    return (
      this.#matters(cells[at + KEY], cells[at + VALUE]) ||
      this.#matters(cells[at + KEY_BEFORE], cells[at + VALUE_BEFORE])
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
    const at = variable * WIDTH;
    if (at >= this.#cells.length) this.#grow(at);
    const cells = this.#cells;
    const key = cells[at + KEY];
    const own = (thread + 1) * 4;
    if (key === own + kind) {
      cells[at + VALUE] = now;
    } else if (key === own + WRITE && cells[at + VALUE] === now) {
      // Whatever conflicts with this access conflicts with the write.
    } else if ((key > 0 ? key & 3 : -key) === kind) {
      this.#joinGroup(at, kind, thread, now, event);
    } else {
      this.#conflictWith(key, cells[at + VALUE], thread, event);
      this.#forgetBefore(at);
      cells[at + KEY_BEFORE] = key;
      cells[at + VALUE_BEFORE] = cells[at + VALUE];
      cells[at + KEY] = own + kind;
      cells[at + VALUE] = this.#order.now(thread, event);
    }
  }

  /** Adds `thread` to the present group, which is of the kind of its access and has members of other threads. */
  #joinGroup(at: number, kind: number, thread: number, now: number, event: number): void {
    const cells = this.#cells;
    const lists = this.#lists;
    const order = this.#order;
    const isList = cells[at + KEY] < 0;
    const index = isList ? lists.indexOf(cells[at + VALUE], thread) : -1;
    if (index >= 0 && lists.time(cells[at + VALUE], index) === now) return;
    this.#conflictWith(cells[at + KEY_BEFORE], cells[at + VALUE_BEFORE], thread, event);
    const time = order.now(thread, event);
    if (index >= 0) {
      lists.setTime(cells[at + VALUE], index, time);
      if (this.#together.size > 0) this.#together.get(cells[at + VALUE])?.add(thread, time);
    } else if (isList) {
      if (lists.isFull(cells[at + VALUE])) cells[at + VALUE] = this.#compact(cells[at + VALUE]);
      lists.append(cells[at + VALUE], thread, time);
      if (this.#together.size > 0) this.#together.get(cells[at + VALUE])?.add(thread, time);
      this.#membersAtMost = Math.max(this.#membersAtMost, lists.count(cells[at + VALUE]));
    } else {
      const other = (cells[at + KEY] >> 2) - 1;
      const otherTime = cells[at + VALUE];
      if (order.matters(other, otherTime)) {
        const list = lists.create(2);
        lists.append(list, other, otherTime);
        lists.append(list, thread, time);
        this.#membersAtMost = Math.max(this.#membersAtMost, 2);
        cells[at + KEY] = -kind;
        cells[at + VALUE] = list;
      } else {
        cells[at + KEY] = (thread + 1) * 4 + kind;
        cells[at + VALUE] = time;
      }
    }
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

  /** Follows all members of a list at once; false if it must be done one by one. */
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
      for (let i = this.#lists.count(list) - 1; i >= 0; i--)
        together.add(this.#lists.thread(list, i), this.#lists.time(list, i));
      this.#together.set(list, together);
    }
    order.conflictWithAll!(together, thread, event);
    return true;
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
    let running = 0;
    let sources = 0;
    order.clearSources();
    for (let i = 0; i < count; i++) {
      const thread = lists.thread(list, i);
      const time = lists.time(list, i);
      if (thread >= 0 && order.isRunning(thread, time)) running++;
      else sources = order.gatherSources(thread < 0 ? ~thread : thread, time);
    }
    const compact = lists.create(2 * (running + sources) + 1);
    for (let i = 0; i < count; i++) {
      const thread = lists.thread(list, i);
      if (thread >= 0 && order.isRunning(thread, lists.time(list, i)))
        lists.append(compact, thread, lists.time(list, i));
    }
    for (let i = 0; i < sources; i++) lists.append(compact, ~order.sourceThread(i), order.sourceTime(i));
    this.#remove(list);
    return compact;
  }

  #forgetBefore(at: number): void {
    const cells = this.#cells;
    if (cells[at + KEY_BEFORE] < 0) this.#remove(cells[at + VALUE_BEFORE]);
    cells[at + KEY_BEFORE] = 0;
  }

  /** By half, so that a variable never takes more than 24 bytes. */
  #grow(at: number): void {
    const length = Math.max(at + WIDTH, this.#cells.length + (this.#cells.length >> 1));
    const cells = new Int32Array(length + (-length & 3));
    cells.set(this.#cells);
    this.#cells = cells;
  }
}
