/*
 * What a statement of SQL does, as far as that can be said before it is run: which tables, which rows of them, which columns.
 * Plain data, since statements are parsed in a thread of their own.
 */

/** A value that the statement names: a parameter by its number (from 1), or a constant. */
export type Operand =
  | { readonly param: number }
  | { readonly value: string | number | boolean | null }
  /** One of several: `IN (…)`, `= ANY($1)`. */
  | { readonly anyOf: readonly Operand[] };

/** How a column is set. */
export interface Setting {
  readonly column: string;
  /** The new value, if the statement names it. */
  readonly to: Operand | null;
  /** Whether it is made of what was in the column: `n = n + 1`. */
  readonly isStep: boolean;
}

export interface Filter {
  /** `column = value`, all of which have to hold. */
  readonly equal: readonly { readonly column: string; readonly to: Operand }[];
  /** Columns that other conditions speak of. */
  readonly others: readonly string[];
  /** Whether there is nothing but what `equal` says. */
  readonly isExact: boolean;
}

export type Act = 'read' | 'insert' | 'update' | 'delete' | 'truncate';

/** What is done to one table. */
export interface TableUse {
  readonly table: string;
  readonly act: Act;
  readonly filter: Filter;
  /** Which columns are read: by the name that they have in the result, and in the table. Null for `*`. */
  readonly columns: readonly { readonly as: string; readonly column: string }[] | null;
  /** Whether its rows are those of the result; not so in a subquery, nor where they are counted or summed up. */
  readonly isResult: boolean;
  /** `FOR UPDATE` and the like. */
  readonly isLocked: boolean;
  /** `SKIP LOCKED`: it takes what it gets. */
  readonly skipsLocked: boolean;
  /** A part of a statement that changes something, which is not looked at again when that has waited for a row. */
  readonly isOnceOnly: boolean;
  /** `NOT EXISTS (…)`: the statement did something because there was no such row. */
  readonly isAbsent: boolean;
  /** `LIMIT n`: a query that gives so many rows has perhaps not seen them all. Zero if it is not known how many. */
  readonly limit: Operand | null;
  /** For an update, or an insert that may become one. */
  readonly settings: readonly Setting[];
  /** For an insert: the values of each row by column, as far as they are named; null if they come from a query. */
  readonly rows: readonly (readonly { readonly column: string; readonly to: Operand | null }[])[] | null;
  /** For an insert: what to do about a row that is there already. */
  readonly conflict: { readonly action: 'nothing' | 'update'; readonly columns: readonly string[] } | null;
  /** Whether a change gives back rows. */
  readonly isReturning: boolean;
  /**
   * For a store of documents: whether the program gets the very ones that are the rows. Their fields may have fields of their own
   * (`a.b`), what is not there is known not to be there, and of several a change takes the one that a look finds first.
   */
  readonly ofDocuments?: 'given' | 'copied';
}

/** What a statement makes known of a table. */
export interface TableDefinition {
  readonly table: string;
  readonly columns: readonly string[];
  readonly key: readonly string[];
}

export type Isolation = 'read committed' | 'repeatable read' | 'serializable';

export type Control =
  | { readonly act: 'begin'; readonly isolation: Isolation | null }
  /** `AND CHAIN` goes on with another one. */
  | { readonly act: 'commit' | 'rollback'; readonly chains: boolean }
  | { readonly act: 'savepoint' | 'release' | 'rollback to'; readonly name: string }
  | { readonly act: 'isolation'; readonly isolation: Isolation; readonly isForSession: boolean };

export interface AdvisoryLock {
  readonly act: 'lock' | 'try' | 'unlock' | 'unlock all';
  readonly key: readonly Operand[];
  /** Whether it lasts as long as the transaction. */
  readonly isForTransaction: boolean;
}

export interface Statement {
  readonly uses: readonly TableUse[];
  readonly defines: readonly TableDefinition[];
  readonly control: Control | null;
  readonly advisory: AdvisoryLock | null;
  /** Whether `uses` is all that it does. If not, it may do something to the tables that are named. */
  readonly isUnderstood: boolean;
}

/** The statements of a text, or null if it cannot be parsed. */
export type Plan = readonly Statement[] | null;

export type Dialect = 'postgresql' | 'sqlite';
