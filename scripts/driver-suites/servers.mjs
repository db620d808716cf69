import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { startPostgres } from '../../bench/stores/postgres.mjs';

const START = {
  // For the tests of two-phase commits and of replication.
  postgres: () => startPostgres(['max_prepared_transactions=100', 'wal_level=logical']),
  redis: startRedis,
  containers: provideContainers,
};

/** What a suite needs to be there: `env` is how it finds it. */
export async function startServer(kind) {
  return kind === undefined ? { env: {}, stop() {} } : START[kind]();
}

/** On the port that the tests of ioredis expect. */
async function startRedis() {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'trackside-redis-'));
  const options = ['--port', '6379', '--bind', '127.0.0.1', '--save', '', '--dir', folder];
  const server = spawn('redis-server', options, { stdio: ['ignore', 'pipe', 'inherit'] });
  await new Promise((resolve, reject) => {
    server.stdout.on('data', (text) => String(text).includes('Ready to accept') && resolve());
    server.once('exit', () => reject(new Error('redis-server does not start: is port 6379 in use?')));
  });
  return {
    env: {},
    async stop() {
      const ended = new Promise((resolve) => server.once('exit', resolve));
      server.kill();
      await ended;
      fs.rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A `docker` that runs the Redis of this machine instead of images, for suites that start their servers themselves. */
function provideContainers() {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'trackside-containers-'));
  fs.symlinkSync(fileURLToPath(new URL('docker', import.meta.url)), path.join(folder, 'docker'));
  return {
    env: { PATH: `${folder}:${process.env.PATH}`, CONTAINERS: folder },
    stop() {
      for (const name of fs.readdirSync(folder)) {
        if (!/^\d+$/.test(name)) continue;
        try {
          process.kill(Number(name));
        } catch {
          // It has been removed.
        }
      }
      fs.rmSync(folder, { recursive: true, force: true });
    },
  };
}
