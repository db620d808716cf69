import { grownInt32 } from '../../trace/growable.ts';
import { Op } from '../../trace/operation.ts';
import { EMPTY, type Locksets } from '../shared/locksets.ts';

/* The states of a variable (Eraser §2.2): nobody's, one thread's (its number plus one), or one of these. */
const NOBODYS = 0;
/** Threads share it, and since they do all accesses were reads, or all were updates. */
const ONLY_READ = -1;
const ONLY_UPDATED = -2;
/** Threads share it, and their accesses conflict. */
const CONTENDED = -3;

/* The cells of a variable: its state, and the locks held at all accesses and at all but reads since it is shared. */
const STATE = 0;
const ACCESS_LOCKS = 1;
const WRITE_LOCKS = 2;
const WIDTH = 3;

/** The locks of writes where there was none. */
const NOT_WRITTEN = -1;

/** Tells by locksets which accesses are both-movers, from what was seen so far. */
export class VariableProtection {
  readonly #locksets: Locksets;
  #cells = new Int32Array(256 * WIDTH);

  constructor(locksets: Locksets) {
    this.#locksets = locksets;
  }

  /** Whether the thread has the variable to itself. */
  isOwn(thread: number, variable: number): boolean {
    const at = variable * WIDTH;
    if (at >= this.#cells.length) this.#cells = grownInt32(this.#cells, at + WIDTH);
    return this.#cells[at + STATE] === thread + 1;
  }

  /**
   * Whether no access of this kind can change what is known of the variable: it is shared and no lock protects it.
   * The access is then a both-mover exactly if the variable is not contended.
   */
  isSettled(kind: number, variable: number): boolean {
    const cells = this.#cells;
    const at = variable * WIDTH;
    if (cells[at + STATE] >= NOBODYS || cells[at + ACCESS_LOCKS] !== EMPTY) return false;
    return cells[at + STATE] === CONTENDED
      ? cells[at + WRITE_LOCKS] === EMPTY
      : cells[at + STATE] === stateAfterFirst(kind);
  }

  isContended(variable: number): boolean {
    return this.#cells[variable * WIDTH + STATE] === CONTENDED;
  }

  /** Takes note of an access to a variable that is not the thread's own; whether it is a both-mover. */
  access(kind: number, thread: number, variable: number, held: number): boolean {
    const cells = this.#cells;
    const at = variable * WIDTH;
    const state = cells[at + STATE];
    if (state === NOBODYS) {
      cells[at + STATE] = thread + 1;
      return true;
    }
    if (state > 0) {
      cells[at + STATE] = stateAfterFirst(kind);
      cells[at + ACCESS_LOCKS] = held;
      cells[at + WRITE_LOCKS] = kind === Op.read ? NOT_WRITTEN : held;
    } else {
      if (stateAfterFirst(kind) !== state) cells[at + STATE] = CONTENDED;
      cells[at + ACCESS_LOCKS] = this.#locksets.intersection(cells[at + ACCESS_LOCKS], held);
      if (kind !== Op.read) this.#write(at, held);
    }
    return cells[at + STATE] !== CONTENDED || this.#isProtected(kind, at, held);
  }

  #write(at: number, held: number): void {
    const locks = this.#cells[at + WRITE_LOCKS];
    this.#cells[at + WRITE_LOCKS] = locks === NOT_WRITTEN ? held : this.#locksets.intersection(locks, held);
  }

  /**
   * A read under a lock that all writes are under meets no write, though other reads may be under none. Such a
   * read may meet any write, so a write needs a lock that all accesses are under.
   */
  #isProtected(kind: number, at: number, held: number): boolean {
    if (this.#cells[at + ACCESS_LOCKS] !== EMPTY) return true;
    if (kind !== Op.read) return false;
    const locks = this.#cells[at + WRITE_LOCKS];
    return locks !== NOT_WRITTEN && !this.#locksets.areDisjoint(locks, held);
  }
}

/** The state when the first access by a second thread is of this kind. */
function stateAfterFirst(kind: number): number {
  if (kind === Op.read) return ONLY_READ;
  return kind === Op.update ? ONLY_UPDATED : CONTENDED;
}
