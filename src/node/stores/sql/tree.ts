import type { ColumnRef, Node, RangeVar } from '@pgsql/types';

/* Looking around in the trees of PostgreSQL's parser, in which a node is `{ Kind: { …fields } }`. */

export type { Node };

type Kinds = Node extends infer Each ? (Each extends unknown ? keyof Each : never) : never;
type Body<Kind extends Kinds> = Extract<Node, Record<Kind, unknown>>[Kind];

/** What is in the node if it is of this kind, else null. */
export function as<Kind extends Kinds>(node: Node | undefined | null, kind: Kind): Body<Kind> | null {
  if (node == null || !Object.hasOwn(node, kind)) return null;
  return (node as unknown as Record<Kind, Body<Kind>>)[kind];
}

export function textOf(node: Node | undefined): string {
  return as(node, 'String')?.sval ?? '';
}

/** The names by which tables are spoken of in one query. */
export interface Named {
  readonly table: string;
  readonly alias: string;
}

const SYSTEM = /^(?:pg_|sqlite_)/;
const SYSTEM_SCHEMAS: ReadonlySet<string> = new Set(['pg_catalog', 'information_schema', 'sqlite_master']);
const USUAL_SCHEMAS: ReadonlySet<string> = new Set(['', 'public', 'main', 'temp']);

/** Null for a table of the system's own. */
export function named({ schemaname = '', relname = '', alias }: RangeVar): Named | null {
  if (SYSTEM.test(relname) || SYSTEM_SCHEMAS.has(schemaname)) return null;
  const table = USUAL_SCHEMAS.has(schemaname) ? relname : `${schemaname}.${relname}`;
  return { table, alias: alias?.aliasname ?? relname };
}

/** The column's name if it is one of this table, which is the only one unless `isJoined`. */
export function columnOf(node: Node | undefined, { alias }: Named, isJoined: boolean): string | null {
  const reference = as(node, 'ColumnRef');
  return reference === null ? null : columnIn(reference, alias, isJoined);
}

function columnIn({ fields = [] }: ColumnRef, alias: string, isJoined: boolean): string | null {
  const column = textOf(fields.at(-1));
  if (column === '') return null;
  if (fields.length === 1) return isJoined ? null : column;
  return textOf(fields.at(-2)) === alias ? column : null;
}

/** Shows every node below, of whatever kind; not what is inside of those for which `see` returns false. */
export function walk(tree: unknown, see: (node: Node) => boolean): void {
  if (Array.isArray(tree)) {
    for (const each of tree) walk(each, see);
    return;
  }
  if (typeof tree !== 'object' || tree === null) return;
  const [kind, ...more] = Object.keys(tree);
  if (more.length === 0 && /^[A-Z]/.test(kind ?? '') && !see(tree as Node)) return;
  for (const each of Object.values(tree)) walk(each, see);
}

/** All columns of the table that are spoken of below, but not in queries within the query. */
export function columnsIn(tree: unknown, of: Named, isJoined: boolean): string[] {
  const found = new Set<string>();
  walk(tree, (node) => {
    const column = columnOf(node, of, isJoined);
    if (column !== null) found.add(column);
    return as(node, 'SubLink') === null;
  });
  return [...found];
}

/** The names of all tables below. */
export function tablesIn(tree: unknown): Named[] {
  const found = new Map<string, Named>();
  walk(tree, (node) => {
    const relation = as(node, 'RangeVar');
    const name = relation === null ? null : named(relation);
    if (name !== null) found.set(name.table, name);
    return true;
  });
  // Some statements name their table without saying what kind of node that is.
  const seen = new Set<unknown>();
  const look = (part: unknown): void => {
    if (typeof part !== 'object' || part === null || seen.has(part)) return;
    seen.add(part);
    if (Object.hasOwn(part, 'relname')) {
      const name = named(part as RangeVar);
      if (name !== null) found.set(name.table, name);
    }
    for (const each of Object.values(part)) look(each);
  };
  look(tree);
  return [...found.values()];
}
