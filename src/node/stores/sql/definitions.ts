import type { Ledger } from '../model/ledger.ts';
import type { TableDefinition } from './plan.ts';

/**
 * Tables by their names without a schema, whichever driver was asked to make them: one that makes the tables often names no
 * schema, or goes through another driver than what uses them.
 */
export class Definitions {
  /** Null where there are several that differ. */
  readonly #known = new Map<string, TableDefinition | null>();

  note(name: string, definition: TableDefinition): void {
    // Documents have no columns that anybody has declared.
    if (definition.columns.length === 0) return;
    const short = withoutSchema(name);
    const known = this.#known.get(short);
    const isNew = known === undefined || (known !== null && isSame(known, definition));
    this.#known.set(short, isNew ? definition : null);
  }

  of(name: string): TableDefinition | null {
    return this.#known.get(withoutSchema(name)) ?? null;
  }
}

const known = new WeakMap<Ledger, [Definitions, Definitions]>();

/** `isFolded`: whether names are the same in capitals. */
export function definitionsOf(ledger: Ledger, isFolded: boolean): Definitions {
  const both = known.get(ledger) ?? [new Definitions(), new Definitions()];
  known.set(ledger, both);
  return both[isFolded ? 1 : 0];
}

function withoutSchema(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1);
}

function isSame(one: TableDefinition, other: TableDefinition): boolean {
  return one.key.join() === other.key.join() && one.columns.join() === other.columns.join();
}
