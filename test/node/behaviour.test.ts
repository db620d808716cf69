import { spawnSync } from 'node:child_process';
import { constants } from 'node:os';
import { describe, expect, it, test } from 'vitest';
import { temporaryFolder, trackside } from '../cli/run.ts';

/* Programs that fail, or look at themselves, do so in the same way when they are watched. */

const folder = temporaryFolder();

function plain(name: string, args: readonly string[] = []) {
  const { NO_COLOR: _, FORCE_COLOR: __, ...env } = process.env;
  return spawnSync(process.execPath, [name, ...args], { cwd: folder.path, encoding: 'utf8', env });
}

function watched(name: string, args: readonly string[] = []) {
  return trackside(['run', '--no-live', '--quiet', name, ...args], { cwd: folder.path });
}

/**
 * Node shows a path instead of a URL, and one more empty line, above the stack of what nobody caught; and it comes to
 * the first line of a program by another way.
 */
function complaint(stderr: string): string {
  const lines = stderr.replaceAll('file://', '').split('\n');
  return lines
    .filter((line) => line !== '' && !/^ +(at .*node:internal|\.\.\. \d+ lines)/.test(line))
    .join('\n');
}

/** What V8 says about these quotes an expression, in which there is a probe. */
const QUOTED = [
  'o.p.q.r.s()',
  'o?.p.q.f()',
  'o.p?.q?.f()',
  'o.p.get(1)',
  'o.p.q[k](1, 2)',
  "o['p'].q['s t']()",
  'o.p[o.n]()',
  '(0, o.p.q)()',
  'new (o.p.q)()',
  '(o.p ?? k).f()',
  '(!o.p).f()',
  '(typeof o.p).f()',
  '(o.p + 1).f()',
  '[o.p, k, ...[1]][0].f()',
  '(o.z += 1).f()',
  '(o.z++).f()',
  '(delete o.z).f()',
  "('a' in o.p).f()",
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is one of the program's
  '`${o.p}`.f()',
  '(o.p, o.n).f()',
  'o.p /* here */ .q.f()',
  'o.p.q.then(() => {})',
  '(() => o.p)(...o.n)',
  '[...o.p]',
  '[...o.n]',
  '[...f(o.p)]',
];
const QUOTED_IN_STATEMENTS = [
  'for (const x of o.p) ;',
  'for (const x of f(o.p)) ;',
  'const { a } = o.x',
  'const { ...a } = o.n',
  'const {} = o.n',
  'let a; ({ a } = o.n)',
  'const { a } = o?.n',
  'const { a } = k.match(/z/)',
  'const [a] = o.p',
  'const [a] = o.n',
  'const [a] = o.x',
  'const [a] = f()',
  'class A { #x = {}; m() { this.#x.y() } } new A().m()',
];

it('messages that quote an expression quote that of the source', () => {
  const tries = [
    ...QUOTED.map((text) => `() => ${text}`),
    ...QUOTED_IN_STATEMENTS.map((text) => `() => { ${text} }`),
  ];
  folder.write(
    'messages.mjs',
    `const o = { p: { q: { r: {} } }, n: null }, k = 'key', f = () => o.p;
for (const attempt of [
${tries.join(',\n')}
]) try { attempt() } catch (e) { console.log(e.message) }
await (async () => { (await o.p).f() })().catch((e) => console.log(e.message));
await (async () => { for await (const x of o.p) ; })().then(null, (e) => console.log(e.message));
await (async () => { const { a } = await o.n })().catch((e) => console.log(e.message));`,
  );
  const expected = plain('messages.mjs').stdout;
  expect(expected.split('\n')).toHaveLength(tries.length + 4);
  expect(watched('messages.mjs').stdout).toBe(expected);
});

describe('a program that ends with', () => {
  const endings: [what: string, name: string, source: string][] = [
    [
      'an error that nobody catches, in a module',
      'uncaught.mjs',
      `const account = { owner: null };
async function nameOf(account) {
  await null;
  return account.owner.name;
}
console.log('before');
console.log(await nameOf(account));`,
    ],
    [
      'an error in the callback of a timer',
      'timer.cjs',
      `const stock = { apples: 1 };
function take(from, item) { return from.fruit[item]; }
setTimeout(() => { take(stock, 'apples'); }, 1);`,
    ],
    [
      'a rejection that nobody handles',
      'rejection.cjs',
      `async function save() { await null; throw Object.assign(new RangeError('disk full'), { code: 'E1' }); }
save();`,
    ],
    [
      'a call of what is no function',
      'quoted.mjs',
      `const shop = { stock: { apples: {} } };
async function take(from) {
  await null;
  return from.stock.apples.take();
}
await take(shop);`,
    ],
    ['a rejection with what is no error', 'rejected.cjs', 'Promise.reject({ reason: 42 });'],
    ['something that is no error', 'thrown.mjs', 'await Promise.resolve();\nthrow { reason: 42 };'],
    ['an error with a cause', 'cause.cjs', `throw new Error('outer', { cause: new TypeError('inner') });`],
    ['an exit code', 'exit-code.mjs', 'async function f() { await null; process.exitCode = 5; }\nawait f();'],
    ['process.exit', 'exit.cjs', `process.on('exit', (code) => console.log('bye', code)); process.exit(7);`],
    [
      'a promise that is never settled',
      'unsettled.mjs',
      `console.log('waiting');\nawait new Promise(() => {});`,
    ],
    [
      'an assertion',
      'assertion.mjs',
      `import assert from 'node:assert';\nassert.deepStrictEqual([1, 2], [1, 3]);`,
    ],
  ];
  it.each(endings)('%s', (_, name, source) => {
    folder.write(name, source);
    const expected = plain(name);
    const found = watched(name);
    expect(found.stdout).toBe(expected.stdout);
    expect(complaint(found.stderr)).toBe(complaint(expected.stderr));
    expect(found.status).toBe(expected.status);
  });

  it('a signal is said to have ended so, as a shell says it', () => {
    folder.write(
      'killed.mjs',
      `console.log('here');\nprocess.kill(process.pid, 'SIGTERM');\nsetInterval(() => {}, 1000);`,
    );
    expect(plain('killed.mjs').signal).toBe('SIGTERM');
    expect(watched('killed.mjs')).toMatchObject({
      stdout: 'here\n',
      status: 128 + constants.signals.SIGTERM,
    });
  });

  it('a syntax error is left to Node to complain about', () => {
    folder.write('syntax.mjs', 'let x = ;\n');
    const { status, stderr } = watched('syntax.mjs');
    expect(status).toBe(1);
    expect(stderr).toContain('trackside: warning: syntax.mjs: not instrumented');
    expect(stderr).toContain(plain('syntax.mjs').stderr.trimEnd());
  });
});

test('an uncaught error of a TypeScript program has the position that its author sees', () => {
  folder.write(
    'typed.ts',
    `interface Owner { name: string }
enum Kind { Private, Company }

class Account {
  constructor(readonly owner: Owner | null, public kind = Kind.Private) {}

  async nameOf(): Promise<string> {
    await null;
    return this.owner!.name;
  }
}

console.log(await new Account(null).nameOf());
`,
  );
  const { status, stderr } = watched('typed.ts');
  expect(status).toBe(1);
  expect(stderr).toMatch(
    /Cannot read properties of null \(reading 'name'\)\n {4}at Account\.nameOf \(.*typed\.ts:9:\d+\)/,
  );
  expect(stderr).toMatch(/\n {4}at async .*typed\.ts:13:\d+/);
});

describe('a program that looks at', () => {
  const looks: [what: string, name: string, source: string][] = [
    [
      'its stacks',
      'stacks.mjs',
      `import { readFile } from 'node:fs/promises';
class A {
  async m(x) { await null; throw new TypeError('no ' + x); }
  static s() { return new Error('static').stack; }
}
async function outer() { await new A().m('way'); }
const own = (stack) => stack.split('\\n').filter((line) => !line.includes('node:internal')).join('\\n');
const show = (error) => console.log(own(error.stack));
await outer().catch(show);
console.log(own(A.s()));
await readFile('/none').catch(show);
try { Buffer.alloc('x'); } catch (error) { show(error); }
try { null.x; } catch (error) { show(error); }
const o = { a: { b: 1 } };
try { o.a.c.d(); } catch (error) { show(error); }
try { o.f(); } catch (error) { show(error); }
try { [1].map(() => { throw new RangeError('in map'); }); } catch (error) { show(error); }
setTimeout(() => show(new Error('timer')), 1);
setImmediate(function named() { show(new Error('immediate')); });
Promise.resolve().then(() => show(new Error('reaction')));
console.log(Object.keys(Error));`,
    ],
    [
      'its functions',
      'functions.cjs',
      `class A { async m(a, b = 1) {} static async *g(a) {} get p() { return 1; } #x() {} }
const arrow = async (a, b, ...rest) => {};
const o = { async method(a) {}, async 'quoted-name'() {}, async [Symbol.iterator]() {}, f: async function () {} };
for (const f of [A, A.prototype.m, A.g, arrow, ...Object.values(o), o[Symbol.iterator], async () => {}, Promise.all, setTimeout])
  console.log(f.name, f.length, typeof f, Object.keys(f), 'prototype' in f);
console.log(A, new A(), arrow, o, [arrow], new (class extends A {})());
console.log(Object.prototype.toString.call(arrow), arrow instanceof Function, arrow.constructor.name);`,
    ],
    [
      'its promises',
      'promises.mjs',
      `async function load() { await null; return { inner: Promise.resolve(2) }; }
class Later extends Promise { extra = 1; }
console.log(load(), Promise.resolve(3), [load()], { p: (async () => {})() }, new Later(() => {}), await load());
console.log(Object.keys(load()), JSON.stringify(load()), await Promise.allSettled([Promise.reject(1), 2]));
const failed = Promise.reject('x');
console.log(failed);
failed.catch(() => console.log(failed));`,
    ],
    [
      'how it was started',
      'started.cjs',
      `console.log(require.main === module, process.argv.slice(2), process.argv[1] === __filename, process.execArgv);
console.log(module.id, process.mainModule === module, __dirname === process.cwd(), this === exports);
console.log(Object.keys(process.env).filter((name) => name.includes('TRACKSIDE')));
console.log(Object.keys(require.cache), process._preload_modules, new Error('here').stack);`,
    ],
    [
      'in which order things happen',
      'order.cjs',
      `const say = (what) => () => console.log(what);
setImmediate(say('immediate'));
process.nextTick(say('tick'));
Promise.resolve().then(say('reaction')).then(say('second reaction'));
queueMicrotask(say('microtask'));
(async () => { say('called')(); await null; say('awaited')(); process.nextTick(say('inner tick')); await null; say('again')(); })();
say('main')();`,
    ],
    [
      'in which order things happen in a module',
      'order.mjs',
      `const say = (what) => () => console.log(what);
process.nextTick(say('tick'));
Promise.resolve().then(say('reaction')).then(say('second reaction'));
async function f() { say('called')(); await null; say('awaited')(); return g(); }
async function g() { await null; say('inner')(); throw new Error('x'); }
f().catch(say('caught')).finally(say('finally'));
for await (const x of [1, Promise.resolve(2)]) say(x)();
await null;
say('end')();`,
    ],
  ];
  it.each(looks)('%s sees what it would see', (_, name, source) => {
    folder.write(name, source);
    const expected = plain(name, ['--an-option', 'a b']);
    const found = watched(name, ['--an-option', 'a b']);
    expect(found.stdout).toBe(expected.stdout);
    expect(found.stderr).toBe(expected.stderr);
    expect(found.status).toBe(0);
  });
});
