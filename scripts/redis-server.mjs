import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A Redis of its own in a temporary folder, on the usual port, which tests of drivers have written down. */
export async function startRedis(port = 6379) {
  const folder = mkdtempSync(join(tmpdir(), 'trackside-redis-'));
  const settings = { port, bind: '127.0.0.1', save: '', appendonly: 'no', dir: folder };
  const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]);
  const server = spawn('redis-server', args, { stdio: ['ignore', 'pipe', 'ignore'] });
  const ended = new Promise((resolve) => server.once('exit', resolve));
  await new Promise((resolve, reject) => {
    server.stdout.on('data', (text) => String(text).includes('Ready to accept connections') && resolve());
    ended.then(() => reject(new Error(`redis-server does not start: is port ${port} in use?`)));
  });
  return {
    env: {},
    async stop() {
      server.kill();
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
