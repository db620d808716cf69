import { readFileSync } from 'node:fs';
import type { Tool } from '../check/result.ts';

/** Name and version, as reports give them. */
export const TOOL: Tool = { name: 'trackside', version: packageVersion() };

function packageVersion(): string {
  const manifest = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(manifest) as { version: string }).version;
}
