import type { Adapter } from './adapter.ts';
import { betterSqlite3 } from './better-sqlite3.ts';
import { pg, pgPool } from './pg.ts';

const ADAPTERS: ReadonlyMap<string, Adapter> = new Map<string, Adapter>([
  ['better-sqlite3', betterSqlite3],
  ['pg', pg],
  ['pg-pool', pgPool],
]);

export function adapterOf(packageName: string): Adapter | undefined {
  return ADAPTERS.get(packageName);
}
