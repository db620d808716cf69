/*
 * Programs for the faithfulness test: functions, classes, generators, promises. See snippets-values.ts.
 */

const HELPERS = `
const attempt = (f) => { try { log('value', f()) } catch (e) { log(e.name + ': ' + e.message) } };
const tick = (v) => new Promise((resolve) => later(() => resolve(v)));
`;

const programs: Record<string, string> = {
  'order of async functions': `
    const a = async (n) => { log('a', n, 1); await null; log('a', n, 2); await tick(); log('a', n, 3); return n };
    const b = async () => { log('b'); const r = await a(1); log('b', r); return a(2) }; function c() { return a(3) }
    const p = b(); log('sync'); const q = c(); return Promise.all([p, q, a(4)]).then((r) => log(r));`,
  ticks: `
    const f = async () => 1, g = async () => f(), h = async () => await f(), k = async () => { try { return f() } finally { log('finally') } };
    const steps = (name, p, n = 0) => { let done = false; p.then(() => done = true); const step = () => { if (done) return log(name, n); n++; return Promise.resolve().then(step) }; return step() };
    return (async () => { for (const [name, fn] of Object.entries({ f, g, h, k })) await steps(name, fn()) })();`,
  'errors of async functions': `
    const fails = async () => { throw new Error('x') }, later1 = async () => { await tick(); throw new Error('y') }, param = async (a = u.p) => 1; let u;
    const f = async () => { try { await fails() } catch (e) { log('caught', e.message); try { await later1() } finally { log('finally') } } };
    return f().catch((e) => log('outer', e.message)).then(() => param()).catch((e) => log(e.message)).finally(() => log('end'));`,
  'async try, catch and finally': `
    const f = async (n) => { try { if (n === 1) return await tick('r'); if (n === 2) throw await tick('t'); if (n === 3) return tick('x'); log('through') } catch (e) { log('c', await tick(e)); return 'c' } finally { log('f', n, await tick(1)); if (n === 3) return 'override' } return 'end' };
    return (async () => { for (let i = 0; i < 4; i++) log(await f(i)) })();`,
  'async methods and this': `
    class A { #v = 1; static s = 2; async m() { await null; return [this.#v++, await this.n(), (await (async () => this.#v)())] } async n() { return this.#v } static async t() { return this.s } async ['c' + 1]() { return arguments.length } async #p() { return 'p' } callP() { return this.#p() } }
    class B extends A { async m() { const r = await super.m(); return [...r, (() => super.n)().name, await (async () => super.n())()] } static async t() { return [await super.t(), super.s] } }
    return (async () => { log(await new B().m(), await B.t(), await new A().c1(1, 2), await new A().callP(), B.prototype.m.name, A.prototype.c1.name, B.prototype.m.length) })();`,
  'async arrows': `
    const o = { v: 1, f() { return Promise.all([(async () => this.v)(), (async (x = this.v) => { await x; return x + 1 })(), (async ({ a }, [b] = [2], ...c) => a + b + c.length)({ a: 1 })]) }, g: async () => ({ lit: 1 }), h: async x => await x };
    return o.f().then(log).then(() => Promise.all([o.g(), o.h(5), (async () => { })(), (async () => (1, 2))()])).then(log);`,
  'async with hoisted functions': `
    async function f(n) { log(g(), typeof h); await null; return g() + h(); function g() { return n++ } function h() { return v } var v = 3 }
    async function dup() { var g = 1; function g() {} return typeof g } async function twice() { function g() { return 1 } function g() { return 2 } return g() }
    async function param(g) { function g() { return 'inner' } await null; return g() } async function strict() { 'use strict'; return typeof this }
    return Promise.all([f(1), dup(), twice(), param(1), strict(), (async function named() { return typeof named })()]).then(log);`,
  'await in every place': `
    const o = { p: 1, q: { r: 2 }, m: new Map([['k', 1]]), f(a, b) { return [this === o, a, b] } }; let n = 1; const g = () => n;
    return (async () => { o.p += await tick(2); o[await tick('q')].r -= await tick(1); n += await tick(1); n = await tick(n) + n; o.p = await tick(7); o.z ??= await tick(8); o[await tick('y')] = await tick(9);
      log(o.p, o.q.r, n, o.z, o.y, o.f(await tick(1), await tick(2)), [await 1, ...await tick([2])], { a: await 3, ...await tick({ b: 4 }) }, \`\${await tick(5)}\`, (await tick(o)).p, (await tick(o))?.q.r, await o?.q?.r, !await tick(0), -await tick(1));
      const { p = await tick(0), w = await tick(1) } = await tick(o); if (await tick(true)) log(p, w); for (let i = await tick(0); i < await tick(2); i += await tick(1)) log(i); switch (await tick(2)) { case await tick(2): log('case') }
      log(o.m.get(await tick('k')), o.m.set(await tick('j'), await tick(2)).size, await (await tick(async () => 6))(), (await tick(1), 2), await tick(1) ? 'y' : 'n', new (await tick(Array))(2).length, typeof await tick(1), await await tick(3), delete (await tick(o)).z, 'p' in await tick(o)); })();`,
  'for await': `
    const it = (n, fail) => ({ [Symbol.asyncIterator]() { let i = 0; return { async next() { if (i === fail) throw new Error('it'); return { value: i, done: i++ >= n } }, async return() { log('return'); return {} } } } });
    return (async () => { for await (const x of it(2)) log(x); for await (const x of [tick(1), 2]) if (x) log(x); outer: for (const a of [1, 2]) for await (const x of it(3)) { if (x) continue outer; log(a, x) }
      lab: for await (const x of it(2)) { if (x) break lab; else continue lab } try { for await (const x of it(2, 1)) log(x) } catch (e) { log(e.message) } let o = {}; for await (o.p of it(1)) log(o.p); for await (const { length = 5 } of ['ab', 1]) log(length);
      return (async () => { for await (const x of it(5)) return x })() })().then(log);`,
  generators: `
    function* g(a) { try { const x = yield a; log('x', x); const y = yield* [1, 2]; log(y); yield { v: this?.v, arguments: arguments.length } } catch (e) { log('c', e); yield 'recovered' } finally { log('fin'); yield 'last' } return 'r' }
    const i = g.call({ v: 1 }, 0, 9); log(i.next(), i.next('in'), i.next(), i.next(), i.next(), i.next(), i.next()); const j = g(1); j.next(); log(j.throw('boom'), j.next(), j.next()); const k = g(2); log(k.return(5), k.next()); const l = g(3); l.next(); log(l.return(6), l.next(), l.next()); log([...(function* () { yield* [yield 1, yield] })()]);
    const o = { *m() { let n = 0; const f = () => n++; while (n < 3) yield f() }, n: 1 }; log([...o.m()], Object.prototype.toString.call(o.m()));`,
  'async generators': `
    async function* g(n) { try { for (let i = 0; i < n; i++) { const got = yield tick(i); if (got) log('got', got) } yield* [tick('a'), 'b']; const r = yield* inner(); log('r', r); return tick('end') } catch (e) { log('c', e); yield 'rec' } finally { log('fin', await tick(n)) } }
    async function* inner() { yield 1; return 'inner' } const all = async (i) => { const out = []; for await (const x of i) out.push(x); return out };
    return (async () => { log(await all(g(2))); const i = g(3); log(await i.next(), await i.next('v'), await i.throw('boom'), await i.next(), await i.next()); const j = g(1); log(await j.return(tick(4)), await j.next()); const k = g(2); await k.next(); log(await k.return(8)); const m = g(2); log(await Promise.all([m.next(), m.next(), m.next()]));
      class A { async *[Symbol.asyncIterator]() { yield this.#v; yield } #v = 3; static async *s() { yield super.constructor === undefined } } log(await all(new A()), await all(A.s()), await all((async function* () { try { yield 1 } finally { yield 2 } })())) })();`,
  'promise chains': `
    const p = Promise.resolve(1), f = (x) => x + 1, o = { f: (x) => { throw new Error('o' + x) }, h() { return 7 } }; const log2 = (x) => log('log2', x);
    const chain = p.then(f).then(f, o.f).then(o.f).catch((e) => (log(e.message), 5)).finally(() => log('fin')).then(undefined, f).then(null).then(log2); log(chain instanceof Promise, p.then === Promise.prototype.then);
    const thenable = { then(a, b) { log('then called', typeof a, typeof b, this === thenable); a(3) } }; thenable.then(log2, log2); const weird = { then: (...x) => x.length, catch: (x) => x, finally: (x) => x() }; log(weird.then(1), weird.then(f, f, f), weird.catch(5), weird.finally(() => 6), weird.finally(o.h));
    let q = p; const setQ = () => { q = null }; q.then(setQ).then(() => log(q)); return chain.then(() => Promise.all([1, thenable])).then(log2).then(() => new Promise((r) => r(p))).then(log2);`,
  'plain functions that make promises': `
    const f = (x) => new Promise((r) => later(() => r(x))), g = (x) => f(x).then((y) => y + 1), h = function (x) { if (x < 0) throw new RangeError('neg'); if (x === 0) return; if (x === 1) return 'plain'; try { return f(x).then(log) } finally { log('fin', x) } };
    function fall(x) { if (x) return Promise.resolve(x) } function nested() { const inner = () => Promise.reject(new Error('in')); return inner().catch((e) => e.message) } class T { constructor() { return f(1) } static s() { return Promise.all([f(1), f(2)]) } get p() { return Promise.resolve(this.v) } set p(v) { this.v = v; return Promise.resolve() } then(a) { return Promise.resolve(4).then(a) } }
    log(f.name, g.length, h.name, fall.length); attempt(() => h(-1)); log(h(0), h(1), fall(0), new T() instanceof Promise); const t = Object.create(T.prototype); t.p = 3;
    return Promise.all([g(1), h(2), fall(5), nested(), T.s(), t.p, (() => (0, Promise.resolve(3)))(), ((c) => c ? f(1) : null)(0)]).then(log).then(async () => log(await t));`,
  'down-levelled async functions': `
    var __awaiter = function (thisArg, _arguments, P, generator) { return new Promise(function (resolve, reject) { function fulfilled(value) { try { step(generator.next(value)); } catch (e) { reject(e); } } function rejected(value) { try { step(generator["throw"](value)); } catch (e) { reject(e); } } function step(result) { result.done ? resolve(result.value) : Promise.resolve(result.value).then(fulfilled, rejected); } step((generator = generator.apply(thisArg, _arguments || [])).next()); }); };
    function _asyncToGenerator(fn) { return function () { var self = this, args = arguments; return new Promise(function (resolve, reject) { var gen = fn.apply(self, args); function next(v) { let r; try { r = gen.next(v) } catch (e) { return reject(e) } if (r.done) resolve(r.value); else Promise.resolve(r.value).then(next, (e) => { try { next2(gen.throw(e)) } catch (e) { reject(e) } }) } function next2(r) { if (r.done) resolve(r.value); else Promise.resolve(r.value).then(next) } next() }) } }
    class A { constructor() { this.v = 1 } m(x) { return __awaiter(this, void 0, void 0, function* () { try { this.v += yield tick(x); yield; return this.v } catch (e) { return yield e } finally { log('fin') } }) } }
    function b() { return _b.apply(this, arguments) } function _b() { _b = _asyncToGenerator(function* (x) { try { yield Promise.reject(x) } catch (e) { return 'c' + e } }); return _b.apply(this, arguments) }
    return Promise.all([new A().m(4), b(1), b(2)]).then(log);`,
  'compiled state machines': `
    var __awaiter = function (t, a, P, g) { return new Promise(function (resolve, reject) { function f(v) { try { s(g.next(v)) } catch (e) { reject(e) } } function r(v) { try { s(g["throw"](v)) } catch (e) { reject(e) } } function s(x) { x.done ? resolve(x.value) : Promise.resolve(x.value).then(f, r) } s((g = g.apply(t, a || [])).next()) }) };
    var __generator = function (thisArg, body) { var _ = { label: 0, sent: function() { return t }, trys: [] }, t; return { next: function (v) { t = v; var op = body.call(thisArg, _); if (op[0] === 4) { _.label++; return { value: op[1], done: false } } return { value: op[1], done: true } } } };
    function f(x) { return __awaiter(this, void 0, void 0, function () { var y, o; return __generator(this, function (_a) { switch (_a.label) { case 0: o = { n: 1 }; return [4 /*yield*/, tick(x)]; case 1: y = _a.sent(); o.n += y; return [4, tick(o.n)]; case 2: log(_a.sent(), o.n); return [2 /*return*/, tick(y)]; } }); }); }
    return f(5).then(log);`,
  classes: `
    const order = []; const mark = (x) => (order.push(x), x); class Base { constructor(x) { this.x = x; log('Base', new.target.name) } get g() { return this.x } set g(v) { this.x = v } m() { return 'base' + this.x } static s() { return this.name } }
    class A extends Base { [mark('k1')] = mark('f1'); static [mark('k2')] = mark('s1'); #p = 5; static #q = 6; y = this.x + 1; arrow = () => this.#p++; static { order.push('block'); const t = this; let n = 0; (() => n++)(); this.blocked = n + t.#q } constructor(x) { super(x); this.z = super.m(); super.g = 9; this.#p += 1; this.#p ||= 3; ++this.#p }
      get #acc() { return this.#p } set #acc(v) { this.#p = v } bump() { this.#acc += 10; this.#acc++; return [this.#acc, this.#m(), this?.#p, this.#m?.()] } #m() { return super.m() + super.g + super['m']() } m() { return super.m() + 'A' } static s() { return super.s() + A.#q++ + ++A.#q } static n = class { static v = A.#q } }
    const a = new A(1); log(order, a.y, a.z, a.x, a.arrow(), a.bump(), a.m(), A.s(), A.blocked, A.n.v, Object.keys(a)); attempt(() => A()); attempt(() => a.bump.call({})); attempt(() => { class D extends Base { constructor() { this.x = 1 } } new D() }); attempt(() => { class D extends Base { constructor() { } } new D() }); attempt(() => new (class extends null {})());`,
  'classes that extend containers': `
    class LRU extends Map { #hits = 0; get(k) { this.#hits++; const v = super.get(k); if (v !== undefined) { super.delete(k); super.set(k, v) } return v } set(k, v) { if (super.has(k) === false && this.size > 1) super.delete(this.keys().next().value); return super.set(k, v) } get hits() { return this.#hits } clear() { super.clear(); return 'cleared' } both(k, f) { return [super.get(f(k)), super.has(f('z'))] } }
    const c = new LRU(); c.set('a', 1).set('b', 2); c.get('a'); c.set('c', 3); log([...c.keys()], c.hits, c.both('a', (x) => (log('f', x), x)), c.clear(), c.size); class Stack extends Array { peek() { return this.at(-1) } push(...x) { log('push', x); return super.push(...x) } } const s = new Stack(); log(s.push(1, 2), s.peek(), s.map((x) => x) instanceof Stack);`,
  'object literals': `
    const base = { m() { return 'b' + this.v }, v: 0 }; let captured = 1; const f = () => captured++; const o = { __proto__: base, v: 2, m() { return super.m() + '!' }, get a() { return captured }, set a(x) { captured = x }, captured, ['x' + captured]: captured, f, async *g() {}, 'quoted key': 1, 3: 4, ...{ s: 1 } }; o.a = 7; o.a++; log(o.m(), o.a, o.captured, o.x1, o, captured, f(), { captured }.captured, ({ f: { captured } }).f.captured);`,
  'a Symbol of its own': `var mine = { p: 1 }; mine.p++; log(typeof Symbol, mine.p); var Symbol = mine;`,
  'using the same name': `var __ts_read = 'mine', __ts_base = 5; const o = { p: 1 }; o.p++; log(__ts_read, __ts_base, o.p, typeof __ts1_read);`,
  'promises made by hand': `
    let keep; const p = new Promise(function (resolve, reject) { log(this === undefined || this === globalThis, arguments.length, resolve.name, resolve.length, reject.length, 'prototype' in resolve); keep = resolve; return 5 }); attempt(() => new Promise()); attempt(() => new Promise({})); attempt(() => Promise(() => {})); attempt(() => new keep()); log(p.constructor === Promise, keep(3), keep(4));
    const q = new Promise(() => { throw new RangeError('thrown') }); const r = new Promise((resolve) => { resolve(1); throw new Error('late') }); class Mine extends Promise {} const m = new Mine((resolve) => resolve(7)); const inner = new Promise((resolve) => resolve(new Promise((again) => again('deep')))); const with2 = new Promise((...both) => both[1](new Error('both')));
    const f = async (x) => new Promise((resolve) => later(() => resolve(x))); const g = async () => { if (keep) return new Promise((resolve) => resolve(8)) };
    return Promise.allSettled([p, q, r, m, inner, with2, f(6), g(), new Promise((resolve) => resolve({ then(done) { done('thenable') } }))]).then((all) => log(m instanceof Mine, all.map((one) => one.value ?? one.reason.message)));`,
  'timers and callbacks': `
    let n = 0; const bump = () => { n++; log('bump', n) }; later(bump); later(() => bump()); const e = { hs: [], on(h) { this.hs.push(h); return this }, emit(...a) { for (const h of this.hs) h.apply(this, a) } }; e.on(bump).on((x) => log('on', x)).emit(3); queue(() => log('q', n)); function queue(f) { Promise.resolve().then(f) } [3, 1, 2].sort((a, b) => (log('cmp'), a - b)); ['a'].forEach(async (x) => { await null; log('each', x) }); [1, 2].map(async (x) => x).forEach((p) => p.then(log));`,
  'sequences in one expression': `
    const o = { p: 0, f(x) { this.p += x; return this }, get self() { log('self'); return this } }; let v = o; const swap = () => { v = { p: 100, get: (x) => x, self: o }; return 'k' }; log(o.f(1).f(2).p, o.self.self.p, (o.f(1), o).p, v[swap()], v.get((v = { get: () => 'other' }, 1)), v.get(5)); v = new Map([['k', 1]]); log(v.get(swap()), v.p); const t = (log('a'), o); t.self.p = t.self.p + 1; log(t.p, [t.p++, t.p, --t.p], (t.p += 1) + (t.p -= 2));`,
  'keywords without spaces': `
    const o={n:1};let z=0;const f=()=>{if(o.n)return!o.n||tick(o.n).then(e=>[e]);return[o.n]};const h=function*(){yield[o.n];yield*[o.n];return(o.n)};
    const g=async()=>{await(o.n);await[o.n];await!o.n;for(const k of[o.n])z+=k;for(const k in{a:o.n})log(k);switch(z){case-o.n:break;case(o.n):z++}if(z)log(typeof(o.n),void(o.n));else(z=o.n);return"x"+o.n};
    return(async()=>{log(await f(),await g(),[...h()],"a"in{a:o.n},o instanceof(Object));try{throw[o.n]}catch(e){log(e)}})();`,
  'exceptions pass through': `
    const boom = () => { throw new TypeError('boom') }; const o = { get p() { return boom() }, set q(v) { boom() }, m: new Map() }; attempt(() => o.p); attempt(() => { o.q = 1 }); attempt(() => o.m.get(boom())); attempt(() => { o.x = boom() }); attempt(() => { o[boom()] = 1 }); attempt(() => [...{ [Symbol.iterator]: boom }]); attempt(() => { for (const x of { [Symbol.iterator]: boom }); }); attempt(() => { const { a = boom() } = {} }); attempt(() => { boom().p = log('never') }); attempt(() => new Proxy({}, { get: boom }).x); attempt(() => ({ ...new Proxy({}, { ownKeys: boom }) })); attempt(() => o?.p.q); attempt(() => { o.m.size = 1; return o.m.size });
    function deep() { try { boom() } finally { log('finally') } } attempt(deep); const where = new Error().stack.split('\\n').length > 1; log(where);`,
};

export const controlPrograms = new Map(
  Object.entries(programs).map(([name, code]) => [name, HELPERS + code]),
);
