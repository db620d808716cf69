import { grownInt32 } from '../../trace/growable.ts';
import { type AccessKind, WRITE } from '../velodrome/conflict-groups.ts';

/**
 * Who has each variable: the coarse conflicts of the first phase, in the manner of the Octet states on which
 * DoubleChecker is built. A variable is had by one thread, for reads, for updates or for everything, or shared
 * by several that only read it, or only update it. As long as a thread has what it needs, its accesses conflict
 * with nobody's. When it does not, everything that those who have the variable did so far counts as before it.
 *
 * That contains all real conflicts. Where a thread takes over from others, it follows each of them. Where it
 * only joins those who share, it follows one of them, and with that whatever that one did and followed before.
 */
export class Ownership {
  /** The owner times four plus the kind; instead of the owner a set, as a negative number; 0 for nobody. */
  state = new Int32Array(64);
  readonly #sets: Set<number>[] = [];
  readonly #free: number[] = [];

  reserve(count: number): void {
    this.state = grownInt32(this.state, count);
  }

  /** Whether the thread already has the variable for this kind of access. */
  has(thread: number, variable: number, kind: AccessKind): boolean {
    const state = this.state[variable];
    if (state === ((thread << 2) | kind)) return true;
    if (state >= 0) return state === ((thread << 2) | WRITE);
    return (state & 3) === kind && this.#setOf(state).has(thread);
  }

  /** Gives the thread the variable; calls `follow` with every thread it must come after. */
  take(thread: number, variable: number, kind: AccessKind, follow: (thread: number) => void): void {
    const state = this.state[variable];
    if (state < 0) this.#takeShared(thread, variable, kind, follow);
    else if (state === 0) this.state[variable] = (thread << 2) | kind;
    else this.#takeOwned(thread, variable, kind, follow);
  }

  #takeOwned(thread: number, variable: number, kind: AccessKind, follow: (thread: number) => void): void {
    const state = this.state[variable];
    const owner = state >> 2;
    if (owner !== thread) follow(owner);
    if (owner === thread || (state & 3) !== kind || kind === WRITE) {
      this.state[variable] = (thread << 2) | kind;
      return;
    }
    const set = this.#free.pop() ?? this.#sets.push(new Set()) - 1;
    this.#sets[set].add(owner).add(thread);
    this.state[variable] = (~set << 2) | kind;
  }

  #takeShared(thread: number, variable: number, kind: AccessKind, follow: (thread: number) => void): void {
    const state = this.state[variable];
    const set = this.#setOf(state);
    if ((state & 3) === kind) {
      for (const first of set) {
        follow(first);
        break;
      }
      set.add(thread);
      return;
    }
    for (const member of set) if (member !== thread) follow(member);
    this.state[variable] = (thread << 2) | kind;
    set.clear();
    this.#free.push(~(state >> 2));
  }

  #setOf(state: number): Set<number> {
    return this.#sets[~(state >> 2)];
  }
}
