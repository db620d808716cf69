import { SHARED } from '../../shared-memory-names.ts';
import type { Recorder } from '../recorder.ts';
import type { Sites } from '../sites.ts';
import type { SharedState, ViewName } from './shared-state.ts';
import { placeText, variableKey } from './variables.ts';
import { lengthOf, type Memory, type View } from './views.ts';

const IDENTIFIER = /^[\p{ID_Start}$_][\p{ID_Continue}$.#]*$/u;

/**
 * What elements of shared memory are called, in all isolates alike: `shared balance[0]`, after the first view by which
 * anybody has accessed that part of the memory. Whoever has no view for it says where it is: `SharedArrayBuffer#1[0..4)`.
 */
export class SharedNames {
  readonly #recorder: Recorder;
  readonly #sites: Sites;
  readonly #state: () => SharedState;
  readonly #named = new WeakSet<View>();

  constructor(recorder: Recorder, sites: Sites, state: () => SharedState) {
    this.#recorder = recorder;
    this.#sites = sites;
    this.#state = state;
  }

  /** A typed array is accessed, whose name is in the text of this site. */
  note(array: ArrayBufferView, view: View, site: number): void {
    if (this.#named.has(view)) return;
    this.#named.add(view);
    const text = arrayIn(this.#sites.text(site));
    if (text === null) return;
    const { isolate } = this.#recorder.tasks;
    const { start, size, memory } = view;
    const name = { memory: memory.number, start, size, length: lengthOf(array), text };
    if (
      this.#state()
        .names()
        .some((other) => isSameView(other, name))
    )
      return;
    this.#state().addName(name, isolate?.index ?? 0, (other) => isolate?.region.isAlive(other) ?? true);
  }

  /** Of the names that fit, the first one counts: so it is the same at any time, and for everybody. */
  nameOf(memory: Memory, offset: number, size: number): string {
    const names = this.#state().names();
    const at = names.findIndex(
      (name) =>
        name.memory === memory.number &&
        name.size === size &&
        offset >= name.start &&
        offset < name.start + name.length * size &&
        (offset - name.start) % size === 0,
    );
    if (at < 0) return memory.record.name + placeText(variableKey(offset, size));
    const { text, start } = names[at];
    const copy = names.slice(0, at).filter((other) => other.text === text).length + 1;
    return `${SHARED}${text}${copy === 1 ? '' : `#${copy}`}[${(offset - start) / size}]`;
  }
}

function isSameView(a: ViewName, b: ViewName): boolean {
  return a.memory === b.memory && a.start === b.start && a.size === b.size && a.length >= b.length;
}

/** `balance` in `this.balance[i]`, `words` in `Atomics.load(words, 0)`; null if the text does not tell. */
function arrayIn(text: string): string | null {
  const found = /^[\w.]*\(([^,()]+),/.exec(text)?.[1] ?? /^(.*?)(?:\?\.)?\[[^[\]]*\]$/.exec(text)?.[1];
  const name = found?.trim().replace(/^this\./, '');
  return name !== undefined && IDENTIFIER.test(name) ? name : null;
}
