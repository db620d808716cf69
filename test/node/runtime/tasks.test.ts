import { describe, expect, it } from 'vitest';
import { record, told } from './support.ts';

/** As it is before a runtime watches it. */
const { setImmediate: later } = globalThis;

/** A turn of the event loop, of which the runtime learns nothing. */
const turn = () => new Promise((resolve) => later(resolve));

const world = {
  turn,
  /** Calls something, and does not wait for it. */
  impatient: (f: () => unknown) => {
    f();
    return turn();
  },
  /** As streams do: nothing happens in the first callback but that the next one is registered. */
  twiceLater: (f: () => unknown) => queueMicrotask(() => queueMicrotask(f)),
};

/** What the tasks of a program do. `s` is an object that two tasks touch, so that accesses to it are recorded. */
async function tasks(program: string): Promise<string> {
  const recording = await record(`const s = { x: 0 };\n${program}`, world);
  return told(recording);
}

function lines(...expected: string[]): string {
  return expected.join('\n');
}

it('leaves out calls in which nothing has happened', async () => {
  const trace = await tasks(`
    async function nothing() { await turn(); }
    async function main() { await nothing(); s.x = 1; await nothing(); }
    module.exports = main();
    s.x;
  `);
  expect(trace).toBe(lines('main: fork main#1, r s.x', 'main#1: begin main, w s.x, end'));
});

describe('a call that is awaited at once runs in the task of its caller', () => {
  it('as a nested block', async () => {
    const trace = await tasks(`
      async function inner() { s.x; await turn(); }
      async function outer() { await inner(); s.x = 1; }
      module.exports = outer();
      s.x = 2;
    `);
    expect(trace).toBe(
      lines(
        'main: fork outer#1',
        'outer#1: begin outer, begin inner, r s.x',
        'main: w s.x',
        'outer#1: end, w s.x, end',
      ),
    );
  });

  it('also through a function that only passes the promise on', async () => {
    const trace = await tasks(`
      async function inner() { await turn(); s.x = 1; }
      const pass = () => inner();
      async function outer() { await pass(); }
      module.exports = outer();
      s.x = 2;
    `);
    expect(trace).toBe(
      lines('main: fork outer#1, w s.x', 'outer#1: begin outer, begin inner, w s.x, end, end'),
    );
  });

  it('and its caller lasts as long if it returns it', async () => {
    const trace = await tasks(`
      async function inner() { await turn(); s.x = 1; }
      async function outer() { return inner(); }
      module.exports = outer();
      s.x = 2;
    `);
    expect(trace).toBe(
      lines('main: fork outer#1, w s.x', 'outer#1: begin outer, begin inner, w s.x, end, end'),
    );
  });

  it('if it never waits for anything, whatever becomes of its promise', async () => {
    const trace = await tasks(`
      async function quick() { s.x = 1; }
      async function other() { await turn(); s.x = 2; }
      quick();
      module.exports = other();
    `);
    expect(trace).toBe(
      lines('main: begin quick, w s.x, end, fork other#1', 'other#1: begin other, w s.x, end'),
    );
  });
});

describe('a call whose promise is kept', () => {
  it('is a task, which is joined where the promise is awaited', async () => {
    const trace = await tasks(`
      async function work() { s.x = 1; await turn(); s.x = 2; }
      async function main() { const p = work(); s.x; await p; s.x; }
      module.exports = main();
    `);
    expect(trace).toBe(
      lines(
        'main: fork main#1',
        'main#1: begin main, fork work#1',
        'work#1: begin work, w s.x',
        'main#1: r s.x',
        'work#1: w s.x, end',
        'main#1: join work#1, r s.x, end',
      ),
    );
  });

  it('is joined through Promise.all', async () => {
    const trace = await tasks(`
      async function work() { await turn(); s.x = {}; }
      async function main() { await Promise.all([work(), work()]); }
      module.exports = main();
    `);
    expect(trace).toBe(
      lines(
        'main: fork main#1',
        'main#1: begin main, fork work#1, fork work#2',
        'work#1: begin work, w s.x, end',
        'work#2: begin work, w s.x, end',
        'main#1: join work#1, join work#2, end',
      ),
    );
  });

  it('is joined through an array that map has made', async () => {
    const trace = await tasks(`
      async function work(i) { await turn(); s.x = i; }
      async function main() { const all = [1, 2].map(work); await all[1]; await all[0]; }
      module.exports = main();
    `);
    expect(trace).toContain('main#1: join work#2, join work#1, end');
  });

  it('is not joined by a race that it has lost', async () => {
    const trace = await tasks(`
      async function slow() { await turn(); await turn(); s.x = 1; }
      async function fast() { await turn(); s.x = 2; }
      async function main() { await Promise.race([slow(), fast()]); s.x; }
      module.exports = main();
    `);
    expect(trace).toContain('main#1: join fast#1, r s.x, end');
    expect(trace).not.toContain('join slow');
  });
});

it('forks a nested call that goes on after its caller does', async () => {
  const trace = await tasks(`
    async function slow() { s.x = 1; await turn(); await turn(); await turn(); s.x = 2; }
    async function main() { await impatient(slow); s.x; await turn(); await turn(); await turn(); }
    module.exports = main();
  `);
  expect(trace).toBe(
    lines(
      'main: fork main#1',
      'main#1: begin main, begin slow, w s.x, end, fork slow#1, r s.x',
      'slow#1: begin slow, w s.x, end',
      'main#1: end',
    ),
  );
});

describe('callbacks', () => {
  it('of timers run in tasks that are forked where they are set', async () => {
    const trace = await tasks(`
      async function main() { setTimeout(() => { s.x = 1; }, 1); s.x; await turn(); }
      module.exports = main().then(() => new Promise((resolve) => setTimeout(resolve, 5)));
    `);
    expect(trace).toMatch(/main#1: begin main, fork timeout#\d, r s.x/);
    expect(trace).toMatch(/timeout#\d: w s.x/);
  });

  it('of timers that never fire leave nothing in the trace', async () => {
    const trace = await tasks(`
      async function main() { clearTimeout(setTimeout(() => { s.x = 1; }, 1)); await turn(); s.x = 2; }
      module.exports = main();
      s.x = 1;
    `);
    expect(trace).not.toContain('timeout');
  });

  it('given to then run in tasks that join what the promise stood for', async () => {
    const trace = await tasks(`
      async function work() { await turn(); s.x = 1; }
      async function main() { await work().then(() => { s.x = 2; }); }
      module.exports = main();
    `);
    expect(trace).toBe(
      lines(
        'main: fork main#1',
        'main#1: begin main, fork work#1, fork then#1',
        'work#1: begin work, w s.x, end',
        'then#1: join work#1, w s.x',
        'main#1: join work#1, join then#1, end',
      ),
    );
  });

  it('registered by whatever means belong to the block they were registered in', async () => {
    const trace = await tasks(`
      const fs = require('node:fs');
      async function main() {
        await new Promise((resolve) => fs.stat('.', () => { s.x = 1; resolve(); }));
        s.x;
      }
      module.exports = main();
    `);
    expect(trace).toMatch(/main#1: begin main, fork callbacks#\d/);
    expect(trace).toMatch(/callbacks#\d: fork callback#\d\ncallback#\d: w s.x/);
  });
});

it('runs an async generator in the task of its consumer', async () => {
  const trace = await tasks(`
    async function* numbers() { s.x = 1; await turn(); yield 1; s.x = 2; }
    async function main() { for await (const n of numbers()) s.x = n; }
    module.exports = main();
    s.x = 0;
  `);
  expect(trace).toBe(
    lines('main: fork main#1', 'main#1: begin main, w s.x', 'main: w s.x', 'main#1: w s.x, w s.x, end'),
  );
});

it('takes a function that returns a promise of its own for a block until that is awaited', async () => {
  const trace = await tasks(`
    function load() { s.x; return new Promise((resolve) => setImmediate(() => { s.x = 1; resolve(); })); }
    async function main() { await load(); s.x = 2; }
    module.exports = main();
  `);
  expect(trace).toBe(
    lines(
      'main: fork main#1',
      'main#1: begin main, begin load, r s.x, fork immediate#1',
      'immediate#1: w s.x',
      'main#1: end, join immediate#1, w s.x, end',
    ),
  );
});

it('a block that throws ends, and its caller goes on in its catch and finally', async () => {
  const trace = await tasks(`
    async function fail() { await turn(); s.x = 1; throw new Error('no'); }
    async function main() { try { await fail(); } catch { s.x = 2; } finally { s.x = 3; } }
    module.exports = main();
    s.x = 0;
  `);
  expect(trace).toBe(
    lines('main: fork main#1, w s.x', 'main#1: begin main, begin fail, w s.x, end, w s.x, w s.x, end'),
  );
});

/** From Node 24 on, only the garbage collector tells. */
const isToldOfReactions = Number(process.versions.node.split('.')[0]) < 24;

describe.runIf(isToldOfReactions)('what a function has returned without anybody waiting for it', () => {
  it('is over when it is settled, and a callback that is not called then never will be', async () => {
    const trace = await tasks(`
      async function work() { s.x++; await turn(); s.x++; }
      function handle(failed) { return work().catch(failed); }
      handle(() => s.x);
      module.exports = (async () => { await turn(); await turn(); s.x = 1; })();
    `);
    expect(trace).toBe(
      lines(
        'main: fork handle#1',
        'handle#1: begin handle, fork work#1',
        'work#1: begin work, u s.x',
        'main: fork "async function at app.js:6 #1"',
        'work#1: u s.x, end',
        'handle#1: end',
        '"async function at app.js:6 #1": begin "async function at app.js:6", w s.x, end',
      ),
    );
  });

  it('is not over before a promise that a callback has given', async () => {
    const trace = await tasks(`
      async function work() { s.x++; await turn(); s.x++; }
      function handle() { return turn().then(() => work()); }
      handle();
      module.exports = (async () => { await turn(); s.x; await turn(); await turn(); s.x; })();
    `);
    expect(trace).toBe(
      lines(
        'main: fork handle#1',
        'handle#1: begin handle, fork then#1',
        'main: fork "async function at app.js:6 #1"',
        'then#1: begin work, u s.x',
        '"async function at app.js:6 #1": begin "async function at app.js:6", r s.x',
        'then#1: u s.x, end',
        '"async function at app.js:6 #1": r s.x, end',
      ),
    );
  });

  it('is not over before what a finally waits for', async () => {
    const trace = await tasks(`
      async function work() { s.x++; await turn(); s.x++; }
      function handle() { return turn().finally(() => work()); }
      handle();
      module.exports = (async () => { await turn(); s.x; await turn(); await turn(); s.x; })();
    `);
    expect(trace).toBe(
      lines(
        'main: fork handle#1',
        'handle#1: begin handle, fork then#1',
        'main: fork "async function at app.js:6 #1"',
        'then#1: begin work, u s.x',
        '"async function at app.js:6 #1": begin "async function at app.js:6", r s.x',
        'then#1: u s.x, end',
        '"async function at app.js:6 #1": r s.x, end',
      ),
    );
  });
});

describe('a callback that only gives another one away', () => {
  it.runIf(isToldOfReactions)('leaves nothing in the trace if nothing comes of it', async () => {
    const trace = await tasks(`
      async function main() { await turn(); s.x = 1; twiceLater(() => {}); await turn(); s.x; }
      module.exports = main();
      s.x;
    `);
    expect(trace).toBe(lines('main: fork main#1, r s.x', 'main#1: begin main, w s.x, r s.x, end'));
  });

  it('comes before what that one does', async () => {
    const trace = await tasks(`
      async function main() { await turn(); s.x = 1; twiceLater(() => { s.x = 2; }); await turn(); s.x; }
      module.exports = main();
      s.x;
    `);
    expect(trace).toBe(
      lines(
        'main: fork main#1, r s.x',
        'main#1: begin main, w s.x, fork microtask#1',
        'microtask#1: fork microtask#2',
        'microtask#2: w s.x',
        'main#1: r s.x, end',
      ),
    );
  });
});
