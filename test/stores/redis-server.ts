import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createConnection, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect } from 'vitest';

const INSTALL = fileURLToPath(new URL('../../scripts/install-databases.sh', import.meta.url));

/** A Redis of its own for the tests of a file, which programs find by `REDIS_URL`. */
export function withRedis(): void {
  let server: ChildProcess | null = null;
  const folder = mkdtempSync(join(tmpdir(), 'trackside-redis-'));
  beforeAll(async () => {
    const { status, stderr } = spawnSync(INSTALL, { encoding: 'utf8' });
    expect(status, stderr).toBe(0);
    const port = await freePort();
    const options = [
      '--port',
      `${port}`,
      '--bind',
      '127.0.0.1',
      '--save',
      '',
      '--appendonly',
      'no',
      '--dir',
      folder,
    ];
    server = spawn('redis-server', options, { stdio: 'ignore' });
    await listening(port);
    process.env.REDIS_URL = `redis://127.0.0.1:${port}`;
  });
  afterAll(() => {
    server?.kill();
    rmSync(folder, { recursive: true, force: true });
  });
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.on('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number };
      probe.close(() => resolve(port));
    });
  });
}

/** Tries until somebody accepts a connection. */
async function listening(port: number): Promise<void> {
  for (;;) {
    const isThere = await new Promise<boolean>((resolve) => {
      const socket = createConnection({ port, host: '127.0.0.1' });
      socket.on('connect', () => {
        socket.destroy();
        resolve(true);
      });
      socket.on('error', () => resolve(false));
    });
    if (isThere) return;
  }
}
