import { describe, expect, it } from 'vitest';
import { record } from '../runtime/support.ts';

/*
 * What acts upon stale reads without a cycle of conflicts that shows it (overlooked.ts), each beside the nearest healthy program.
 */

const TURN = 'const turn = () => new Promise((resolve) => setImmediate(resolve));';

async function errorsIn(program: string): Promise<string[]> {
  const { judged } = await record(`${TURN}\n${program}`);
  return judged
    .filter(({ severity }) => severity === 'error')
    .map(({ label, because }) => `${label}: ${because}`);
}

describe('a call that nobody awaits acts after the block that has read is over', () => {
  const PROGRAM = (start: string, look: string) => `
    const entries = new Map([['a', { expires: 0 }]]);
    async function remove(key) { await turn(); ${look} entries.delete(key); }
    async function read(key) {
      const entry = entries.get(key);
      if (entry.expires === 0) { ${start} return undefined; }
      return entry;
    }
    async function main() {
      await read('a');
      entries.set('a', { expires: 1 });
      await turn(); await turn();
    }
    module.exports = main();`;

  it('and deletes what was put there since', async () => {
    expect(await errorsIn(PROGRAM('remove(key);', ''))).toEqual(['read: left-behind']);
  });

  it('unless it is awaited', async () => {
    expect(await errorsIn(PROGRAM('await remove(key);', ''))).toEqual([]);
  });

  it('unless it looks again before it acts', async () => {
    const look = 'if (entries.get(key).expires !== 0) return;';
    expect(await errorsIn(PROGRAM('remove(key);', look))).toEqual([]);
  });
});

describe('a list is replaced that others have added to', () => {
  const PROGRAM = (take: string, put: string) => `
    let pending = ['a'];
    const stored = [];
    async function save(rows) { await turn(); stored.push(...rows); }
    async function flush() { ${take} await save(rows); ${put} }
    const flushed = flush();
    pending.push('b');
    module.exports = flushed;`;

  it('since it was copied', async () => {
    expect(await errorsIn(PROGRAM('const rows = [...pending];', 'pending = [];'))).toEqual([
      'flush: removed-unseen',
    ]);
  });

  it('since part of it was taken', async () => {
    const program = PROGRAM('const rows = pending.slice(0, 1);', 'pending = rows.slice(1);');
    expect(await errorsIn(program)).toEqual(['flush: stale-act']);
  });

  it('but not before it is replaced', async () => {
    expect(await errorsIn(PROGRAM('const rows = pending; pending = [];', ''))).toEqual([]);
  });

  it('but is looked at again for what has come since', async () => {
    const put = 'pending = pending.filter((row) => !rows.includes(row));';
    expect(await errorsIn(PROGRAM('const rows = [...pending];', put))).toEqual([]);
  });
});
