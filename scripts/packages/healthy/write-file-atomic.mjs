import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import write from 'write-file-atomic';

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'wfa-'));
const file = path.join(folder, 'f');
await Promise.all([1, 2, 3, 4].map((n) => write(file, String(n))));
console.log(fs.readFileSync(file, 'utf8'));
await Promise.all(['a', 'b'].map((n) => write(path.join(folder, n), n)));
console.log(fs.readdirSync(folder).length);
fs.rmSync(folder, { recursive: true });
