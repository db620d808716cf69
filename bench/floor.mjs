// The floor: what it costs to read a text trace and count its lines, and nothing else. As a program of its own it
// is what whole commands are compared with: both start Node.
import { openSync, readSync } from 'node:fs';

export function countNewlines(path) {
  const file = openSync(path, 'r');
  const bytes = new Uint8Array(1 << 20);
  let lines = 0;
  for (;;) {
    const count = readSync(file, bytes, 0, bytes.length, null);
    if (count === 0) return lines;
    for (let i = 0; i < count; i++) if (bytes[i] === 10) lines++;
  }
}

if (process.argv[1] === import.meta.filename) console.log(countNewlines(process.argv[2]));
