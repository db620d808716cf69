import { expect, it } from 'vitest';
import { record } from './support.ts';

const world = { turn: () => new Promise((resolve) => setImmediate(resolve)) };

/** What is said about two tasks that run `task` at once. */
async function said(setup: string, task: string): Promise<string[]> {
  const program = `${setup}\nasync function task(n) { ${task} }\nmodule.exports = Promise.all([task(1), task(2)]);`;
  const { judged } = await record(program, world);
  return judged.map(({ label, pattern, severity }) => `${severity}: ${label}: ${pattern}`);
}

/** Says nothing of where it keeps things. */
const client = `
  const client = {
    get: async (key) => { await turn(); return 1; },
    set: async (key, value) => { await turn(); },
    del: async (key) => {},
  };
`;
const lost = 'error: task: lost-update';

it('what is got and then set by its key is one entry, wherever it is kept', async () => {
  const task = "const old = await client.get('n'); await client.set('n', old + 1);";
  expect(await said(client, task)).toContain(lost);
});

it('other keys are other entries', async () => {
  const task = 'const old = await client.get(`n` + n); await client.set(`n` + n, old + 1);';
  expect(await said(client, task)).toEqual([]);
});

it('what is deleted is changed', async () => {
  const task = "if (await client.get('n')) await client.del('n');";
  expect(await said(client, task)).toContain(lost);
});

it('a handler for a path is no entry', async () => {
  const app = 'const app = { get(path, f) {}, set(path, f) {} };';
  expect(await said(app, "app.get('/', () => {}); await turn(); app.set('/', () => {});")).toEqual([]);
});

it('nor is a part of a value, whose setter makes another value', async () => {
  const date =
    'const date = { get(unit) { return 1; }, set(unit, n) { return { ...date }; }, valueOf() { return 1; } };';
  expect(await said(date, "const y = date.get('year'); await turn(); date.set('year', y + 1);")).toEqual([]);
});
