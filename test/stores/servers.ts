import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll } from 'vitest';
import { install, PATIENCE } from '../support/install.ts';

/*
 * Real servers, each on a free port with a folder of its own, for the tests of one file.
 */

interface Server {
  readonly url: string;
  stop(): Promise<void>;
}

/** Starts a server before the tests of this file, and puts its address into the environment by this name. */
function withServer(start: () => Promise<Server>, name: string): void {
  let server: Server | null = null;
  beforeAll(async () => {
    server = await start();
    process.env[name] = server.url;
  }, PATIENCE);
  afterAll(() => server?.stop());
}

export const withPostgres = () => withServer(startPostgres, 'PGURL');
export const withRedis = () => withServer(startRedis, 'REDIS_URL');
export const withMongo = () => withServer(startMongo, 'MONGO_URL');

/** A server in Java that keeps all in memory; it ends when its input does. */
async function startMongo(): Promise<Server> {
  const file = (path: string) => fileURLToPath(new URL(path, import.meta.url));
  const server = spawn(
    'java',
    // It does not live long enough for more.
    [
      '-XX:+UseSerialGC',
      '-XX:TieredStopAtLevel=1',
      '-Xshare:auto',
      '-cp',
      file('node_modules/.mongodb-server/*'),
    ].concat(file('mongodb-server/Server.java')),
    { stdio: ['pipe', 'pipe', 'ignore'] },
  );
  const [, port] = /^port (\d+)$/m.exec(await said(server, '\n')) ?? [];
  return {
    url: `mongodb://127.0.0.1:${port}`,
    async stop() {
      server.stdin?.end();
      await new Promise((resolve) => server.once('exit', resolve));
    },
  };
}

async function startRedis(): Promise<Server> {
  install('databases');
  const folder = mkdtempSync(join(tmpdir(), 'trackside-redis-'));
  const port = await freePort();
  const settings = { port, bind: '127.0.0.1', save: '', appendonly: 'no', dir: folder };
  const server = spawn(
    'redis-server',
    Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]),
    { stdio: ['ignore', 'pipe', 'ignore'] },
  );
  await said(server, 'Ready to accept connections');
  return {
    url: `redis://127.0.0.1:${port}`,
    async stop() {
      server.kill();
      await new Promise((resolve) => server.once('exit', resolve));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function programs(): string {
  const { POSTGRES_BIN } = process.env;
  if (POSTGRES_BIN !== undefined) return POSTGRES_BIN;
  const folder = '/usr/lib/postgresql';
  const [newest] = existsSync(folder) ? readdirSync(folder).sort((a, b) => Number(b) - Number(a)) : [];
  return newest === undefined ? '' : join(folder, newest, 'bin');
}

async function startPostgres(): Promise<Server> {
  install('databases');
  const folder = mkdtempSync(join(tmpdir(), 'trackside-postgres-'));
  const data = join(folder, 'data');
  mkdirSync(data);
  // PostgreSQL does not run as root, and its folder has to be its own.
  const who = process.getuid?.() === 0 ? userNamed('postgres') : {};
  if (process.getuid?.() === 0) execFileSync('chown', ['-R', 'postgres', folder]);
  chmodSync(folder, 0o755);
  chmodSync(data, 0o700);
  const made = spawnSync(
    join(programs(), 'initdb'),
    ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'],
    { ...who, cwd: folder, encoding: 'utf8' },
  );
  if (made.status !== 0) throw new Error(made.stderr || String(made.error));
  const port = await freePort();
  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: folder,
    fsync: 'off',
    shared_buffers: '32MB',
    autovacuum: 'off',
  };
  const server = spawn(
    join(programs(), 'postgres'),
    [
      '-D',
      data,
      '-p',
      String(port),
      ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ],
    { ...who, cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] },
  );
  await said(server, 'ready to accept connections');
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    async stop() {
      // Fast shutdown.
      server.kill('SIGINT');
      await new Promise((resolve) => server.once('exit', resolve));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function userNamed(name: string): { uid: number; gid: number } {
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((each) => each.startsWith(`${name}:`));
  const [, , uid, gid] = (line ?? '').split(':');
  return { uid: Number(uid), gid: Number(gid) };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Waits until a server has said that it is ready, and gives all that it has said. */
function said(server: ChildProcess, words: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    (server.stderr ?? server.stdout)?.setEncoding('utf8').on('data', (part) => {
      text += part;
      if (text.includes(words)) resolve(text);
    });
    server.once('exit', () => reject(new Error(text)));
    server.once('error', reject);
  });
}
