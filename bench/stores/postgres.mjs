import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A PostgreSQL of its own, on a free port, in a temporary folder. */
export async function startPostgres(settings = []) {
  const programs = process.env.POSTGRES_BIN ?? newest('/usr/lib/postgresql');
  const folder = mkdtempSync(join(tmpdir(), 'trackside-postgres-'));
  const data = join(folder, 'data');
  mkdirSync(data);
  // It does not run as root, and its folder has to be its own.
  const isRoot = process.getuid() === 0;
  if (isRoot) execFileSync('chown', ['-R', 'postgres', folder]);
  chmodSync(folder, 0o755);
  chmodSync(data, 0o700);
  const run = (name, ...args) => {
    const command = [join(programs, name), ...args];
    const [file, ...rest] = isRoot
      ? ['setpriv', '--reuid=postgres', '--regid=postgres', '--clear-groups', ...command]
      : command;
    return execFileSync(file, rest, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  };
  run('initdb', '-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync');
  const port = await freePort();
  const options = [
    `port=${port}`,
    'listen_addresses=127.0.0.1',
    `unix_socket_directories=${folder}`,
    ...['fsync=off', 'autovacuum=off', ...settings],
  ]
    .map((setting) => `-c ${setting}`)
    .join(' ');
  run('pg_ctl', '-D', data, '-w', '-l', join(folder, 'log'), '-o', options, 'start');
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    /** By which every client finds it, with the programs beside it. */
    env: {
      ...{ PGHOST: '127.0.0.1', PGPORT: String(port), PGUSER: 'postgres', PGDATABASE: 'postgres' },
      PATH: `${programs}:${process.env.PATH}`,
    },
    sql: (text) =>
      run(
        'psql',
        '-q',
        '-h',
        '127.0.0.1',
        '-p',
        String(port),
        '-U',
        'postgres',
        '-c',
        `SET client_min_messages = warning; ${text}`,
      ),
    stop() {
      run('pg_ctl', '-D', data, '-m', 'fast', 'stop');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function newest(folder) {
  const [version] = readdirSync(folder).sort((a, b) => Number(b) - Number(a));
  return join(folder, version, 'bin');
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}
