import type { Adapter } from './adapter.ts';
import { betterSqlite3 } from './better-sqlite3.ts';

const ADAPTERS: ReadonlyMap<string, Adapter> = new Map<string, Adapter>([['better-sqlite3', betterSqlite3]]);

export function adapterOf(packageName: string): Adapter | undefined {
  return ADAPTERS.get(packageName);
}
