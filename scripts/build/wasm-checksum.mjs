// The checksum of a source in wasm/, with what it includes: whether it was compiled since it was changed.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

export function checksumOf(source) {
  const hash = createHash('sha256');
  const add = (name) => {
    const text = readFileSync(new URL(`../../wasm/${name}`, import.meta.url), 'utf8');
    hash.update(text);
    for (const [, included] of text.matchAll(/^#include "(.*)"$/gm)) add(included);
  };
  add(source);
  return hash.digest('hex');
}
