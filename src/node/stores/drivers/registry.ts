import type { Adapter } from './adapter.ts';
import { betterSqlite3 } from './better-sqlite3.ts';
import { ioredis } from './ioredis.ts';
import { pg, pgPool } from './pg.ts';
import { redis, redisClient } from './redis.ts';

const ADAPTERS: ReadonlyMap<string, Adapter> = new Map<string, Adapter>([
  ['better-sqlite3', betterSqlite3],
  ['ioredis', ioredis],
  ['redis', redis],
  ['@redis/client', redisClient],
  ['pg', pg],
  ['pg-pool', pgPool],
]);

export function adapterOf(packageName: string): Adapter | undefined {
  return ADAPTERS.get(packageName);
}
