import type { LiveNames } from '../runtime/live-names.ts';

/** Below this it is not worth looking which are still needed. */
const FEW = 1024;

/** No more are kept than this that no isolate speaks of any more, though a sink would still have use for them. */
const MOST = 16_384;

interface LettingGo {
  isNeeded(id: number): boolean;
  /** The ids are going to be those of other names. */
  forget(ids: readonly number[]): void;
}

/** Names that several isolates may have for the same thing: the same text is the same thing. */
export class NamesOfIsolates {
  readonly #names: LiveNames;
  readonly #ids = new Map<string, number>();
  /** By id: how many isolates know it. */
  readonly #uses: number[] = [];
  /** Ids that no isolate knows any more, oldest first. */
  #leaving: number[] = [];
  #many = FEW;

  constructor(names: LiveNames) {
    this.#names = names;
  }

  /** The id of the name, for one more isolate. */
  take(text: string, usedSince: number): number {
    let id = this.#ids.get(text);
    if (id === undefined) {
      id = this.#names.add(text, usedSince);
      this.#ids.set(text, id);
      this.#uses[id] = 0;
    }
    this.#uses[id]++;
    return id;
  }

  /** Somebody else has use for it as well. */
  hold(id: number): void {
    this.#uses[id]++;
  }

  /** An isolate has no use for it any more. */
  giveBack(id: number): void {
    if (--this.#uses[id] === 0) this.#leaving.push(id);
  }

  /** To be called when everything that was done has been taken by the sinks. */
  letGo(event: number, { isNeeded, forget }: LettingGo): void {
    if (this.#leaving.length < this.#many) return;
    const needed: number[] = [];
    const leaving: number[] = [];
    // An isolate may have come to know it again, and given it back once more.
    for (const id of new Set(this.#leaving)) {
      if (this.#uses[id] > 0) continue;
      if (isNeeded(id)) needed.push(id);
      else leaving.push(id);
    }
    leaving.push(...needed.splice(0, Math.max(0, needed.length - MOST)));
    forget(leaving);
    for (const id of leaving) {
      this.#ids.delete(this.#names.text(id));
      this.#names.giveBack(id, event);
    }
    this.#leaving = needed;
    this.#many = Math.max(FEW, 2 * needed.length);
  }
}
