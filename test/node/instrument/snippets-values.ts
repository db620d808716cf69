/*
 * Programs for the faithfulness test: properties, variables, operators, destructuring, optional chains. Each logs what it
 * does; `log` and `later` (a callback from the event loop) are given. In the spirit of test262: every getter, conversion
 * and order of evaluation is visible in the log.
 */

const TRACER = `
const trace = (name, value) => { log('eval', name); return value };
const watched = (name, target = {}) => new Proxy(target, {
  get(t, k, r) { log(name, 'get', String(k)); return Reflect.get(t, k, r) },
  set(t, k, v, r) { log(name, 'set', String(k), v); return Reflect.set(t, k, v, r) },
  has(t, k) { log(name, 'has', String(k)); return Reflect.has(t, k) },
  deleteProperty(t, k) { log(name, 'delete', String(k)); return Reflect.deleteProperty(t, k) },
  ownKeys(t) { log(name, 'ownKeys'); return Reflect.ownKeys(t) },
  getOwnPropertyDescriptor(t, k) { log(name, 'descriptor', String(k)); return Reflect.getOwnPropertyDescriptor(t, k) },
});
const key = (name) => ({ toString() { log('key', name); return name } });
const attempt = (f) => { try { log('value', f()) } catch (e) { log(e.name + ': ' + e.message) } };
`;

const programs: Record<string, string> = {
  'getters run once': `
    const o = watched('o', { get p() { log('getter'); return 3 } });
    log(o.p, o['p'], o[key('p')], o[trace('k', 'p')]);`,
  'setters run once, after the value': `
    const o = watched('o', { set p(v) { log('setter', v) } });
    trace('o', o).p = trace('v', 1); o[key('p')] = 2; trace('o', o)[trace('k', key('p'))] = trace('v', 3);
    log(o.p = 4);`,
  'compound assignment reads, then evaluates, then writes': `
    const o = watched('o', { p: 1, q: 'a', b: 1n });
    o.p += trace('d', 2); o.p -= trace('d', 1); o.q += trace('d', 2); o.b += 2n; o.b -= 1n;
    trace('o', o).p += trace('d', 1); trace('o', o)[trace('k', 'p')] -= trace('d', 1);
    o[key('p')] += 1; o[key('p')]++; --o[key('p')];
    log(o.p *= trace('d', 5), o.p **= 2, o.p, o.p %= 7, (o.p <<= 1, o.p));
    o.p += { valueOf() { log('valueOf'); return 1 } };
    log(o.p);`,
  increments: `
    const o = watched('o', { p: 1, s: '5', u: undefined, b: 9n, n: null });
    o.p++; ++o.p; o.p--; --o.p; o.s++; o.u++; o.b++; o.n--;
    log(o.p++, ++o.p, o.p--, --o.p, o.s, o.u, o.b, o.n, typeof o.s);
    o
      .p++; trace('o', o).p++; trace('o', o)[trace('k', 'p')]++;
    log(o.p); o.p /* a */ ++ /* b */; ++ /* c */ o.p; log(o.p, - o.p++, -(-o.p));`,
  'increments inside other operators': `
    const o = { p: 0 }; let n = 0; const f = () => { n = 5 };
    true && o.p++; false || n++; true ? o.p++ : n++; void o.p++; void n++; o.p++, n++;
    for (o.p = 0; o.p < 3; o.p++) n++; for (n = 0; n < 2; n++);
    log(o.p, n); f(); log(n--, --n, n++ + ++n, n);`,
  'logical assignment stops early': `
    const o = watched('o', { t: 1, f: 0, n: null });
    log(o.t ||= trace('v', 2), o.f ||= trace('v', 3), o.t &&= trace('v', 4), o.n ??= trace('v', 5), o.n ??= trace('v', 6));
    trace('o', o).f &&= trace('v', 7); trace('o', o)[trace('k', 'z')] ??= trace('v', 8); o[key('t')] ||= 9;`,
  'assignment to nothing': `
    let u; const n = null;
    attempt(() => { u.p = trace('v', 1) }); attempt(() => n.p); attempt(() => { u.p += trace('d', 1) });
    attempt(() => { u[trace('k', 'p')] = trace('v', 1) }); attempt(() => { u.p++ }); attempt(() => u.a.b);
    attempt(() => { n.p ||= trace('v', 1) }); attempt(() => delete n.p); attempt(() => u[key('k')]);
    attempt(() => { undeclared.p = 1 }); attempt(() => undeclared.p); attempt(() => 'p' in 5);
    attempt(() => u()); attempt(() => u.f()); attempt(() => n.a.f());`,
  'messages name the callee': `
    const o = { a: {}, f: 1 }; let captured = {}; const c = () => { captured = 1 };
    attempt(() => o.f()); attempt(() => o.g()); attempt(() => o.a.g()); attempt(() => captured.g()); attempt(() => captured.a.g()); attempt(() => captured[0]()); attempt(() => captured());
    attempt(function () { return this.g() }.bind(o)); attempt(function () { return this.a.g() }.bind(o));
    attempt(() => o.g().h()); attempt(() => o['f']()); attempt(() => new o.f()); attempt(() => o.get(1)); attempt(() => o.clear());
    attempt(() => o.then(() => 1)); attempt(() => undefinedFunction()); attempt(() => o.a.g\`x\`);`,
  'strict mode errors': `'use strict';
    const frozen = Object.freeze({ p: 1 });
    const attempt = (f) => { try { log('value', f()) } catch (e) { log(e.name + ': ' + e.message) } };
    attempt(() => { frozen.p = 2 }); attempt(() => { frozen.p++ }); attempt(() => { frozen.p += 1 }); attempt(() => delete frozen.p);
    attempt(() => { frozen.q = 1 }); attempt(() => { 'text'.p = 1 }); attempt(() => { const c = 1; c++ });
    attempt(() => { undeclared = 1 }); attempt(function () { return this }); log(frozen);`,
  'sloppy mode swallows': `
    const frozen = Object.freeze({ p: 1 }); frozen.p = 2; frozen.p++; frozen.p += 1; log(delete frozen.p, frozen);
    (function () { log(typeof this) })(); sloppyGlobal = 1; sloppyGlobal++; log(sloppyGlobal, delete globalThis.sloppyGlobal);`,
  'in and delete': `
    const o = watched('o', { p: 1 });
    log('p' in o, key('q') in o, trace('k', 'p') in trace('o', o), delete o.p, delete o[key('z')], delete trace('o', o).q);
    log(delete trace('o', o)[trace('k', 'r')], delete o?.p, delete o?.a?.b, delete null?.x, 'p' in o);
    class A { #x = 1; static has(v) { return #x in v } } log(A.has(new A()), A.has({}));`,
  'optional chains stop early': `
    const o = watched('o', { a: watched('a', { b: { c: 5, f() { return this.c } } }), m: new Map([[1, { v: 2 }]]) });
    const n = null; let u;
    log(o?.a, o?.a.b.c, o.a?.b.c, o?.a?.b?.c, o?.x?.y.z, n?.a.b.c, u?.[trace('k', 'a')].b, n?.a(trace('x', 1)).b);
    log(o?.a.b.f(), o.a?.b.f(), o.a.b.f?.(), o.a.b.g?.(trace('x', 1)), o?.a['b'].c, o?.[key('a')].b.c, u?.());
    log(o?.m.get(1).v, o?.m?.get(1)?.v, o.q?.get(1).v, o?.m.size, (o?.a).b.c, (o?.a.b.f)(), (o.a?.b).f(), (o?.a.b).f());
    attempt(() => o?.x.y); attempt(() => o.x?.y.z); attempt(() => o?.a.x.y); attempt(() => (o?.x).y);
    log(typeof o?.a.b.c, !o?.a.b.c, o?.a.b.c + 1, -o?.a.b.c, o?.a.b.c ?? 1, o?.a.b.c ? 'y' : 'n', [...(o?.a.b.d ?? [])]);`,
  'optional calls keep this': `
    const o = { v: 1, f() { return this.v }, g: { v: 2, f() { return this?.v } } };
    log(o.f?.(), o?.f?.(), o?.g.f(), o.g?.f?.(), (o?.f)(), (o.g?.f)(), (o?.g.f)(), o?.['f'](), o.g?.['f']?.());
    log(o?.g.f?.().x?.y, o?.f().x, [1, 2]?.map((x) => x + 1).length, o?.g.h?.().i.j);`,
  'destructuring order': `
    const o = watched('o', { a: 1, b: undefined, c: { d: 4 }, e: 5, f: 6 });
    const { a, b = trace('default b', 2), c: { d, z = trace('default z', 26) }, [key('e')]: e, ...rest } = trace('o', o);
    log(a, b, d, z, e, rest);
    let x, y; const t = watched('t');
    ({ a: x, b: y = trace('default', 1), c: t.p, e: t[trace('k', 'q')], f: trace('t', t).r } = o);
    log(x, y); [x, y] = [y, x]; [t.p, t[key('q')], ...t.r] = [1, 2, 3, 4]; log(x, y);
    log(({ a: x } = o) === o);`,
  'destructuring of captured variables': `
    let a = 1, b = 2, c; const f = () => [a, b, c];
    [a, b] = [b, a]; log(f()); ({ a, b: [b], ...c } = { a: 5, b: [6], d: 7 }); log(f());
    let { length } = 'four', [first, , third = 'x', ...others] = [1, 2]; const g = () => (length++, [length, first, third, others]); log(g());
    for ([a, b] of [[1, 2], [3, 4]]) log(f()); for ({ a } of [{ a: 9 }]) log(f()); for (a in { k: 1 }) log(f()); for (a of 'xy') log(f());`,
  'destructuring nothing': `
    let u; const n = null;
    attempt(() => { const { a } = u; }); attempt(() => { const { a } = n; }); attempt(() => { const [a] = u; });
    attempt(() => { for (const a of u) ; }); attempt(() => { for (const a of n) ; }); attempt(() => { for (const [a] of [u]) ; });
    attempt(() => { const {} = u; }); attempt(() => { const { a: { b } } = { a: undefined }; });
    attempt(function () { const { a } = this; return a }.bind({ a: 1 })); attempt(() => { const { a } = a; });`,
  'iterators are closed': `
    const iterable = (name, n) => ({ [Symbol.iterator]() { let i = 0; log(name, 'open'); return {
      next() { log(name, 'next'); return { value: i, done: i++ >= n } }, return() { log(name, 'return'); return {} } } } });
    const [a] = iterable('one', 3); const [b, ...c] = iterable('two', 2); log(a, b, c, [...iterable('three', 2)], Math.max(...iterable('four', 2)));
    for (const x of iterable('five', 3)) if (x) break; outer: for (const x of iterable('six', 2)) for (const y of iterable('seven', 2)) continue outer;
    try { for (const x of iterable('eight', 2)) throw x } catch (e) { log('caught', e) }
    log((() => { for (const x of iterable('nine', 2)) return x })());`,
  'spread and rest': `
    const o = watched('o', { a: 1, [Symbol('s')]: 2 });
    log({ z: 0, ...trace('o', o), y: 1 }, { ...null, ...undefined, ...'ab', ...[7] }, [...[1], ...'bc']);
    const f = (a, ...b) => [a, b]; log(f(...[1, 2], 3, ...'x'), f(...new Set([1])), new Date(...[2020, 1]).getFullYear());
    log(Object.assign({ a: 1 }, o, null, { b: 2 }), Object.assign(trace('t', {}), trace('s', { c: 3 })), Object.keys(o), Object.values(o), Object.entries(o), JSON.stringify(o));`,
  'for in': `
    const o = watched('o', { a: 1, b: 2 }); for (const k in o) log(k); for (const k in null) log(k); for (var k in 'ab') log(k); log(k);
    const t = {}; for (t.k in { x: 1 }) log(t.k); for (t[trace('k', 'm')] in { y: 1 }) log(t.m);`,
  'built-in containers': `
    const m = new Map(), s = new Set(), a = [3, 1, 2]; const makeMap = () => trace('m', m);
    log(m.set('a', 1) === m, m.set(trace('k', 'b'), trace('v', 2)).get('b'), makeMap().get(trace('k', 'a')), m.has('z'), m.delete('a'), m.size);
    log(s.add(1) === s, s.add(2).has(2), s.delete(5), [...s], [...m.keys()], [...m.entries()], s.size);
    log(a.push(4), a.push(...[5, 6]), a.unshift(0), a.pop(), a.shift(), a.sort(), a.map((x) => x * 2), a.indexOf(2), a.splice(1, 1), a.length);
    a.length = 1; log(a, a.at(-1), a.concat([1], [2]), a.includes(1), a.join('-'), a.fill(7), a.reverse(), [1, 2, 3].reduce((x, y) => x + y, 0));
    m.forEach((v, k) => log(k, v)); m.clear(); s.clear(); log(m.size, s.size, 'abc'.indexOf('c'), 'abc'.at(0), 'a,b'.concat('c', 'd'));
    const w = new WeakMap(); log(w.set(o = {}, 1).get(o), w.has(o)); var o; const u8 = new Uint8Array(2); u8[0] = 257; u8[1]++; log(u8.fill(3, 1), u8.subarray(1));`,
  'methods with the names of built-in ones': `
    const o = { get(...a) { return ['get', this === o, a] }, set(...a) { return a.length }, add: (x) => x, clear() { return arguments.length } };
    log(o.get(), o.get(1), o.get(1, 2, 3), o.set(...[1, 2], 3), o.add(5), o.clear(), o.clear(1, 2), o['get'](1), o?.get(2), o.get?.(3));`,
  'sums of strings, dates and objects': `
    const o = { s: 'a', d: new Date(0), x: {}, n: 1 }; let t = 'x', n = 1; const f = () => (t = 'x', n = 2);
    o.s += 1; o.s += null; o.n += 'z'; o.x += 1; t += 1; t += n; n += t; n -= 1; log(o.s, o.n, o.x, t, n); f(); n += 1; t -= 1; log(n, t);
    attempt(() => { o.s += Symbol('s') }); attempt(() => { o.n = 1; o.n += 1n }); attempt(() => { n = 1n; n += 1 }); attempt(() => { n = 1n; n++; return n });`,
  'closures in loops': `
    const fs = []; for (let i = 0; i < 3; i++) fs.push(() => i++); log(fs.map((f) => f()), fs.map((f) => f()));
    for (var v = 0; v < 3; v++) fs.push(() => v++); log(fs.slice(3).map((f) => f()));
    for (const x of [1, 2]) { let y = x; fs.push(() => y += x); y++ } log(fs.slice(6).map((f) => f()));
    let j = 0; while (j < 2) { let k = j; fs.push(() => ++k); j++ } log(fs.slice(8).map((f) => f()));`,
  'captured variables': `
    let x = 1, y, fn = null; const inc = () => { x++; ++x; x += 2; x -= 1; x *= 2; x ||= 5; y ??= x; return x };
    log(inc(), x, y, x++, x--, -x, typeof x, { x, y, __proto__: null }, [x, ...[y]], \`\${x}\`, x ? y : 0, x = 7, (x, y));
    const shadow = (x) => { const g = () => x++; g(); return x }; log(shadow(1));
    fn = () => {}; log(fn.name); fn = class {}; log(fn.name); fn = null; fn ||= function () {}; log(fn.name); fn &&= (() => 1); log(fn.name); fn = (0, () => 2); log(fn.name);
    function use() { fn = fn || null; return fn } use(); var z = 1; var z = 2; log((() => z)());`,
  'captured parameters': `
    const counter = (n) => () => n++; const c = counter(5); c(); log(c());
    function g(a, b = () => a, c = () => { a++ }) { c(); a += 1; return [a, b(), arguments.length] } log(g(1));
    const h = (a, f = () => a++) => (f(), (() => a)()); log(h(1)); const k = ({ v }) => () => v++; const kk = k({ v: 3 }); kk(); log(kk(), g.length, h.length, counter.length, k.length);`,
  'temporal dead zone': `
    attempt(() => { x; let x = 1; }); attempt(() => { const f = () => y; f(); let y = 1; y++ }); attempt(() => { z = 1; let z; const f = () => z++ });
    attempt(() => { typeof w; let w; const f = () => w++ }); attempt(() => { v++; let v = 1; (() => v = 2)() }); attempt(() => { class A extends A {} });
    attempt(() => { for (const q of q) ; }); attempt(() => { early(); let e = 1; function early() { e = 2 } });`,
  'blocks and switches': `
    let r = []; { let a = 1; const f = () => a++; f(); r.push(a) } switch (1) { case 1: let s = 1; case 2: s = 5; const f = () => s++; f(); r.push(s) }
    label: { r.push('in'); if (r) break label; r.push('never') } do { let q = 1; (() => q++)(); r.push(q) } while (r.length < 5)
    try { throw { e: 1 } } catch ({ e }) { (() => e++)(); r.push(e) } finally { r.push('f') } log(r); if (r) function inIf() {} log(typeof inIf);`,
  'names of functions': `
    const a = () => {}, b = function () {}, c = class {}, d = { e: () => {}, f() {}, get g() { return 1 }, ['h' + 1]: () => {}, async i() {}, *j() {} };
    let k; k = async () => {}; const f = () => k = 1; let { l = () => {} } = {}; let [m = class {}] = []; var n = async function* () {};
    log(a.name, b.name, c.name, d.e.name, d.f.name, d.h1.name, d.i.name, d.j.name, k.name, l.name, m.name, n.name, (() => {}).name, (async () => {}).name);
    class S { static x = () => {}; static #y = async () => {}; static y() { return S.#y.name } z = () => {} } log(S.x.name, S.y(), new S().z.name);
    log(Object.getOwnPropertyDescriptor(d, 'g').get.name, (function self() { return self.name })(), ((a, b = 1, ...c) => {}).length, (async (a, b) => await a).length);`,
  'without semicolons': `
    let a = 1, f = () => a++
    const b = [1, 2]
    a++
    f()
    b.push(3)
    ;[a] = [5]
    let c = a
    ++a
    const o = { p: 1 }
    o.p++
    o.q = f
    o.q()
    if (a) f()
    a = 9
    do f(); while (a < 11) a++
    var g = function () {}
    a++
    class K { x = 1
      y = 2;
      ['z'] = 3
      static s = 1
    }
    a--
    log(a, b, c, o.p, new K())
    return
    a++`,
  'comments between tokens': `
    const o = /* a */ { /* b */ p /* c */ : /* d */ { q: 1 } }; let n = 0; const f = () => n++;
    o // x
      . /* y */ p // z
      /* w */ . q /* plus */ += /* one */ 1 // end
    ; o /* ( */ ?. /* ?. */ p . q; n /* += */ += // comment +=
      2; n /* // */ ++; log(o /* 1 */ [ /* 2 */ 'p' /* 3 */ ] /* 4 */ . q, n, f /* a */ ( /* b */ ), o?. /* ?. */ p /* . */ . q)`,
  'labels, continue and completion': `
    let n = 0; const f = () => n++; outer: for (let i = 0; i < 3; i++) { for (;;) { f(); if (i === 1) continue outer; if (n > 3) break outer; break } }
    log(n, eval('1; n++'), eval('if (true) { n += 5 }'), eval('var e = 1; e'), typeof e);`,
  'direct eval sees variables': `
    let hidden = 1; const f = () => hidden++; function g(x) { return eval('x + hidden') } log(g(2), (0, eval)('typeof hidden'), f());
    function h() { eval('var dyn = 5'); return dyn } log(h()); const s = () => { 'use strict'; eval('var q = 1'); return typeof q }; log(s());`,
  with: `const o = { a: 1, b: { c: 2 } }; let a = 5; const f = () => a++; with (o) { a = 2; b.c++; log(a) } log(o, a, f());`,
  arguments: `
    function f(a) { arguments[0] = 9; a++; return [a, arguments[0], arguments.length, ...arguments] } log(f(1, 2));
    function g(a) { 'use strict'; arguments[0] = 9; return [a, arguments[0]] } log(g(1)); const h = function () { return (() => arguments[0]++)() }; log(h(4));
    function k(get) { return arguments.length + [].slice.call(arguments, 1).join() } log(k(1, 2, 3));`,
  'tagged templates': `
    const tag = (s, ...v) => [s.raw.join('|'), v]; const o = { tag(s) { return [this === o, s[0]] }, in: { tag() { return this === o.in } } };
    log(tag\`a\${trace('x', 1)}b\${o.tag.name}\`, o.tag\`q\`, o.in.tag\`\`, o['tag']\`w\`); const id = (s) => s; const at = () => id\`x\`; log(at() === at());`,
  'functions that access properties': `
    const o = watched('o', { p: 1 }); const k = key('p');
    log(Object.hasOwn(trace('o', o), trace('k', k)), o.hasOwnProperty(trace('k', 'p')), Object.prototype.hasOwnProperty.call(trace('o', o), k), trace('o', o).hasOwnProperty('z'));
    log(Reflect.get(o, k), Reflect.set(o, trace('k', 'q'), trace('v', 2)), Reflect.has(o, 'q'), Reflect.deleteProperty(trace('o', o), 'q'), Reflect.ownKeys(o), Object.defineProperty(o, 'r', { value: 3 }).r);
    log(Array.from({ length: 2 }, (x, i) => i), Array.from(new Set([1, 1])), new Map([['a', 1]]), new Set('aab'), Object.fromEntries([['x', 1]]), new Set(), new Map(null));
    attempt(() => null.hasOwnProperty('x')); attempt(() => Object.hasOwn(null, 'x')); attempt(() => Reflect.get(1, 'x')); const bare = Object.create(null); attempt(() => bare.hasOwnProperty('x')); attempt(() => new Set(5)); attempt(() => Array.from(null));`,
  'proxies and symbols': `
    const s = Symbol('s'); const o = watched('o', { [s]: 1 }); o[s]++; log(o[s], s in o, delete o[s]); const f = new Proxy(function () {}, { apply: () => 'applied', construct: () => ({ made: 1 }) }); log(f(), new f());`,
  'new': `
    function A(x) { this.x = x; log(new.target === A) } const ns = { b: { A } }; log(new A(1).x, new ns.b.A(2).x, new (ns.b.A)(3), new (trace('c', A))(4), new A, new ns['b'].A(5), new (class { v = ns.b })().v, new function () { this.w = ns.b }().w, new (ns?.b.A)(8)); A(6); let C = A; const f = () => { C = null }; log(new C(7));`,
  'numbers and literals as objects': `log(1..toFixed(1), 'a'.length, [1].length, (1).constructor.name, \`t\`.length, /x/g.flags, (() => 1).length, ({ a: 1 }).a, 5['toString']());`,
};

export const valuePrograms = new Map(
  Object.entries(programs).map(([name, code]) => [name, code.startsWith("'use") ? code : TRACER + code]),
);
