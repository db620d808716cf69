// Uploads over HTTP into a folder that must not grow too large.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Mutex } from '../locks.mjs';
import { serving, temporaryFolder, traffic } from '../traffic.mjs';

const QUOTA = 100;
const folder = temporaryFolder();
const mutex = new Mutex();
let used = 0;

async function bodyOf(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks);
}

async function store(name, body) {
  const after = used + body.length;
  if (after > QUOTA) return 507;
  await writeFile(join(folder, name), body);
  used = after;
  return 201;
}

async function upload(name, body) {
  return mutex.run(() => store(name, body)); // lock: upload -> return store(name, body);
}

async function handle(request, response) {
  const body = await bodyOf(request);
  response.statusCode = await upload(request.url.slice(1), body);
  response.end();
}

await serving(handle, (post) =>
  traffic(
    1200,
    ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((name) => () => post(`/${name}`, '0123456789')),
  ),
);
console.log(used, 'of', QUOTA, 'bytes used');
