// Empties dist, so that nothing that was built before is packed. What the build of the Java agent left there takes minutes to
// make again, and stays.
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export function clean() {
  const dist = fileURLToPath(new URL('../../dist', import.meta.url));
  const names = fs.existsSync(dist) ? fs.readdirSync(dist) : [];
  for (const name of names)
    if (name !== 'java') fs.rmSync(path.join(dist, name), { recursive: true, force: true });
}
