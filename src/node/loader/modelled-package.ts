import { modelOf } from '../runtime/locks/models.ts';
import { packageName } from './selection.ts';

/** What the text that is added to modules imports. */
export const MODELS_URL = new URL('../loader/models-module.js', import.meta.url).href;

/** Drivers of databases, which are known by their interface: see `stores/drivers`. */
const DRIVERS: ReadonlySet<string> = new Set([
  'node:sqlite',
  'better-sqlite3',
  'sqlite3',
  'pg',
  'pg-pool',
  'postgres',
  '@electric-sql/pglite',
  'ioredis',
  'redis',
  '@redis/client',
  'mongodb',
]);

/** What drivers are made of. */
const PARTS_OF_DRIVERS: ReadonlySet<string> = new Set([
  ...['pg-protocol', 'pg-types', 'pg-cursor', 'pg-query-stream', 'pg-connection-string', 'pgpass', 'pg-int8'],
  ...[
    'postgres-array',
    'postgres-bytea',
    'postgres-date',
    'postgres-interval',
    'pg-native',
    'libpq',
    'bindings',
  ],
  ...['redis-parser', 'redis-commands', 'redis-errors', '@ioredis/commands', 'cluster-key-slot', 'denque'],
  ...['bson', 'mongodb-connection-string-url', 'memory-pager', 'sparse-bitfield', '@mongodb-js/saslprep'],
  ...['standard-as-callback', '@redis/bloom', '@redis/json', '@redis/search', '@redis/time-series'],
]);

/** The name of the package of locks, or of the driver, that this file belongs to. */
export function modelledPackage(path: string): string | null {
  const name = packageName(path);
  return name !== null && (modelOf(name) !== undefined || DRIVERS.has(name)) ? name : null;
}

export function isDriver(name: string): boolean {
  return DRIVERS.has(name);
}

/** Whether what a file does inside is its own business. */
export function isModelled(path: string): boolean {
  const name = packageName(path);
  return name !== null && (modelOf(name) !== undefined || DRIVERS.has(name) || PARTS_OF_DRIVERS.has(name));
}
