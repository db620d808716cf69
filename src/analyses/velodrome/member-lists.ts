import { grownFloat64, grownInt32 } from '../../trace/growable.ts';
import type { TransactionGraph } from './graph.ts';
import { NONE } from './graph.ts';

/** Accesses of several threads to one variable, oldest first. */
export class MemberList {
  threads = new Int32Array(4);
  times = new Float64Array(4);
  length = 0;
}

/**
 * The members of groups that have more than one. A list is named by a number below NONE, so that it fits where
 * a thread would stand. Members are appended without a search; when a list is full, members that stand for
 * nothing any more and all but the last of each thread are dropped, and only then does it grow. So an access
 * costs constant time on average, however many threads take part.
 */
export class MemberLists {
  readonly #lists: MemberList[] = [];
  readonly #free: number[] = [];
  /** The round of tidying in which a thread was last seen. */
  #seen = new Float64Array(16);
  #round = 0;

  create(): number {
    const list = this.#free.pop();
    if (list !== undefined) return list;
    this.#lists.push(new MemberList());
    return NONE - this.#lists.length;
  }

  at(list: number): MemberList {
    return this.#lists[NONE - 1 - list];
  }

  giveBack(list: number): void {
    const members = this.at(list);
    members.length = 0;
    if (members.threads.length > 64) {
      members.threads = new Int32Array(4);
      members.times = new Float64Array(4);
    }
    this.#free.push(list);
  }

  add(list: number, thread: number, time: number, graph: TransactionGraph): void {
    const members = this.at(list);
    if (members.length > 0 && members.threads[members.length - 1] === thread) {
      members.times[members.length - 1] = time;
      return;
    }
    if (members.length === members.threads.length) {
      this.#tidy(members, graph);
      if (2 * members.length > members.threads.length) grow(members);
    }
    members.threads[members.length] = thread;
    members.times[members.length++] = time;
  }

  #tidy(members: MemberList, graph: TransactionGraph): void {
    const { threads, times } = members;
    this.#seen = grownFloat64(this.#seen, graph.newest.length);
    const round = ++this.#round;
    let kept = members.length;
    for (let i = members.length - 1; i >= 0; i--) {
      const thread = threads[i];
      if (this.#seen[thread] === round) continue;
      this.#seen[thread] = round;
      if (graph.nodeAt(thread, times[i]) === NONE) continue;
      kept--;
      threads[kept] = thread;
      times[kept] = times[i];
    }
    threads.copyWithin(0, kept, members.length);
    times.copyWithin(0, kept, members.length);
    members.length -= kept;
  }
}

function grow(members: MemberList): void {
  members.threads = grownInt32(members.threads, members.threads.length + 1);
  members.times = grownFloat64(members.times, members.times.length + 1);
}
