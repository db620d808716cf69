/*
 * Small random JavaScript programs: expressions and statements over a few variables (captured ones among them), objects
 * with getters, a Map, async functions. They may throw anything anywhere; every effect shows in the log.
 */

import fc from 'fast-check';

const PRELUDE = `
Function.prototype.toString = () => 'source';
let a = 1, b = 'b', n = null, fn = () => 1;
var u;
const touch = () => { a++; b += 'x'; n = n ?? 0; fn = () => 2; u = a; return a };
const t = (name, value) => { log('t', name); return value };
const o = { p: 1, q: { r: 2, s: { v: 3 } }, get g() { log('get g'); return this.q }, set g(v) { log('set g') }, f(x) { return [this === o, x] },
  async h(x) { await null; return x }, m: new Map([['k', 1]]), arr: [3, 1, 2] };
const wait = (v) => new Promise((resolve) => later(() => resolve(v)));
const guard = async (f) => { try { log('ok', await f()) } catch (e) { log('error', e?.name ?? e) } };
`;

const variable = fc.constantFrom('a', 'b', 'n', 'u', 'x');
const name = fc.constantFrom('p', 'q', 'r', 's', 'g', 'z', 'arr');
const literal = fc.constantFrom(
  '0',
  '1',
  "'k'",
  "'p'",
  'null',
  'undefined',
  'true',
  '2n',
  '[1, 2]',
  '({ p: 5 })',
);
const method = fc.constantFrom(
  'get',
  'set',
  'has',
  'push',
  'map',
  'f',
  'h',
  'then',
  'keys',
  'slice',
  'missing',
);
const joined = (...parts: (string | fc.Arbitrary<string>)[]): fc.Arbitrary<string> =>
  fc
    .tuple<string[]>(...parts.map((part) => (typeof part === 'string' ? fc.constant(part) : part)))
    .map((texts) => texts.join(''));

const grammar = fc.letrec((tie) => {
  const rule = (part: string): fc.Arbitrary<string> => tie(part) as fc.Arbitrary<string>;
  const e = rule('expression');
  const place = rule('place');
  const statement = rule('statement');
  const block = rule('block');
  return {
    place: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      variable,
      joined('o.', name),
      joined('(', e, ').', name),
      joined('(', e, ')[', e, ']'),
      joined('o[', e, ']'),
      joined('o.q.', name),
      joined('this.', name),
    ),
    expression: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      fc.oneof(variable, literal, fc.constant('o'), fc.constant('fn')),
      place,
      joined('(', e, ')?.', name, '.', name),
      joined('o?.', name, '?.', name, '[', e, ']?.', name),
      joined('o?.', name, '.', method, '(', e, ')'),
      joined('(', place, fc.constantFrom(' = ', ' += ', ' -= ', ' *= ', ' ||= ', ' &&= ', ' ??= '), e, ')'),
      joined('(', place, fc.constantFrom('++', '--'), ')'),
      joined('(', fc.constantFrom('++', '--'), place, ')'),
      joined('(', e, fc.constantFrom(' + ', ' && ', ' || ', ' ?? ', ' === ', ', '), e, ')'),
      joined('(', e, ' in ', e, ')'),
      joined('(', e, ' ? ', e, ' : ', e, ')'),
      joined(fc.constantFrom('!(', 'typeof (', 'void (', '-('), e, ')'),
      joined('delete o.', name),
      joined('delete (', e, ')?.[', e, ']'),
      joined('t(', literal, ', ', e, ')'),
      joined('o.', method, '(', e, ')'),
      joined('o.m.', method, '(', e, ', ', e, ')'),
      joined('(', e, ').', method, '(', e, ')'),
      joined('(', e, ')?.', method, '(', e, ')'),
      joined('o.arr.', method, '((x) => ', e, ')'),
      joined('o.arr.', method, '(...', e, ')'),
      joined('Promise.resolve(', e, ').then((x) => ', e, ', (x) => ', e, ')'),
      fc.constantFrom('touch()', 'fn()', 'fn = () => a', 'fn ||= function () {}', 'fn.name', 'super_?.x'),
      joined('(await ', e, ')'),
      joined('await wait(', e, ')'),
      joined('(async (x) => ', e, ')(', e, ')'),
      joined('(async (x = ', variable, ') => { ', block, ' })(', e, ')'),
      joined('[...', e, ', ', e, ']'),
      joined('({ ...', e, ', p: ', e, ', a, n })'),
      joined('`', '$', '{', e, '}`'),
      joined('Object.keys(', e, ')'),
      joined('Object.assign(', e, ', ', e, ')'),
    ),
    statement: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      joined(e, ';'),
      joined('log(', e, ');'),
      joined(place, fc.constantFrom('++;', '--;', ' += 1;', ' -= 1;')),
      joined('if (', e, ') ', statement, ' else ', statement),
      joined('for (const x of ', e, ') { ', block, ' }'),
      joined('for (const x in ', e, ') ', statement),
      joined('for await (const x of ', e, ') ', statement),
      joined('for (let i = 0; i < 2; i++) { let c = i; const k = () => c++; k(); log(c); ', block, ' }'),
      joined('{ const { p, q = ', e, ', ...rest } = ', e, '; log(p, q, rest) }'),
      joined('[', place, ', ', place, '] = ', e, ';'),
      joined('({ p: ', place, ', q: ', place, ' = ', e, ' } = ', e, ');'),
      joined('try { ', block, ' } catch (x) { log(x?.name); ', block, ' } finally { ', block, ' }'),
      joined('l: for (;;) { ', block, ' if (a) break l; else break }'),
      joined('switch (', e, ') { case ', e, ': ', statement, ' default: ', statement, ' }'),
      joined('return ', e, ';'),
      joined('await ', e, ';'),
      fc.constant('{ let s = 1; const k = () => s; s += k(); log(s) }'),
    ),
    block: fc.array(statement, { minLength: 1, maxLength: 3 }).map((lines) => lines.join('\n')),
  };
});

export const randomProgram: fc.Arbitrary<string> = fc
  .array(grammar.block as fc.Arbitrary<string>, { minLength: 1, maxLength: 3 })
  .map((bodies) => {
    const guarded = bodies.map((body) => `await guard((async function (x) {\n${body}\n}).bind(o, 7));`);
    return `${PRELUDE}return (async () => {\n${guarded.join('\n')}\nlog(a, b, n, u, o.p);\n})();`;
  });
