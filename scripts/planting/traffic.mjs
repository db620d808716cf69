import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export { setTimeout as pause } from 'node:timers/promises';

/** Requests come when they come, but from the same first argument at the same times. */
let state = Number(process.argv[2] ?? 1);

function random() {
  state = (state + 0x6d2b79f5) | 0;
  let bits = Math.imul(state ^ (state >>> 15), state | 1);
  bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61);
  return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
}

/** Makes each of the requests twice, at some moments of the next milliseconds, and waits for all answers. */
export function traffic(milliseconds, requests) {
  return Promise.all(
    [...requests, ...requests].map(
      (each) =>
        new Promise((resolve, reject) => {
          setTimeout(() => each().then(resolve, reject), random() * milliseconds);
        }),
    ),
  );
}

/** A folder that is gone when the program ends. */
export function temporaryFolder() {
  const path = mkdtempSync(join(tmpdir(), 'planting-'));
  process.on('exit', () => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** Serves `handle` while `work` makes its requests: `post(path, body)`. */
export async function serving(handle, work) {
  const server = createServer(handle).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  const post = (path, body = '') =>
    new Promise((resolve, reject) => {
      const options = { port, host: '127.0.0.1', path, method: 'POST', agent: false };
      request(options, (response) => {
        response.resume();
        response.on('end', () => resolve(response.statusCode));
      })
        .on('error', reject)
        .end(body);
    });
  await work(post);
  server.close();
}
