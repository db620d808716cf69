import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { temporaryFolder, trackside } from '../../cli/run.ts';

const PROGRAM = fileURLToPath(new URL('order/random-accesses.mjs', import.meta.url));
const folder = temporaryFolder();

type Access = [op: string, cell: number, value: number | null];

it('in the order of the trace, every read gives what was written last', () => {
  const file = join(folder.path, 'trace.std');
  const ended = trackside(['record', '-o', file, PROGRAM]);
  const said = new Map<string, Access[]>(Object.entries(JSON.parse(ended.stdout)));
  expect([...said.keys()].sort()).toEqual(['worker 1', 'worker 2', 'worker 3']);
  const cells = new Map<number, number>();
  const seen = new Map<string, number>();
  let compared = 0;
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    const [, thread, op, index] = /^(.*)\|(v?[rw])\(shared cells\[(\d+)\]/.exec(line) ?? [];
    const accesses = said.get(thread);
    if (accesses === undefined) continue;
    const [expected, cell, value] = accesses.shift() ?? [];
    expect(`${op} ${index}`, line).toBe(`${expected} ${cell}`);
    const now = cells.get(cell as number) ?? 0;
    if (op.endsWith('w')) cells.set(cell as number, value ?? (seen.get(thread) as number) + 1);
    else {
      if (value !== null) expect(now, line).toBe(value);
      seen.set(thread, now);
      compared++;
    }
  }
  expect([...said.values()].flat()).toEqual([]);
  expect(compared).toBeGreaterThan(300);
});
