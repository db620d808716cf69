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

describe('what the event loop calls is no block, but acts by what it has started', () => {
  const PROGRAM = (act: string) => `
    const seats = { free: 1 };
    function book() {
      if (seats.free < 1) return;
      ${act}
    }
    module.exports = new Promise((resolve) => {
      setImmediate(book);
      setImmediate(book);
      turn().then(turn).then(turn).then(resolve);
    });`;

  it('upon what others have changed since it looked', async () => {
    expect(await errorsIn(PROGRAM('turn().then(() => { seats.free -= 1; });'))).toEqual([
      'immediate: stale-act',
    ]);
  });

  it('unless it has acted at once', async () => {
    expect(await errorsIn(PROGRAM('seats.free -= 1; turn().then(() => {});'))).toEqual([]);
  });

  it('unless it looks again', async () => {
    expect(await errorsIn(PROGRAM('turn().then(() => { if (seats.free > 0) seats.free -= 1; });'))).toEqual(
      [],
    );
  });

  const CARRIED = (read: string) => `
    const carts = new Map();
    const middleware = (request) => { request.cart = carts.get('u') ?? []; };
    async function handler(request) { await turn(); carts.set('u', [...${read}, 'x']); }
    const serve = () => { const request = {}; middleware(request); handler(request); };
    module.exports = new Promise((resolve) => {
      setImmediate(serve);
      setImmediate(serve);
      turn().then(turn).then(turn).then(resolve);
    });`;

  it('and what it has read may be carried on in an object of its own', async () => {
    expect(await errorsIn(CARRIED('request.cart'))).toEqual(['immediate: stale-act']);
  });

  it('unless the object is not asked for it', async () => {
    expect(await errorsIn(CARRIED("(carts.get('u') ?? [])"))).toEqual([]);
  });

  const CONTEXT = (user: string) => `
    let current = null;
    const notes = [];
    async function note(user) { await turn(); notes.push(${user}); }
    const serve = (user) => { current = user; note(user); };
    module.exports = new Promise((resolve) => {
      setImmediate(() => serve('ann'));
      setImmediate(() => serve('bob'));
      turn().then(turn).then(turn).then(resolve);
    });`;

  it('and reads back what another one has written instead', async () => {
    expect(await errorsIn(CONTEXT('current'))).toEqual(['immediate: overwritten']);
  });

  it('unless it has been handed what it needs', async () => {
    expect(await errorsIn(CONTEXT('user'))).toEqual([]);
  });
});

describe('another task, without an interruption, reads what the block writes and changes what it had read', () => {
  const PROGRAM = (remember: string, decide: string, join: string) => `
    const rooms = new Map([['lobby', { users: new Set(['ann']) }]]);
    async function leave() {
      const room = rooms.get('lobby');
      room.users.delete('ann');
      ${remember}
      await turn();
      if (${decide}) rooms.delete('lobby');
    }
    async function join() { ${join} }
    module.exports = Promise.all([leave(), join()]);`;
  const REMEMBER = 'const isEmpty = room.users.size === 0;';
  const JOIN = "rooms.get('lobby').users.add('bob');";

  async function warningsIn(program: string): Promise<string[]> {
    const { judged } = await record(`${TURN}\n${program}`);
    return judged
      .filter(({ severity }) => severity !== 'note')
      .map(({ label, because }) => `${label}: ${because}`);
  }

  it('so that the block goes by what is no longer so', async () => {
    expect(await warningsIn(PROGRAM(REMEMBER, 'isEmpty', JOIN))).toEqual(['leave: stale-elsewhere']);
  });

  it('unless the block looks again', async () => {
    expect(await warningsIn(PROGRAM(REMEMBER, 'isEmpty && room.users.size === 0', JOIN))).toEqual([]);
  });

  it('unless the block writes whatever it had read', async () => {
    expect(await warningsIn(PROGRAM(REMEMBER, 'true', JOIN))).toEqual([]);
  });

  it('unless the other task has not read what the block writes', async () => {
    const found = "const { users } = rooms.get('lobby');";
    const program = PROGRAM(REMEMBER, 'isEmpty', "users.add('bob');").replace(
      'async function leave',
      `${found} async function leave`,
    );
    expect(await warningsIn(program)).toEqual([]);
  });
});
