import { createHash } from 'node:crypto';

/** Longer names are cut in results: one of a megabyte would be in them again and again. */
const MOST = 4096;
const HEAD = 2000;
const TAIL = 200;

/** A name as results have it: whole, or its start and end with what tells it apart from others that are as long. */
export function nameInResults(name: string): string {
  if (name.length <= MOST) return name;
  const head = name.slice(0, HEAD).replace(/[\ud800-\udbff]$/, '');
  const tail = name.slice(-TAIL).replace(/^[\udc00-\udfff]/, '');
  const sum = createHash('sha256').update(name).digest('hex').slice(0, 16);
  return `${head}…(${name.length} characters, ${sum})…${tail}`;
}
