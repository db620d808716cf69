import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { JSONFilePreset } from 'lowdb/node';

const file = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'low-')), 'db.json');
const db = await JSONFilePreset(file, { posts: [] });
await Promise.all([1, 2, 3].map((n) => db.update(({ posts }) => posts.push(n))));
console.log(JSON.parse(fs.readFileSync(file, 'utf8')).posts.length);
fs.rmSync(path.dirname(file), { recursive: true });
