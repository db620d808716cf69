import { beforeAll, describe, expect, it } from 'vitest';
import type { JsonReport } from '../../src/check/json-results.ts';
import { temporaryFolder, trackside } from '../cli/run.ts';

/* What is read through a built-in is read: a value that goes stale in between is found, and the healthy twin is not. */

/** What there is, what is read of it into `v`, and what is written. */
const CASES: readonly [setup: string, read: string, write: string][] = [
  ['const o = { n: 0 }', 'structuredClone(o).n', 'o.n = v + 1'],
  ['const o = { a: [{ n: 0 }] }', 'structuredClone(o).a[0].n', 'o.a[0].n = v + 1'],
  ['const o = { a: [{ n: 0 }] }', 'JSON.parse(JSON.stringify(o)).a[0].n', 'o.a[0].n = v + 1'],
  ['const o = { n: 0, m: 1 }', '(() => { const { m, ...rest } = o; return rest.n; })()', 'o.n = v + 1'],
  ['const o = { n: 0 }', 'Object.assign({}, o).n', 'o.n = v + 1'],
  ['const o = { n: 0 }', 'Object.getOwnPropertyDescriptor(o, "n").value', 'o.n = v + 1'],
  ['const o = { n: 0 }', 'o.n', 'Object.defineProperties(o, { n: { value: v + 1 } })'],
  ['const o = new Map([["n", 0]])', 'new Map(o).get("n")', 'o.set("n", v + 1)'],
  ['const o = new Map([["n", 0]])', '[...o.values()][0]', 'o.set("n", v + 1)'],
  ['const o = new Map([["n", 0]])', 'Object.fromEntries(o).n', 'o.set("n", v + 1)'],
  [
    'const o = new Map([["n", 0]])',
    '(() => { let s = 0; for (const [, x] of o) s += x; return s; })()',
    'o.set("n", v + 1)',
  ],
  ['const o = new Map([["n", 0]])', 'o.values().next().value', 'o.set("n", v + 1)'],
  ['const o = [0]', '[...o][0]', 'o[0] = v + 1'],
  ['const o = [0]', 'o.slice()[0]', 'o[0] = v + 1'],
  ['const o = [0]', '[].concat(o)[0]', 'o[0] = v + 1'],
  ['const o = [0]', 'o.reduce((a, b) => a + b, 0)', 'o[0] = v + 1'],
  ['const o = [0]', 'o.at(-1)', 'o[0] = v + 1'],
  ['const o = [0]', 'o.toSorted()[0]', 'o[0] = v + 1'],
  ['const o = [0]', 'Math.max.apply(null, o)', 'o[0] = v + 1'],
  ['const o = [0]', 'Array.prototype.slice.call(o)[0]', 'o[0] = v + 1'],
  ['const o = [0]', 'Array.from(o)[0]', 'o[0] = v + 1'],
  ['const o = [0]', '(() => { const [first] = o; return first; })()', 'o[0] = v + 1'],
  ['const o = [0]', 'Object.groupBy(o, () => "all").all[0]', 'o[0] = v + 1'],
  ['const o = new DataView(new ArrayBuffer(8))', 'o.getUint32(0)', 'o.setUint32(0, v + 1)'],
  ['const o = Buffer.alloc(8)', 'o.readUInt32LE(4)', 'o.writeUInt32LE(v + 1, 4)'],
  ['const o = Buffer.from("0")', 'Number(o.toString())', 'o.write(String(v + 1))'],
  ['const o = new Int32Array(2)', 'o.slice()[0]', 'o[0] = v + 1'],
  ['const o = new Int32Array(2)', 'o[1]', 'o.set([v + 1], 1)'],
  ['const o = new Int32Array(2)', 'o[0]', 'o.fill(v + 1)'],
  ['const o = Buffer.from([0])', 'Buffer.concat([o])[0]', 'o[0] = v + 1'],
  ['const o = [0]', 'Number(String(o))', 'o[0] = v + 1'],
  // The names of headers are the same in any case.
  ['const o = new Headers({ n: "0" })', 'Number(o.get("N"))', 'o.set("n", v + 1)'],
  ['const o = new FormData(); o.append("n", 0)', 'Number(o.getAll("n")[0])', 'o.set("n", v + 1)'],
  ['const o = new URLSearchParams(); o.append("n", 0)', 'Number(o.toString().slice(2))', 'o.set("n", v + 1)'],
  ['const o = /a/g', '(o.exec("aaaa"), o.lastIndex)', 'o.lastIndex = v; o.exec("aaaa")'],
];

const { path, write } = temporaryFolder();
const severities = new Map<string, string>();

beforeAll(() => {
  const parts = CASES.map(
    ([setup, read, act], i) => `{
  ${setup};
  const stale${i} = async () => { const v = ${read}; await tick(); ${act}; };
  await Promise.all([stale${i}(), stale${i}()]);
}
{
  ${setup};
  const fresh${i} = async () => { await tick(); const v = ${read}; ${act}; };
  await Promise.all([fresh${i}(), fresh${i}()]);
}`,
  );
  // Not in every Node that is supported.
  const groupBy = 'Object.groupBy ??= (list, key) => ({ [key()]: [...list] });';
  const tick = 'const tick = () => new Promise((resolve) => setImmediate(resolve));';
  write('reads.mjs', [groupBy, tick, ...parts].join('\n'));
  const { stdout } = trackside(['run', '--no-live', '--reporter', 'json', 'reads.mjs'], { cwd: path });
  for (const { block, severity } of (JSON.parse(stdout) as JsonReport).results[0].violations)
    if (block !== null && severities.get(block.label) !== 'error') severities.set(block.label, severity);
});

describe('a value is known to be stale that was read by', () => {
  it.each(CASES.map(([setup, read, act], i) => [read, setup, act, i] as const))(
    '%s of %s before %s',
    (_read, _setup, _act, i) => {
      expect([severities.get(`stale${i}`), severities.get(`fresh${i}`)]).toEqual(['error', undefined]);
    },
  );
});

it('slots that each task takes and gives back for itself are no stale values', () => {
  write(
    'slots.mjs',
    `const slots = [null, null, null];
const tick = () => new Promise((resolve) => setImmediate(resolve));
async function use(job) {
  const free = slots.findIndex((slot) => slot === null);
  slots[free] = job;
  await tick();
  slots[free] = null;
}
await Promise.all([use('a'), use('b'), use('c')]);
console.log([...slots]);
`,
  );
  const { status, stdout } = trackside(['run', '--no-live', 'slots.mjs'], { cwd: path });
  expect([status, stdout]).toEqual([0, '[ null, null, null ]\n']);
});
