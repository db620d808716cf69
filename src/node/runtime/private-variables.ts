import { grownUint8 } from '../../trace/growable.ts';
import type { Activation } from '../core/activation.ts';
import { isCalledBy, outermost } from '../core/ancestry.ts';
import type { ObjectRecord } from '../core/object-record.ts';

/**
 * Variables that only one task has touched get a number if they may still come to matter, as somebody else may come. Blocks
 * that last as long as the program would so name everything that there is, so there are no more than this at a time.
 */
const MOST_PRIVATE = 200_000;

/**
 * So many in all belong to objects that only one task has ever touched, when its block is over. Mostly nobody else can
 * come to those.
 */
const MOST_UNREACHED = 20_000;

/** Which accesses to variables that only one task has touched are worth an event. */
export class PrivateVariables {
  /** By the numbers of variables: 1 for those that only one task had touched when they got one. Of these there are so many. */
  #numbers = new Uint8Array(1024);
  #count = 0;
  #unreached = 0;
  /** Outermost blocks that last; the oldest first. */
  readonly #lasting = new Set<Activation>();

  /** Whose accesses were asked about last, and what came of it: the next one is mostly by the same activation. */
  #asked: Activation | null = null;
  #answer = false;

  /** A block has begun. */
  noteBegin(block: Activation): void {
    if (!block.isOver && outermost(block) === block) this.#lasting.add(block);
    this.#asked = null;
  }

  noteEnd(block: Activation): void {
    this.#lasting.delete(block);
    this.#asked = null;
  }

  /** The program has gone on since the last question. */
  noteProgress(): void {
    this.#asked = null;
  }

  /** A variable that only one task has touched gets this number. */
  add(id: number): void {
    this.#numbers = grownUint8(this.#numbers, id + 1);
    this.#numbers[id] = 1;
    this.#count++;
  }

  delete(id: number): void {
    if (this.#numbers[id] !== 1) return;
    this.#numbers[id] = 0;
    this.#count--;
  }

  /** Whether an access to a variable of the object may still come to matter; `id` is the number of the variable, if it has one. */
  isWorthwhile(object: ObjectRecord, id: number, by: Activation): boolean {
    if (this.#asked !== by) {
      this.#answer = this.#mayBeViolated(by);
      this.#asked = by;
    }
    return this.#answer && this.#isAffordable(object, id, outermost(by));
  }

  /** Whether there is a block for which it matters what happened before what: its own, or another that was open then. */
  #mayBeViolated(by: Activation): boolean {
    const block = outermost(by);
    if (block.isBlock && !block.isOver) return true;
    for (const other of this.#lasting) {
      if (other.isOver) this.#lasting.delete(other);
      // What a block has started mostly has to do with nobody outside.
      else if (!isCalledBy(by, other)) return true;
    }
    return false;
  }

  #isAffordable(object: ObjectRecord, id: number, block: Activation): boolean {
    if (id >= 0) return true;
    if (this.#count >= MOST_PRIVATE) return false;
    if (object.isReached) return true;
    return this.#unreached++ < (block.isOver ? MOST_UNREACHED : MOST_PRIVATE);
  }
}
