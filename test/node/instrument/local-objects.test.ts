import { describe, expect, test } from 'vitest';
import { becomes } from '../../support/instrumented-text.ts';

/** The body of a function, and what it becomes. */
const inFunction = (body: string) => becomes(`function f() { ${body} }`).slice('function f() { '.length, -2);

describe('what never leaves its function needs no probes', () => {
  for (const body of [
    'const o = { n: 0 }; o.n = 1; o.n++; x = o.n;',
    'const a = []; a.push(1); a[0] = 2; for (const x of a) x; b = [...a, a.length];',
    'const m = new Map(); m.set(k, (m.get(k) ?? 0) + 1); x = m.size;',
    'let s = new Set(); s.add(k); x = s.has(k);',
    'const a = []; a.push(1); x = Object.keys(a).length; y = new Set(a);',
  ])
    test(body, () => {
      expect(inFunction(body)).toBe(body);
    });
});

describe('what a function of the language has just made needs no probes of its own', () => {
  for (const [source, expected] of Object.entries({
    'x = Object.keys(o).length': 'x = Object.keys(enumerated(o,s,false)).length',
    'for (const x of Object.values(o)) ;': 'for (const x of Object.values(enumerated(o,s,true))) ;',
    'x = Object.keys(o).sort().join()': 'x = kept(Object.keys(enumerated(o,s,false)).sort().join())',
    'x = Buffer.concat(o).toString()': 'x = kept(Buffer.concat(iterated(o,s)).toString())',
    'x = JSON.stringify({ a: o })': 'x = JSON.stringify(copied({ a: o },s,true))',
    'x = JSON.stringify({ get a() {} })': 'x = JSON.stringify(copied({ get a() {} },s))',
  }))
    test(source, () => {
      expect(becomes(source)).toBe(expected);
    });
});

describe('what may leave its function has probes', () => {
  for (const [reason, body] of Object.entries({
    'it is given to a call': 'const o = { n: 0 }; g(o); x = o.n;',
    'a function that is given with it gets it': 'const o = { n: 0 }; JSON.stringify(o, g); x = o.n;',
    'it is looked at later': 'const a = []; Array.fromAsync(a); x = a.length;',
    'it is returned': 'const a = []; a.push(1); return a;',
    'it is put somewhere': 'const o = { n: 0 }; p.o = o; x = o.n;',
    'it is named as a property': 'const o = { n: 0 }; g({ o }); x = o.n;',
    'a function refers to it': 'const o = { n: 0 }; g(() => o.n);',
    'its own function gets it': 'const o = { n: 0, up() { this.n++; } }; o.up(); x = o.n;',
    'an accessor gets it': 'const o = { get n() { return g(this); } }; x = o.n;',
    'what a method returns is looked at': 'const m = new Map(); g(m.set(1, 2)); x = m.size;',
    'a callback gets it': 'const a = []; a.forEach(g); x = a.length;',
    'a method of it is replaced': 'const a = []; a.push = g; a.push(1);',
    'the variable may hold another one': 'let o = {}; o = g(); x = o.n;',
    'it is not known what was made': 'const o = new Thing(); x = o.n;',
  }))
    test(reason, () => {
      expect(inFunction(body)).toMatch(/(?:read|write|method\w*|written|bindingRead)\(/);
    });

  test('it is of the module', () => {
    expect(becomes('const o = { n: 0 }; function f() { return o.n; }')).toContain('read(o,"n",s)');
  });

  test('whoever asks a generator for a value runs its code', () => {
    const source = 'function* f() { const o = { n: 0 }; while (o.n < 9) yield o.n++; }';
    expect(becomes(source)).toContain('read(o,"n",s)');
  });
});
