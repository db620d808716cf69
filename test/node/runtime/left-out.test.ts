import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RUNS } from './random-programs.ts';
import { accesses, recordWithPauses, told, type Ways } from './support.ts';

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

/** The accesses that are in the trace of a program whose functions have all been called before. */
async function kept(program: string): Promise<string> {
  const recording = await recordWithPauses(program, PARTIAL);
  return accesses(recording);
}

describe('a call that can be part of no violation is left out of the trace', () => {
  it('if all that conflicts with it was over before it began', async () => {
    const program = `
      const o = { x: 1 };
      async function sets() { await turn(); o.x = 2; }
      async function reads() { await turn(); return o.x; }
      async function other() { await turn(); }
      const start = async (f) => { await Promise.all([f(), other()]); };
      module.exports = (async () => { await start(sets); await start(reads); await start(sets); await start(reads); })();
    `;
    expect(await kept(program)).toBe('sets#1: w o.x\nreads#1: r o.x');
  });

  const counting = `
    const o = { x: 1 };
    async function counts() { await turn(); o.x++; await turn(); }
    module.exports = Promise.all([counts(), counts(), counts()]);
  `;

  it('if it only counts what others only count, too', async () => {
    expect(await kept(counting)).toBe('counts#1: u o.x');
  });

  it('and its fork and its join with it', async () => {
    expect(told(await recordWithPauses(counting, PARTIAL))).not.toContain('counts#2');
  });

  it('but not if others that go on have read what it changes', async () => {
    const program = `
      const o = { x: 1 };
      async function reads() { seen(o.x); await turn(); await turn(); }
      async function sets() { await turn(); o.x = 2; }
      const seen = (x) => x;
      module.exports = (async () => { await Promise.all([reads(), sets()]); await Promise.all([reads(), sets()]); })();
    `;
    expect((await kept(program)).match(/w o\.x/g)).toHaveLength(2);
  });

  it('but not if what it has started is called later, and others come in between', async () => {
    const program = `
      const o = { x: 1 };
      async function starts() { const { x } = o; await null; setImmediate(() => { setImmediate(() => { o.x = x + 1; }); }); }
      async function sets() { await turn(); o.x = 5; }
      module.exports = (async () => {
        await starts(); await turn(); await turn(); await turn();
        await starts(); await sets(); await turn(); await turn();
      })();
    `;
    expect((await kept(program)).match(/r o\.x/g)).toHaveLength(2);
  });

  it('also if it has set a timer and cleared it', async () => {
    const program = `
      const o = { x: 1 };
      async function limited() { const limit = setTimeout(() => { o.late = true; }, 1e6); await turn(); o.x++; clearTimeout(limit); }
      async function sets() { await turn(); o.x = 0; }
      const start = async (f) => { await Promise.all([f(), turn()]); };
      module.exports = (async () => { await start(limited); await start(sets); await start(limited); await start(sets); })();
    `;
    expect((await kept(program)).match(/u o\.x/g)).toHaveLength(1);
  });

  it('also while something polls all the time', async () => {
    const program = `
      const o = { x: 1, polls: 0 };
      let isOver = false;
      function poll() { o.polls++; if (!isOver) setImmediate(poll); }
      async function sets() { await turn(); o.x = 2; }
      async function reads() { await turn(); return o.x; }
      async function other() { await turn(); }
      const later = async (f) => { for (let i = 0; i < 150; i++) await turn(); await Promise.all([f(), other()]); };
      module.exports = (async () => { poll(); for (let i = 0; i < 3; i++) { await later(sets); await later(reads); } isOver = true; })();
    `;
    const accessed = (await kept(program)).match(/[rw] o\.x/g);
    expect(accessed).toEqual(['w o.x', 'r o.x']);
  });

  it('but the first call of each function is there', async () => {
    const program = `
      const o = { x: 1 };
      async function reads() { await turn(); return o.x; }
      async function reads2() { await turn(); return o.x; }
      module.exports = (async () => { for (let i = 0; i < 3; i++) await Promise.all([reads(), reads2()]); })();
    `;
    expect(await kept(program)).toBe('reads#1: r o.x\nreads2#1: r o.x');
  });
});

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
