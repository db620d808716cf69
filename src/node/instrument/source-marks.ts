import { pathBehind } from './member-paths.ts';
import type { SourceSet } from './source-sets.ts';

/** When something is done in a call of an async function: before it has waited for the first time, or after that. */
export type Phase = 'first' | 'later' | 'any';

/** What a number stands for that is the source itself, as something more is known of it. */
export interface Marked {
  source: number;
  /** Read by a function that was called then. */
  phase: Phase;
  /** It was put into an object that others may have too, and may have come out of that again: by this way (`keyPath`). */
  through: string | null;
}

/** Numbers that stand for sources of which something more is known. */
export class SourceMarks {
  readonly #marked = new Map<number, Marked>();
  readonly #ids = new Map<string, number>();
  readonly #newSource: () => number;

  constructor(newSource: () => number) {
    this.#newSource = newSource;
  }

  of(source: number): Marked | undefined {
    return this.#marked.get(source);
  }

  /** The way by which a source may have come out of an object; null if it has not been in one. */
  throughOf(source: number): string | null {
    return this.#marked.get(source)?.through ?? null;
  }

  /** The sources, those marked of which there is something to say. */
  mark(sources: SourceSet, mark: (source: number) => Marked | null): SourceSet {
    const marked = new Set<number>();
    for (const source of sources) {
      const as = mark(source);
      marked.add(as === null ? source : this.#idOf(as));
    }
    return marked;
  }

  /** Of what is known to be in an object, that which may be got by a property of this name. */
  behind(name: string, object: SourceSet): SourceSet {
    const taken = new Set<number>();
    let isAll = true;
    for (const source of object) {
      const mark = this.#marked.get(source);
      const through = mark?.through ?? null;
      const rest = through === null ? null : pathBehind(through, name);
      if (mark === undefined || rest === through) {
        taken.add(source);
        continue;
      }
      isAll = false;
      if (rest !== null) taken.add(this.#idOf({ ...mark, through: rest }));
    }
    return isAll ? object : taken;
  }

  #idOf(as: Marked): number {
    const key = `${as.source} ${as.phase} ${as.through}`;
    let id = this.#ids.get(key);
    if (id === undefined) {
      id = this.#newSource();
      this.#ids.set(key, id);
      this.#marked.set(id, as);
    }
    return id;
  }
}
