import { expect, it } from 'vitest';
import { record } from './support.ts';

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** Objects of packages that are not instrumented, which say nothing of where they keep things. */
function world() {
  const client = {
    get: async () => {
      await turn();
      return 1;
    },
    set: () => turn(),
    del: async () => {},
  };
  const app = { get() {}, set() {} };
  const date = { get: () => 1, set: () => ({ ...date }), valueOf: () => 1 };
  return { turn, client, app, date };
}

/** What is said about two tasks that run `task` at once. */
async function said(setup: string, task: string): Promise<string[]> {
  const program = `${setup}\nasync function task(n) { ${task} }\nmodule.exports = Promise.all([task(1), task(2)]);`;
  const { judged } = await record(program, world());
  return judged.map(({ label, pattern, severity }) => `${severity}: ${label}: ${pattern}`);
}

const lost = 'error: task: lost-update';

it('get and set of one key, by an object whose code is not watched, are accesses of one entry', async () => {
  const task = "const old = await client.get('n'); await client.set('n', old + 1);";
  expect(await said('', task)).toContain(lost);
});

it('get and set of different keys are accesses of different entries', async () => {
  const task = 'const old = await client.get(`n` + n); await client.set(`n` + n, old + 1);';
  expect(await said('', task)).toEqual([]);
});

it('del of a key is a write of its entry', async () => {
  const task = "if (await client.get('n')) await client.del('n');";
  expect(await said('', task)).toContain(lost);
});

it('get and set that take handlers, as those of a router, are no accesses', async () => {
  expect(await said('', "app.get('/', () => {}); await turn(); app.set('/', () => {});")).toEqual([]);
});

it('get and set of a value whose setter makes another value are no accesses', async () => {
  expect(await said('', "const y = date.get('year'); await turn(); date.set('year', y + 1);")).toEqual([]);
});

/** A value is only replaced if nobody else has replaced it since. */
const versions = `
  const versions = {
    rows: new Map([['n', { value: 0, version: 0 }]]),
    get(key) { return this.rows.get(key); },
    set(key, value, version) {
      if (this.rows.get(key).version !== version) return false;
      this.rows.set(key, { value, version: version + 1 });
      return true;
    },
  };
`;

it('what the program itself looks up is what counts, not how the method is called', async () => {
  const task = `
    for (;;) {
      const { value, version } = versions.get('n');
      await turn();
      if (versions.set('n', value + 1, version)) return;
    }
  `;
  expect((await said(versions, task)).filter((one) => one.startsWith('error'))).toEqual([]);
  const careless =
    "const { value } = versions.get('n'); await turn(); versions.rows.set('n', { value: value + 1 });";
  expect(await said(versions, careless)).toContain(lost);
});

it('a method that looks nothing up leaves it to its name', async () => {
  const remote =
    'const remote = { base: "/", get(key) { return send(this.base + key); }, set(key, value) { return send(key); } };';
  const task = "const n = await remote.get('n'); await turn(); await remote.set('n', n + 1);";
  expect(await said(`const send = () => turn(); ${remote}`, task)).toContain(lost);
});
