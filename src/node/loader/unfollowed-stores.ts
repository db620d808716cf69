import { MODELS_URL } from './modelled-package.ts';
import { packageName } from './selection.ts';

/*
 * Packages that keep data outside of the process, or in code that is not instrumented, and that nobody follows: what a program does there is not in its trace. A
 * report that finds nothing has to say so. Drivers that are followed are in `stores/drivers`; one that gets an adapter there
 * needs no change here.
 */

const STORES: ReadonlySet<string> = new Set([
  // SQL
  ...['mysql', 'mysql2', 'mariadb', 'tedious', 'mssql', 'msnodesqlv8', 'oracledb', 'ibm_db', 'snowflake-sdk'],
  ...['sql.js', 'libsql', '@libsql/client', 'duckdb', '@duckdb/node-api', '@clickhouse/client'],
  ...['pg-native', '@neondatabase/serverless', '@vercel/postgres', '@planetscale/database', '@prisma/client'],
  ...['@google-cloud/spanner', '@google-cloud/bigquery', '@supabase/postgrest-js'],
  // Documents, graphs, wide columns
  ...['couchbase', 'nano', 'arangojs', 'rethinkdb', 'neo4j-driver', 'cassandra-driver', 'surrealdb'],
  ...['@azure/cosmos', '@google-cloud/firestore', '@google-cloud/datastore', '@elastic/elasticsearch'],
  ...['@opensearch-project/opensearch', '@aws-sdk/client-dynamodb', 'aws-sdk', 'faunadb', 'gremlin'],
  // Keys and values
  ...['memcached', 'memjs', '@upstash/redis', '@valkey/valkey-glide', 'iovalkey', 'etcd3', 'consul'],
  ...['classic-level', 'leveldown', 'rocksdb', 'lmdb', '@aws-sdk/client-s3', 'hazelcast-client', 'influx'],
  // Databases in the process itself
  ...['nedb', '@seald-io/nedb', 'lokijs', 'pouchdb', 'pouchdb-core', 'tingodb', 'alasql', 'node-persist'],
]);

/** Of Prisma, what goes through a driver adapter, and so through a driver; all but the engines is the same for both. */
const WITHOUT_ENGINE = /[\\/]@prisma[\\/]client[\\/](?!runtime[\\/](?:library|binary|edge|react-native)\b)/;

/** The package that a file belongs to, if it is such a one. */
export function storePackage(path: string): string | null {
  const name = packageName(path);
  return name !== null && STORES.has(name) && !WITHOUT_ENGINE.test(path) ? name : null;
}

/** The source of a module of a package that keeps data elsewhere, which says at its end that it was loaded. */
export function withStoreNoted(name: string, source: string): string {
  return [
    source,
    `;import { noteStore as __trackside_noteStore } from ${JSON.stringify(MODELS_URL)};`,
    `__trackside_noteStore(${JSON.stringify(name)});`,
  ].join('\n');
}
