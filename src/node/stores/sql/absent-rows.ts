import { type Effect, read, type StoreVariable, write } from '../model/variables.ts';
import type { Table } from './tables.ts';

/** So many of them are remembered for a table. */
const MOST = 10_000;

/**
 * Rows that somebody has asked for when there were none. What is in such a row once there is one belongs together with that look,
 * whatever its key may be: `[key=a].*`. Whoever went on as there was no row, and then adds to the one that others have made, has gone
 * by what is no longer so.
 */
export class AbsentRows {
  readonly #table: Table;
  /** By the names of predicates. */
  readonly #asked = new Map<string, StoreVariable>();
  /** By the names of rows that have come since. */
  readonly #rows = new Map<string, StoreVariable>();

  constructor(table: Table) {
    this.#table = table;
  }

  /** The effects of one statement, with what they mean to rows that were not there. */
  with(effects: Effect[]): Effect[] {
    if (this.#asked.size === 0 && !effects.some(isMissing)) return effects;
    const found = new Map<StoreVariable, Effect>();
    const note = (variable: StoreVariable, { act, isGuarded }: Effect) => {
      const known = found.get(variable);
      if (act === 'read') found.set(variable, known ?? read(variable));
      else found.set(variable, write(variable, isGuarded && (known?.act !== 'write' || known.isGuarded)));
    };
    let asked: StoreVariable | null = null;
    for (const effect of effects) {
      const { variable, act } = effect;
      if (effect.isPerhaps) continue;
      if (variable.kind === 'predicate') {
        if (isMissing(effect)) this.#ask(variable);
        asked = this.#asked.get(variable.key) ?? null;
        if (asked !== null) note(asked, effect);
      } else if (variable.kind === 'row') {
        if (asked !== null) this.#rows.set(variable.key, asked);
        const known = this.#rows.get(variable.key);
        if (known !== undefined) note(known, effect);
      } else if (variable.kind === 'column' && act !== 'read') {
        const known = this.#rows.get(variable.within ?? '');
        if (known !== undefined) note(known, effect);
      }
    }
    effects.push(...found.values());
    return effects;
  }

  #ask({ key }: StoreVariable): void {
    if (this.#asked.has(key)) return;
    if (this.#asked.size >= MOST) {
      this.#asked.clear();
      this.#rows.clear();
    }
    this.#asked.set(key, this.#table.contents(key));
  }
}

/** A look that has found nothing. */
function isMissing({ variable, act, seen }: Effect): boolean {
  return variable.kind === 'predicate' && act === 'read' && seen?.value === null;
}
