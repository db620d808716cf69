import type { Adapter } from './adapter.ts';
import { betterSqlite3 } from './better-sqlite3.ts';
import { ioredis } from './ioredis.ts';
import { mongodb } from './mongodb.ts';
import { nodeSqlite } from './node-sqlite.ts';
import { pg, pgPool } from './pg.ts';
import { pglite } from './pglite.ts';
import { postgresJs } from './postgres-js.ts';
import { redis, redisClient } from './redis.ts';
import { sqlite3 } from './sqlite3.ts';

const ADAPTERS: ReadonlyMap<string, Adapter> = new Map<string, Adapter>([
  ['better-sqlite3', betterSqlite3],
  ['node:sqlite', nodeSqlite],
  ['sqlite3', sqlite3],
  ['ioredis', ioredis],
  ['redis', redis],
  ['@redis/client', redisClient],
  ['mongodb', mongodb],
  ['pg', pg],
  ['pg-pool', pgPool],
  ['postgres', postgresJs],
  ['@electric-sql/pglite', pglite],
]);

export function adapterOf(packageName: string): Adapter | undefined {
  return ADAPTERS.get(packageName);
}
