import fs from 'node:fs';
import { fileURLToPath } from 'node:url';

const SOURCES = fileURLToPath(new URL('../../native/runtime/', import.meta.url));
const SHIPPED = fileURLToPath(new URL('../../dist/native-runtime/', import.meta.url));

/** The runtime of native programs is compiled where it is needed: its sources are shipped, without what only people read. */
export function shipRuntime() {
  fs.mkdirSync(SHIPPED, { recursive: true });
  for (const name of fs.readdirSync(SOURCES))
    fs.writeFileSync(`${SHIPPED}${name}`, compact(fs.readFileSync(`${SOURCES}${name}`, 'utf8')));
}

function compact(source) {
  return source
    .replace(/\/\*[\s\S]*?\*\//g, ' ')
    .replace(/[ \t]+(?=\\?$)/gm, ' ')
    .replace(/^[ \t]+/gm, '')
    .replace(/\n{2,}/g, '\n');
}
