import { describe, expect, test } from 'vitest';
import { becomes } from '../../support/instrumented-text.ts';

/** One line of source, and what it becomes; `s` is a site. */
function table(rows: Record<string, string>): void {
  for (const [source, code] of Object.entries(rows)) {
    test(source, () => {
      expect(becomes(source)).toBe(code);
    });
  }
}

describe('properties are read', () => {
  table({
    'x = o.p': 'x = read(o,"p",s).p',
    'x = o[k]': 'x = readIn(o,k,s)[k]',
    'x = o[0]': 'x = readIn(o,0,s)[0]',
    'x = o[k + 1]': 'var t1;x = (o,t1=k + 1,readIn(o,t1,s))[t1]',
    'x = o[j, k]': 'var t1;x = (o,t1=(j, k),readIn(o,t1,s))[t1]',
    "x = o['p']": `x = read(o,"p",s)['p']`,
    'x = f().p': 'x = read(kept(f()),"p",s).p',
    'x = f()[k]': 'x = readIn(kept(f()),k,s)[k]',
    'x = f()[g()]': 'var t1,t2;x = (t1=kept(f()),t2=kept(g()),readIn(t1,t2,s))[t2]',
    'f = (x = o[k()]) => x': 'f = (x = o[readKey(o,kept(k()),s)]) => x',
    'x = this.#p': 'x = read(this,"#p",s).#p',
    'x = "p" in o': 'x = "p" in hasKey(o,"p",s)',
    'x = f() in o': 'var t1;x = (t1=kept(f())) in hasKey(o,t1,s)',
    'x = { ...o }': 'x = { ...enumerated(o,s,true) }',
    'x = [...o]': 'x = [...iterated(o,s)]',
    'for (k in o) ;': 'for (k in enumerated(o,s,false)) ;',
    'for (x of o) ;': 'var v=iterated(o,s);for (x of o) ;',
    'for (x of o.p) ;': 'for (x of iterated(read(o,"p",s).p,s)) ;',
    'for (const x of x) ;': 'for (const x of iterated(x,s)) ;',
    'x = Object.keys(o)': 'x = Object.keys(enumerated(o,s,false))',
    'x = Object.entries(o)': 'x = Object.entries(enumerated(o,s,true))',
    'x = Array.from(o)': 'x = kept(Array.from(iterated(o,s)))',
    'x = new Set(o)': 'x = new Set(iterated(o,s))',
    'x = Object.hasOwn(o, k)': 'x = Object.hasOwn(o, readKey(o,k,s))',
    'x = o.hasOwnProperty(k)': 'x = kept(o.hasOwnProperty(readKey(o,k,s)))',
    'x = {}.hasOwnProperty.call(o.p, k)':
      'var t1;x = kept({}.hasOwnProperty.call((t1=read(o,"p",s).p), readKey(t1,k,s)))',
    'x = JSON.stringify(o)': 'x = JSON.stringify(copied(o,s))',
  });
});

describe('properties are written', () => {
  table({
    'o.p = v': 'o.p = write(o,"p",s,v)',
    'f().p = v': 'var t1;(t1=kept(f())).p = write(t1,"p",s,v)',
    'o[k] = v': 'target(o,k,s)[k] = writeIn(o,k,s,v)',
    'f()[g()] = v': 'var t1,t2;(t1=kept(f()),t2=kept(g()),target(t1,t2,s))[t2] = writeIn(t1,t2,s,v)',
    'o[k] += d': 'var t1;(t1=target(o,k,s))[k] =added(o,k,s,t1[k], d)',
    'o.p += d': 'o.p =added(o,"p",s,o.p, d)',
    'o.p = o.p + d': 'o.p = added(o,"p",s,o.p , d)',
    'o.p = 2 * o.p': 'changed(o,"p",s).p = 2 * o.p',
    'o.q.p = o.q.p - 1': 'var t1;(t1=read(o,"q",s).q).p = subtracted(t1,"p",s,read(o,"q",s).q.p , 1)',
    'x = o.p += d': 'x = changed(o,"p",s).p += d',
    'o.p *= d': 'changed(o,"p",s).p *= d',
    'o.p++': '(o.p=incremented(o,"p",s,o.p))',
    'x = o.p++': 'x = changed(o,"p",s).p++',
    '--o[k]': 'var t1;((t1=target(o,k,s))[k]=decremented(o,k,s,t1[k]))',
    'o[i + 1]++': 'var t1,t2;((o,t1=i + 1,t2=target(o,t1,s))[t1]=incremented(o,t1,s,t2[t1]))',
    'x = o[k]++': 'x = changedIn(o,k,s)[k]++',
    'x = o[k] *= d': 'x = changedIn(o,k,s)[k] *= d',
    'o[k] ??= v': 'tested(o,k,s)[k] ??= writeIn(o,k,s,v)',
    '[o[i], o[j]] = v': '[writtenIn(o,i,s)[i], writtenIn(o,j,s)[j]] = iterated(v,s,2)',
    'o.p ||= v': 'read(o,"p",s).p ||= write(o,"p",s,v)',
    'delete o.p': 'delete deleted(o,"p",s).p',
    'delete o[k]': 'delete o[deletedKey(o,k,s)]',
    'Reflect.set(o, k, v)': 'kept(Reflect.set(o, writtenKey(o,k,s), v))',
    'Object.assign(o, p)': 'Object.assign(o, assigned(o,p,s))',
  });
});

describe('functions of Atomics are told where they are called', () => {
  table({
    'Atomics.add(a, i, 1)': 'Atomics.add(a, i, 1,announce(s,false))',
    'x = Atomics.load(a, i)': 'x = Atomics.load(a, i,announce(s,true))',
    'Atomics.store(a, 0, Atomics.load(b, f()))':
      'Atomics.store(a, 0, Atomics.load(b, kept(f()),announce(s,true)),announce(s,false))',
    'const { load: l } = Atomics; l(a, 0)':
      'var v=taken(Atomics,["load"],s);const { load: l } = Atomics; l(a, 0,announce(s,false))',
    'const l = Atomics.load; x = l(a, 0)': 'const l = Atomics.load; x = l(a, 0,announce(s,true))',
    'Atomics.isLockFree(4)': 'Atomics.isLockFree(4)',
  });
});

describe('plain functions that access elements more than once may be blocks', () => {
  table({
    'f = () => a[0] + a[1]':
      'f = () => {const a=enterUnit(s,2);try{return readIn(a,0,s)[0] + readIn(a,1,s)[1]}finally{a&&exitUnit(a)}}',
    'function f() { n[0]++ }':
      'function f() {const a=enterUnit(s,1);var t1;try{ ((t1=target(n,0,s))[0]=incremented(n,0,s,t1[0])) }finally{a&&exitUnit(a)}}',
    'f = () => a[0]': 'f = () => readIn(a,0,s)[0]',
    'function f() { for (;;) n[0]++ }':
      'function f() {var t1; for (;;) ((t1=target(n,0,s))[0]=incremented(n,0,s,t1[0])) }',
    'function f() { Atomics.exchange(l, 0, 1); return a[0] + a[1] }':
      'function f() {const a=enterUnit(s,0);try{ Atomics.exchange(l, 0, 1,announce(s,false)); return readIn(a,0,s)[0] + readIn(a,1,s)[1] }finally{a&&exitUnit(a)}}',
    'function f() { Atomics.exchange(l, 0, 1); return a[0] }':
      'function f() { Atomics.exchange(l, 0, 1,announce(s,false)); return readIn(a,0,s)[0] }',
    'for (;;) Atomics.store(a, 0, Atomics.load(a, 0) + 1)':
      'for (;;) {const s=enterUnit(s,2,true);try{Atomics.store(a, 0, Atomics.load(a, 0,announce(s,true)) + 1,announce(s,false))}finally{s&&exitUnit(s)}}',
    'for (;;) Atomics.store(a, 0, Atomics.load(a, 1) + 1)':
      'for (;;) Atomics.store(a, 0, Atomics.load(a, 1,announce(s,true)) + 1,announce(s,false))',
  });
  test('or one whose label is said to be', () => {
    expect(becomes('class C { f() { g() } }', { atomic: ['C.*'] })).toBe(
      'class C { f() {const a=enterUnit(s,1/0);try{ kept(g()) }finally{a&&exitUnit(a)}} }',
    );
  });
});

describe('nobody uses what a callback for its effect returns', () => {
  table({
    'xs.f((x) => o.n += x)': 'kept(xs.f((x) => changed(o,"n",s).n += x))',
    'setTimeout(() => o.n++)': 'kept(setTimeout(() => (o.n=incremented(o,"n",s,o.n))))',
    'e.on("x", () => m.push(1))': 'kept(e.on("x", () => kept(m.push(methodArgument(m,"push",s,false,1)))))',
    'new Promise((f) => m.push(f))':
      'made(new Promise(executor((f) => kept(m.push(methodArgument(m,"push",s,false,f))))))',
  });
});

test('a sum that waits is a read before and a write after', () => {
  expect(becomes('o.p += await d')).toBe(
    'o.p =write(o,"p",s,read(o,"p",s).p+( resume(void 0,await suspend(void 0,d,s))))',
  );
});

describe('minified', () => {
  table({ 'for(x of(y.z));': 'for(x of iterated((read(y,"z",s).z),s));' });
});

describe('destructuring', () => {
  table({
    'const { a, b } = o': 'var v=taken(o,["a","b"],s);const { a, b } = o',
    'const { a, ...r } = f()': 'const { a, ...r } = taken(kept(f()),void 0,s)',
    'const [a] = o.p': 'var t1;const [a] = (t1=read(o,"p",s).p,iterated(t1,s,1),t1)',
    '({ a: o.p, b } = v)': '({ a: written(o,"p",s).p, b } = taken(v,["a","b"],s))',
    'f = ({ a, b: [c] }, d) => c':
      'f = (p0, d) => {taken(p0,["a","b"],s);if(p0===void 0)var{ a, b: [c] }=undefined;' +
      'else if(p0===null)(({ a, b: [c] })=>{})(p0);else var{ a, b: [c] }=p0;return c}',
    'f = ({ a = g() }) => a': 'f = ({ a = kept(g()) }) => a',
    'f = ({ a }, b = a) => b': 'f = ({ a }, b = a) => b',
    'function f(x, { a } = x) {}': 'function f(x, { a } = x) {taken(arguments[1],["a"],s);}',
  });
});

describe('methods of containers', () => {
  table({
    'm.get(k)': 'kept(m.get(methodArgument(m,"get",s,false,k)))',
    'x = m.get(k)': 'x = kept(m.get(methodArgument(m,"get",s,true,k)))',
    'm.set(k, v)': 'kept(m.set(k, methodArguments(m,"set",s,false,k,v)))',
    'm.set(f(), v)': 'var t1;kept(m.set(t1=kept(f()), methodArguments(m,"set",s,false,t1,v)))',
    'this.m.get(k)': 'var t1;kept((t1=read(this,"m",s).m).get(methodArgument(t1,"get",s,false,k)))',
    'm.clear()': '(method(m,"clear",s,false),kept(m.clear()))',
    'm.push(...xs)': '(method(m,"push",s,false),kept(m.push(...iterated(xs,s))))',
    'x = { get(k) { return super.get(k) } }':
      'x = { get(k) { return super.get(superArgument(this,super.get,"get",s,false,k,k)) } }',
  });
});

describe('optional chains', () => {
  table({
    'x = a?.b': 'x = read(a,"b",s)?.b',
    'x = a?.b.c': 'var t1;x = ((t1=read(a,"b",s))==null?void 0:read(t1.b,"c",s).c)',
    'x = a?.[k].c': 'var t1;x = ((t1=a)==null?void 0:read(t1[readKey(t1,k,s)],"c",s).c)',
    'x = a?.b()': 'x = kept(a?.b())',
    '(a?.b)()': 'kept((a?.b)())',
    'delete a?.b': 'delete deleted(a,"b",s)?.b',
  });
});

describe('variables that are captured and change', () => {
  table({
    'let n = 0; f = () => { n++ }':
      'var s0=scope(["n"],s);let n = bindingWrite(s0,0,s,0); f = () => { (n=bindingIncremented(s0,0,s,n)) }',
    'let n; f = () => { n = g(n) }':
      'var s0=scope(["n"],s);let n; f = () => { n = bindingWrite(s0,0,s,kept(g((bindingRead(s0,0,s),n)))) }',
    'let n; f = () => { n = () => {} }':
      'var s0=scope(["n"],s);let n; f = () => { (bindingWrite(s0,0,s),n = () => {}) }',
    'let n; f = () => { n = (n - 1) }':
      'var s0=scope(["n"],s);let n; f = () => { n = (bindingSubtracted(s0,0,s,n , 1)) }',
    'let n; f = () => { n = Math.max(n - 1, 0) }':
      'var s0=scope(["n"],s);let n; f = () => { (bindingChanged(s0,0,s),n = Math.max(n - 1, 0)) }',
    'let n; f = () => { n(); n = 1 }':
      'var s0=scope(["n"],s);let n; f = () => { (bindingRead(s0,0,s),kept(n())); n = bindingWrite(s0,0,s,1) }',
    '{ let n = 0; f = () => { n += 2 } }':
      '{const s0=scope(["n"],s); let n = bindingWrite(s0,0,s,0); f = () => { n =bindingAdded(s0,0,s,n, 2) } }',
    'f = (n) => () => n++': 'f = (n) => {var s0=scope(["n"],s);return () => (bindingChanged(s0,0,s),n++)}',
    'let n = {}; f = () => ({ n }); n = 1':
      'var s0=scope(["n"],s);let n = bindingWrite(s0,0,s,{}); f = () => ({ n:(bindingRead(s0,0,s),n) }); n = bindingWrite(s0,0,s,1)',
  });
});

describe('variables that cannot be shared or do not change are left alone', () => {
  for (const source of [
    'const n = 1; f = () => n',
    'let n = 1; n++',
    'for (let i = 0; i < 2; i++) f = () => i++',
    'switch (x) { case 1: let n = 1; f = () => n++ }',
    'function g(n) { with (o) n = 1; f = () => n }',
  ]) {
    test(source, () => {
      expect(becomes(source, { format: 'commonjs' })).not.toContain('binding');
    });
  }
});

describe('calls', () => {
  table({
    'f(g())': 'kept(f(kept(g())))',
    'o.f()': 'kept(o.f())',
    'this.o.f()': '(read(this,"o",s),kept(this.o.f()))',
    'f = () => g()': 'f = () => g()',
    'function f() { return c ? g() : h() }': 'function f() { return c ? g() : h() }',
    'p.then(f, g)': 'kept(chained(p,p.then(reaction(p,f,s), reaction(p,g,s,true))))',
    'f().catch(g)': 'var t1;kept(chained(t1=kept(f()),t1.catch(reaction(t1,g,s,true))))',
    'new a.b.C(o.p)': 'new a.b.C(read(o,"p",s).p)',
    'tag`x`': 'kept(tag`x`)',
    '(0, m.f)(x)': 'kept((0, m.f)(x))',
  });
  for (const source of [
    'import("x")',
    'eval("x")',
    'Math.max(1, 2)',
    'x = import.meta.url',
    'console.log(1)',
  ]) {
    test(`${source} is left alone`, () => {
      expect(becomes(source)).toBe(source);
    });
  }
});

describe('async functions', () => {
  table({
    'async function f() { await g() }':
      'async function f() {const a=enter(s);try{ resume(a,await suspend(a,g(),s),true) }finally{exit(a)}}',
    'async function f() { return g() }':
      'async function f() {const a=enter(s);try{ return tail(a,g(),s) }finally{exit(a)}}',
    'f = async (x) => x': 'f = async (x) => {const a=enter(s);try{return x}finally{exit(a)}}',
    'async function f() { try { return g() } finally { h() } }':
      'async function f() {const a=enter(s);try{ try { return kept(g()) } finally {resumed(a); kept(h()) } }finally{exit(a)}}',
    'async function f() { try { await x } catch { } }':
      'async function f() {const a=enter(s);try{ try { resume(a,await suspend(a,x,s),true) } catch {resumed(a,true); } }finally{exit(a)}}',
    'async function f() { for await (const x of y) ; }':
      'async function f() {const a=enter(s);try{ try{for await (const x of awaited(a,y,s)) {resumed(a);;}}finally{resumed(a);} }finally{exit(a)}}',
    'async function* f() { yield x; yield* y }':
      'async function* f() {const a=enterGenerator(s);try{ yielded(a,yield yielding(a,x)); resume(a,yield* delegated(a,y)) }finally{exitGenerator(a)}}',
    'await x': 'resume(void 0,await suspend(void 0,x,s),true)',
    'function* f() { yield x }': 'function* f() { yield x }',
  });
});

describe('plain functions that make promises', () => {
  table({
    'f = () => new Promise(g)':
      'f = () => {let a=enterPromising(s);try{return promised(a,made(new Promise(executor(g))),a=void 0)}finally{a&&failed(a)}}',
    'function f(x) { if (x) return; return Promise.all(x) }':
      'function f(x) {let a=enterPromising(s);try{ if (x) return promised(a,void 0,a=void 0); return promised(a,Promise.all(x),a=void 0) }finally{a&&failed(a)}}',
    'function f(x) { if (x) return Promise.all(x) }':
      'function f(x) {let a=enterPromising(s);try{ if (x) return promised(a,Promise.all(x),a=void 0) ;promised(a,void 0,a=void 0)}finally{a&&failed(a)}}',
    'x = { then(f) { return Promise.all(f) } }': 'x = { then(f) { return Promise.all(f) } }',
  });
});

describe('plain functions that go on in callbacks', () => {
  table({
    'f = (k, done) => { load(k, (v) => { done(v) }) }':
      'f = (k, done) => {const a=enterContinuing(s);try{ kept(load(k, continuation((v) => { (calledBack(s),kept(done(v))) },s))) }finally{exitContinuing(a)}}',
    'f = function () { setTimeout(() => {}, 1) }':
      'f = function () {const a=enterContinuing(s);try{ kept(setTimeout(continuation(() => {},s), 1)) }finally{exitContinuing(a)}}',
    'f = (input) => { input.on("end", () => {}) }':
      'f = (input) => {const a=enterContinuing(s);try{ kept(input.on("end", continuation(() => {},s))) }finally{exitContinuing(a)}}',
    'f = (k) => { fs.unlink(k, () => {}) }':
      'f = (k) => {const a=enterContinuing(s);try{ kept(fs.unlink(k, continuation(() => {},s))) }finally{exitContinuing(a)}}',
    // Called at once, or again and again, or part of an async function.
    'f = () => { server.on("request", () => {}) }': 'f = () => { kept(server.on("request", () => {})) }',
    'f = () => { app.handle((req) => {}) }': 'f = () => { kept(app.handle((req) => {})) }',
    'f = (app) => { app.post("/", (a, b) => {}) }': 'f = (app) => { kept(app.post("/", (a, b) => {})) }',
    'f = (socket) => { socket.on("close", () => {}) }':
      'f = (socket) => { kept(socket.on("close", () => {})) }',
    'f = () => { list.on("end", () => {}) }': 'f = () => { kept(list.on("end", () => {})) }',
    'load(() => {})': 'kept(load(() => {}))',
    'f = async () => { load(() => {}) }':
      'f = async () => {const a=enter(s);try{ kept(load(() => {})) }finally{exit(a)}}',
  });
});

describe('async functions that were compiled', () => {
  table({
    'f = function (x) { return __awaiter(this, void 0, void 0, function* () { return yield x }) }':
      'f = function (x) { return __awaiter(this, void 0, void 0, function* () {const a=enter(s);try{ return resume(a,yield suspend(a,x,s)) }finally{exit(a)}}) }',
    'f = _asyncToGenerator(function* () { yield x })':
      'f = kept(_asyncToGenerator(function* () {const a=enter(s);try{ resume(a,yield suspend(a,x,s),true) }finally{exit(a)}}))',
    'f = () => (0, tslib_1.__awaiter)(void 0, void 0, void 0, function () { return __generator(this, function (_a) { return [4, g(_a.sent())] }) })':
      'f = () => (0, tslib_1.__awaiter)(void 0, void 0, void 0, function () {const a=enter(s); return __generator(this, machine(a,function (_a) { return [4, g(kept(_a.sent()))] })) })',
    'f = () => __async(this, null, function* () { yield x })':
      'f = () => __async(this, null, function* () {const a=enter(s);try{ resume(a,yield suspend(a,x,s),true) }finally{exit(a)}})',
    'f = (0, _async_to_generator._)(function () { return _ts_generator(this, function (_a) { return [2] }) })':
      'f = kept((0, _async_to_generator._)(function () {const a=enter(s); return _ts_generator(this, machine(a,function (_a) { return [2] })) }))',
  });
});

describe('what compilers add to drive them is left alone', () => {
  const helpers = [
    'var __awaiter = (this && this.__awaiter) || function (t, a, P, g) { return new Promise(function (r) { g = t.p }) }',
    'function _asyncToGenerator(n) { return function () { n.p = 1 } }',
    'function asyncGeneratorStep(g) { g.p = 1 }',
    '__generator = function (t, body) { t.p = body }',
  ];
  for (const helper of helpers) test(helper, () => expect(becomes(helper)).toBe(helper));
});

test('a statement that begins with a parenthesis now does not continue the one before', () => {
  expect(becomes('let f = g\nf()\nh = () => { f = 1 }')).toBe(
    'var s0=scope(["f"],s);let f = bindingWrite(s0,0,s,g)\n;(bindingRead(s0,0,s),kept(f()))\n;h = () => { f = bindingWrite(s0,0,s,1) }',
  );
});

test('lines stay where they were', () => {
  const source =
    'let n = 0\nasync function f() {\n  n += // comment\n    await g(\n  )\n  return {\n    n\n  }\n}\n';
  const lines = becomes(source).split('\n');
  expect(lines).toHaveLength(source.split('\n').length);
  expect(lines[3]).toContain('await');
  expect(lines[6]).toContain('n:');
});
