/*
 * Small random JavaScript programs about typed arrays, over shared memory and over ordinary one: reads and writes of elements
 * in every syntax, values that have to be converted, methods, `Atomics`. Every effect shows in the log.
 */

import fc from 'fast-check';

const PRELUDE = `
const memory = new SharedArrayBuffer(64);
const i = new Int32Array(memory), u = new Uint8Array(memory, 8, 24), f = new Float32Array(memory, 32);
const b = new BigInt64Array(memory, 16, 3), c = new Uint8ClampedArray(memory), d = new DataView(memory, 4);
const o = new Int16Array(8), x = [3, 1, 2], big = new Uint8Array(new SharedArrayBuffer(5000));
let n = 1;
const t = (name, value) => { log('t', name); return value };
const convert = (value) => ({ valueOf() { log('valueOf'); i[1]++; return value }, toString() { log('toString'); return '2' } });
const guard = (run) => { try { log('ok', run()) } catch (e) { log('error', e.name, e.message) } };
const show = () => log([...i], [...b], [...o], x.join(), String(n), big[4999], big[1024]);
`;

const joined = (...parts: (string | fc.Arbitrary<string>)[]): fc.Arbitrary<string> =>
  fc
    .tuple<string[]>(...parts.map((part) => (typeof part === 'string' ? fc.constant(part) : part)))
    .map((texts) => texts.join(''));

const array = fc.constantFrom('i', 'i', 'u', 'f', 'b', 'c', 'o', 'x', 'big', "t('a', i)");
const index = fc.constantFrom(
  ...['0', '1', '2', "'1'", '7', '-1', '1.5', '99', 'n', 'n + 1', "t('k', 1)", "'length'", "'x'", '-0'],
  ...['NaN', '1024', '4999', 'i[0]', "'01'", 'Symbol.iterator', 'convert(0)'],
);
const literal = fc.constantFrom(
  ...['0', '1', '-1', '300', '1.5', '2n', '-3n', "'4'", "'x'", 'true', 'null', 'undefined', 'NaN', '{}'],
  ...['convert(5)', 'convert(6n)', 'Symbol()', '2 ** 40', '-0'],
);
const operator = fc.constantFrom(
  '=',
  '+=',
  '-=',
  '*=',
  '/=',
  '%=',
  '**=',
  '<<=',
  '>>>=',
  '&=',
  '||=',
  '&&=',
  '??=',
);
const atomic = fc.constantFrom('add', 'sub', 'and', 'or', 'xor', 'exchange', 'store');
const method = fc.constantFrom(
  ...['fill', 'at', 'slice', 'indexOf', 'includes', 'join', 'subarray', 'copyWithin', 'set'],
);
const number = fc.constantFrom('Int8', 'Uint16', 'Int32', 'Float64', 'BigInt64');

const grammar = fc.letrec((tie) => {
  const e = tie('expression') as fc.Arbitrary<string>;
  const place = joined(array, '[', index, ']');
  return {
    expression: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      literal,
      place,
      place,
      joined('(', place, ' ', operator, ' ', e, ')'),
      joined('(', place, fc.constantFrom('++', '--'), ')'),
      joined('(', fc.constantFrom('++', '--', '-', '!', 'typeof ', 'delete '), place, ')'),
      joined('(', e, fc.constantFrom(' + ', ' * ', ' === ', ', ', ' ?? '), e, ')'),
      joined(array, '?.[', index, ']'),
      joined('Atomics.', atomic, '(', array, ', ', index, ', ', e, ')'),
      joined('Atomics.load(', array, ', ', index, ')'),
      joined('Atomics.compareExchange(', array, ', ', index, ', ', e, ', ', e, ')'),
      joined('Atomics.notify(', array, ', ', index, ')'),
      joined('Atomics.wait(', array, ', ', index, ', ', e, ', 0)'),
      joined(array, '.', method, '(', e, ')'),
      joined(array, '.', method, '(', e, ', ', e, ')'),
      joined(array, '.set([', e, '], ', index, ')'),
      joined('d.get', number, '(', index, ', true)'),
      joined('d.set', number, '(', index, ', ', e, ')'),
      joined('[...', array, '].length'),
      joined('(', index, ' in ', array, ')'),
      joined('({ ...', array, ' })[', index, ']'),
    ),
    statement: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      joined('guard(() => ', e, ');'),
      joined('guard(() => { ', place, ' ', operator, ' ', e, ' });'),
      joined('guard(() => { ', place, fc.constantFrom('++', '--'), ' });'),
      joined('guard(() => { [', place, ', ', place, '] = [', e, ', ', e, '] });'),
      joined('guard(() => { [i[0], i[n]] = [i[n], i[0]]; ({ p: ', place, ' } = { p: ', e, ' }) });'),
      joined('guard(() => { for (', place, ' of [', e, ', ', e, ']) n++ });'),
      joined('guard(() => { const { 0: p, length } = ', array, '; return [p, length] });'),
      joined('guard(function () { "use strict"; return (', place, ' ', operator, ' ', e, ') });'),
    ),
  };
});

export const randomTypedArrays: fc.Arbitrary<string> = fc
  .array(grammar.statement as fc.Arbitrary<string>, { minLength: 3, maxLength: 12 })
  .map((statements) => `${PRELUDE}${statements.join('\n')}\nshow();`);
