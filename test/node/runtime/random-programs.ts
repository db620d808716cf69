import fc from 'fast-check';

/** What programs make objects of. */
export const ITEM = `class Item {
  constructor(n) { this.n = n; this.next = null; this.list = []; }
  add(x) { this.n += x; return this; }
}`;

/** How many programs, and which. */
export const RUNS =
  process.env.TRACKSIDE_RANDOM_PROGRAMS === undefined
    ? { numRuns: 25, seed: 1 }
    : { numRuns: Number(process.env.TRACKSIDE_RANDOM_PROGRAMS) };

const OBJECTS = ['a', 'b', 'c'];
const object = fc.constantFrom(...OBJECTS);
const value = fc.constantFrom('null', '1', 'step', 'new Item(2)');

/** What a task does with objects that its caller has made, or that it makes itself. */
const step = fc.oneof(
  object.map((o) => `seen(${o}.n);`),
  fc.tuple(object, value).map(([o, v]) => `${o}.n = ${v};`),
  object.map((o) => `${o}.n++;`),
  object.map((o) => `${o}.n = ${o}.n + 2;`),
  fc.tuple(object, value).map(([o, v]) => `${o}.next = ${v};`),
  object.map((o) => `if (!${o}.next) ${o}.next = new Item(3);`),
  object.map((o) => `${o}.list.push(1);`),
  object.map((o) => `${o}.list[0] = ${o}.list[1];`),
  object.map((o) => `${o}.list.pop();`),
  object.map((o) => `for (const x of ${o}.list) seen(x);`),
  object.map((o) => `seen({ ...${o} });`),
  object.map((o) => `${o} = new Item(4);`),
  fc.tuple(object, object).map(([o, p]) => `${o}.next = ${p};`),
  object.map((o) => `count += ${o}.list.length;`),
  fc.constant('await turn();'),
  fc.constant('await turn();'),
  fc.constant('await pause();'),
  object.map((o) => `await inner(${o});`),
  object.map((o) => `inner(${o});`),
);

/** The same places again and again, of one object or of several. */
const repeated = fc.oneof(
  object.map((o) => `for (let i = 0; i < 3; i++) { ${o}.n += 2; seen(${o}.n); }`),
  fc.tuple(object, object).map(([o, p]) => `for (const x of [${o}, ${p}, ${o}]) x.n--;`),
  fc.tuple(object, value).map(([o, v]) => `for (const x of [${o}, new Item(6), b]) x.next = ${v};`),
  object.map((o) => `for (let i = 0; i < 3; i++) ${o}.list[i] = i + ${o}.list.length;`),
  object.map((o) => `for (let i = 0; i < 4; i++) seen(${o}.list[i % 3]);`),
  fc.tuple(object, object).map(([o, p]) => `for (const x of [${o}, ${p}]) if (x.add) x.add(1).add(2);`),
  object.map((o) => `for (const k of ['n', 'list', 'n']) seen(${o}[k]);`),
);

/** Two tasks that are given objects which may be the same, and what has made them. */
function programOf(each: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const steps = fc.array(each, { minLength: 1, maxLength: 8 });
  return fc.tuple(steps, steps, steps, fc.boolean()).map(
    ([before, one, other, isPassed]) => `
      ${ITEM}
      const step = 7;
      const seen = (x) => x;
      let count = 0;
      async function inner(o) { seen(o.n); seen(o.list.length); await null; seen(o.next); }
      async function one(a, b, c) { ${one.join(' ')} }
      async function other(a, b, c) { ${other.join(' ')} }
      async function main() {
        let a = new Item(1), b = { n: 0, next: null, list: [1, 2] }, c = new Item(5);
        ${before.join(' ')}
        const both = [one(a, b, c), other(${isPassed ? 'a, b, c' : 'b, a, a'})];
        ${before.join(' ')}
        await Promise.all(both);
      }
      module.exports = main().catch(() => {});
    `,
  );
}

export const randomProgram = programOf(step);
export const repeatingProgram = programOf(fc.oneof(step, repeated));
