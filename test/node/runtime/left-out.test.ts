import fc from 'fast-check';
import { expect, it } from 'vitest';
import { RUNS } from './random-programs.ts';
import { accesses, recordWithPauses, type Ways } from './support.ts';

const WHOLE: Ways = { leftOutFrom: Number.POSITIVE_INFINITY };
const PARTIAL: Ways = { leftOutFrom: 0 };

/** What is found, and what was recorded. */
async function found(program: string, ways: Ways): Promise<{ judged: string[]; accesses: string }> {
  const recording = await recordWithPauses(program, ways);
  const judged = recording.judged.map(
    ({ label, variable, severity, because }) => `${label}: ${variable}, ${severity}, ${because}`,
  );
  return { judged: judged.sort(), accesses: accesses(recording) };
}

const object = fc.constantFrom('a', 'b', 'c');
const field = fc.constantFrom('n', 'm');
const place = fc.tuple(object, field).map(([o, f]) => `${o}.${f}`);
const wait = fc.constantFrom('await turn();', 'await turn();', 'await null;', 'await pause();');

const plain = fc.oneof(
  place.map((p) => `seen(${p});`),
  place.map((p) => `${p} = 1;`),
  place.map((p) => `${p}++;`),
  place.map((p) => `if (${p} > 0) ${p}--;`),
  fc.tuple(place, place).map(([p, q]) => `${p} = ${q} + 1;`),
  object.map((o) => `${o}.list.push(1);`),
  object.map((o) => `seen(${o}.list.length);`),
  object.map((o) => `${o}.list = [];`),
  place.map((p) => `known.set('${p}', ${p});`),
  place.map((p) => `if (!known.has('${p}')) known.set('${p}', 1);`),
);
const plains = fc.array(plain, { minLength: 1, maxLength: 3 }).map((steps) => steps.join(' '));

/** What is called, and how it is waited for. */
const called = fc.constantFrom('f1', 'f2', 'f3');
const call = fc.oneof(
  called.map((f) => `await ${f}();`),
  called.map((f) => `${f}();`),
  fc.tuple(called, called).map(([f, g]) => `await Promise.all([${f}(), ${g}()]);`),
  called.map((f) => `await ${f}().then(() => seen(a.n));`),
);
const later = fc.oneof(
  plains.map((steps) => `setImmediate(() => { ${steps} });`),
  plains.map((steps) => `queueMicrotask(() => { ${steps} });`),
  plains.map((steps) => `clearTimeout(setTimeout(() => { ${steps} }, 1));`),
  plains.map((steps) => `process.nextTick(() => { ${steps} });`),
);
const leaf = fc
  .array(
    fc.oneof(
      { weight: 3, arbitrary: plain },
      { weight: 2, arbitrary: wait },
      { weight: 1, arbitrary: later },
    ),
    {
      minLength: 1,
      maxLength: 5,
    },
  )
  .map((steps) => steps.join(' '));
const body = fc
  .array(
    fc.oneof(
      { weight: 3, arbitrary: plain },
      { weight: 3, arbitrary: wait },
      { weight: 2, arbitrary: call },
      { weight: 1, arbitrary: later },
    ),
    { minLength: 1, maxLength: 6 },
  )
  .map((steps) => steps.join(' '));
const starts = fc.array(
  fc.oneof(
    fc.constantFrom('one', 'two').map((f) => `await ${f}();`),
    fc.constantFrom('one', 'two').map((f) => `tasks.push(${f}());`),
    fc.constantFrom('one', 'two').map((f) => `setImmediate(${f});`),
    wait,
    wait,
  ),
  { minLength: 2, maxLength: 8 },
);

/** What comes from elsewhere, after so many turns. */
const outside = fc
  .array(fc.tuple(fc.constantFrom('one', 'two'), fc.integer({ min: 0, max: 6 })), { maxLength: 2 })
  .map((calls) => calls.map(([f, turns]) => `after(${turns}, ${f});`).join(' '));

const randomProgram = fc.tuple(leaf, leaf, leaf, body, body, starts, outside, fc.boolean()).map(
  ([f1, f2, f3, one, two, main, others, isBlock]) => `
      const a = { n: 0, m: 0, list: [] }, b = { n: 1, m: 1, list: [] }, c = { n: 2, m: 2, list: [] };
      const known = new Map();
      const seen = (x) => x;
      const tasks = [];
      const after = (turns, f) => setImmediate(turns === 0 ? f : () => after(turns - 1, f));
      ${others}
      async function f1() { ${f1} }
      async function f2() { ${f2} }
      async function f3() { ${f3} }
      async function one() { ${one} }
      async function two() { ${two} }
      ${
        isBlock
          ? `async function main() { ${main.join(' ')} await Promise.all(tasks); } module.exports = main().catch(() => {});`
          : `${main.join(' ').replaceAll('await ', '')} module.exports = Promise.all(tasks).catch(() => {});`
      }
    `,
);

it('random programs are judged the same, whether or not tasks are left out that meet nobody', async () => {
  let violations = 0;
  let leftOut = 0;
  await fc.assert(
    fc.asyncProperty(randomProgram, async (program) => {
      const whole = await found(program, WHOLE);
      const partial = await found(program, PARTIAL);
      expect(partial.judged).toEqual(whole.judged);
      violations += whole.judged.length;
      leftOut += whole.accesses.length - partial.accesses.length;
    }),
    RUNS,
  );
  expect(violations).toBeGreaterThan(0);
  expect(leftOut).toBeGreaterThan(0);
});
