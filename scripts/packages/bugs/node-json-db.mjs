// Ten concurrent pushes; each loads the file first. `load` reads `loaded`, awaits, then replaces `data`.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const { JsonDB, Config } = await import(`node-json-db-${process.argv[2]}`);
const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'bug-'));
const db = new JsonDB(new Config(path.join(dir, 'db'), true, false, '/'));
const add = (i) => db.push(`/record/key${i}`, { i }, false);
await Promise.all(Array.from({ length: 10 }, (_, i) => add(i)));
const kept = Object.keys((await db.getData('/')).record).length;
console.log(`${kept} of 10 keys kept`);
