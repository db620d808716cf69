import { describe, expect, it } from 'vitest';
import { accesses, record } from './support.ts';

const world = { turn: () => new Promise((resolve) => setImmediate(resolve)) };

/**
 * What two tasks access that run `body` one after the other: each variable is touched by both, so all accesses are
 * recorded. Only those of the second are given, as the first may find things that are new.
 */
async function accessed(setup: string, body: string): Promise<string> {
  const recording = await record(
    `${setup}\nasync function task() { ${body} }\nmodule.exports = task().then(() => turn()).then(task);`,
    world,
  );
  const [, second] = accesses(recording).split(/^then#\d+: /m);
  return (second ?? '').trim();
}

describe('properties', () => {
  it.each([
    ['o.p;', 'r o.p'],
    ["o['p'];", 'r o.p'],
    ['o.p = {};', 'w o.p'],
    ['delete o.p;', 'w o.p'],
    ['o.p++;', 'u o.p'],
    ['o.p += 2;', 'u o.p'],
    ['o.b++; o.b -= 2n;', 'u o.b, u o.b'],
    ['if (o.p > 0) o.p--;', 'r o.p, u o.p'],
    ['if (o.p > 0) { await turn(); o.p--; }', 'r o.p, r o.p, w o.p'],
    ['const v = o.p++; return v;', 'r o.p, w o.p'],
    ["o.s += 'x';", 'r o.s, w o.s'],
    ["'p' in o;", 'r o.p'],
    ['const { p } = o;', 'r o.p'],
    // What is done next may depend on any of them.
    ['o.p; o.p; o.p;', 'r o.p, r o.p, r o.p'],
    ['for (let i = 0; i < 3; i++) o.p;', 'r o.p'],
    ['o.q?.r;', 'r o.q'],
    ['Object.keys(o);', 'r "keys of o"'],
    ['class C { static n = 0; }', ''],
  ])('%s', async (body, expected) => {
    expect(await accessed("const o = { p: 5, s: '', b: 5n };", body)).toBe(expected);
  });

  it('are told apart by object', async () => {
    const body = 'for (const o of [a, b]) o.p = {};';
    expect(await accessed('const a = {}, b = {};', body)).toBe('w o.p, w o#2.p');
  });

  it('are named by the class of their object', async () => {
    expect(await accessed('class Account { n = 1 } const a = new Account();', 'a.n;')).toBe('r Account#1.n');
  });

  it('may have symbols and numbers for keys', async () => {
    const setup = "const o = {}; const key = Symbol('k');";
    expect(await accessed(setup, 'o[key] = {}; o[7] = {};')).toBe('w o[Symbol(k)], w o[7]');
  });

  it('of frozen objects, objects without a prototype and functions are recorded', async () => {
    const setup = 'const f = Object.freeze({ p: 1 }), n = Object.create(null), g = function () {};';
    expect(await accessed(setup, 'f.p; n.p; g.p;')).toBe('r f.p, r n.p, r "function g.p"');
  });
});

describe('bindings', () => {
  it('are named by their name and line', async () => {
    expect(await accessed('let count = 0;', 'count = -count;')).toBe(
      'r "count (app.js:1)", w "count (app.js:1)"',
    );
  });

  it('that are counted up are updates', async () => {
    expect(await accessed('let count = 0;', 'count++;')).toBe('u "count (app.js:1)"');
  });
});

describe('containers', () => {
  it.each([
    ["m.get('a');", 'r "m[\\"a\\"]"'],
    ["m.has('a');", 'r "m[\\"a\\"]"'],
    ["m.set('a', {});", 'w "m[\\"a\\"]"'],
    ["m.delete('z');", 'r "m[\\"z\\"]", w "m[\\"z\\"]"'],
    ['m.set(n++, 1);', 'r "n (app.js:1)", w "n (app.js:1)", u m.size'],
    ['m.size;', 'r m.size'],
    ["set.add('k');", 'u "set[\\"k\\"]"'],
    ['list.push(1);', 'u list.length'],
    ['list.pop();', 'r list.length, w list.length'],
    ['if (list.length < 9) list.push(1);', 'r list.length, u list.length'],
    ['for (const x of list);', 'r list.length, r list[0], r list[1], r list[2], r list[3]'],
    ['const [x] = list;', 'r list.length, r list[0]'],
    ['new Map(m);', 'r m.size, r "m[\\"a\\"]"'],
    ['list.at(-1);', 'r list.length, r list[3]'],
    ['list[0];', 'r list[0]'],
    ['bytes[1] = 5;', 'w ArrayBuffer#1[2]'],
  ])('%s', async (body, expected) => {
    const setup =
      "const m = new Map([['a', 1]]), set = new Set(['k']), list = [1, 2, 3, 4], bytes = new Uint16Array(4); let n = 0;";
    expect(await accessed(setup, body)).toBe(expected);
  });

  it('of a class with methods of its own are recorded by what those do', async () => {
    const setup =
      'class Loud extends Map { get(key) { return super.get(key.toUpperCase()); } } const m = new Loud();';
    expect(await accessed(setup, "m.get('a');")).toContain('r "Loud#1[\\"A\\"]"');
  });

  it('of a class that is not instrumented, and has methods of its own, are accesses to its entries', async () => {
    const uninstrumented =
      'return class Recent extends Map { #kept = new Map(); get(key) { return this.#kept.get(key); } set(key, value) { this.#kept.set(key, value); } };';
    const setup = `const m = new (new Function(${JSON.stringify(uninstrumented)})())();`;
    expect(await accessed(setup, "m.get('a');")).toBe('r "Recent#1[\\"a\\"]"');
    expect(await accessed(setup, "m.set('a', 1);")).toBe('w "Recent#1[\\"a\\"]"');
  });
});

describe('the program does not notice', () => {
  it('a trap of a proxy that it did not cause', async () => {
    const program = `
      const seen = [];
      const handler = new Proxy({}, { get(_, trap) { seen.push(trap); } });
      const p = new Proxy({ a: 1 }, handler);
      p.a; p.b = 2;
      module.exports = seen;
    `;
    const { value } = await record(program);
    expect(value).toEqual(['get', 'set', 'getOwnPropertyDescriptor', 'defineProperty']);
  });

  it('a difference in what Promise and timers look like', async () => {
    const look = `const look = (f) => [f.name, f.length, 'prototype' in f];
      module.exports = [Promise.all, Promise.race, Promise.any, Promise.allSettled, setTimeout, queueMicrotask].map(look);`;
    const plain = [
      Promise.all,
      Promise.race,
      Promise.any,
      Promise.allSettled,
      setTimeout,
      queueMicrotask,
    ].map((f) => [f.name, f.length, 'prototype' in f]);
    expect((await record(look)).value).toEqual(plain);
  });
});

it('records nothing of objects that only one task touches', async () => {
  const recording = await record(
    `async function own() { const o = { p: 0 }; for (let i = 0; i < 9; i++) { o.p = i; await turn(); } return o.p; }
     module.exports = Promise.all([own(), own()]);`,
    world,
  );
  expect(accesses(recording)).toBe('');
});

it('makes paths of files variables', async () => {
  const program = `
    const { readFile, writeFile, appendFile } = require('node:fs/promises');
    const fs = require('node:fs');
    const file = require('node:path').join(require('node:os').tmpdir(), 'trackside-' + process.pid);
    async function save() { await writeFile(file, '1'); await appendFile(file, '2'); await readFile(file); }
    module.exports = save().then(save).then(() => fs.rmSync(file));
  `;
  const trace = accesses(await record(program));
  expect(trace.replaceAll(/"file [^"]*"/g, 'FILE')).toBe(
    // A file is written from the call on until its promise is settled.
    'save#1: w FILE, w FILE, u FILE, r FILE\nthen#1: w FILE, w FILE, u FILE, r FILE\nthen#2: w FILE',
  );
});
