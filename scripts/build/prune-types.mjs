// Removes the declarations that no entry of package.json leads to: they are the types of what is bundled.
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export function pruneTypes() {
  const root = fileURLToPath(new URL('../..', import.meta.url));
  const { exports } = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8'));
  const entries = Object.values(exports).flatMap((entry) => entry.types ?? []);
  const reached = new Set();
  const next = entries.map((entry) => path.join(root, entry));
  for (let file = next.pop(); file !== undefined; file = next.pop()) {
    if (reached.has(file)) continue;
    reached.add(file);
    const text = fs.readFileSync(file, 'utf8');
    for (const [, specifier] of text.matchAll(/(?:from|import\()\s*['"](\.[^'"]+)['"]/g))
      next.push(path.resolve(path.dirname(file), specifier.replace(/\.(?:js|ts)$/, '.d.ts')));
  }

  const dist = path.join(root, 'dist');
  for (const name of fs.readdirSync(dist, { recursive: true })) {
    const file = path.join(dist, name);
    if (name.endsWith('.d.ts') && !reached.has(file)) fs.rmSync(file);
  }
  for (const name of fs.readdirSync(dist, { recursive: true }).sort().reverse()) {
    const folder = path.join(dist, name);
    if (fs.statSync(folder).isDirectory() && fs.readdirSync(folder).length === 0) fs.rmdirSync(folder);
  }
}
