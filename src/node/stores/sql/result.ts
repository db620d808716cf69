/** What came of a statement. */
export interface Result {
  readonly rows: readonly unknown[];
  /** The columns of the rows, with the table that each is of if the driver knows it. */
  readonly fields: readonly Field[] | null;
  /** How many rows it has changed; null if nobody knows. */
  readonly count: number | null;
  /** The key of the last row that was inserted, if it is a number that the database has made. */
  readonly lastId?: unknown;
}

export interface Field {
  readonly name: string;
  /** Where it is in a row that is a list. */
  readonly index: number;
  readonly table?: string | null;
  readonly column?: string | null;
  /** The number of the table, if the driver knows no more; 0 for what is no column. */
  readonly tableId?: number | null;
}
