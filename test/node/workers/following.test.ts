import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { JsonReport } from '../../../src/check/json-results.ts';
import { temporaryFolder, trackside } from '../../cli/run.ts';

const folder = temporaryFolder();
const MARKERS = JSON.stringify(new URL('../../../dist/index.js', import.meta.url).href);
const REGISTER = new URL('../../../dist/node/launch/register.js', import.meta.url).href;

/** The trace of a program, as lines of STD without places. */
function recorded(name: string, source: string): string[] {
  folder.write(name, source);
  const { status, stderr } = trackside(['record', '--quiet', '-o', `${name}.std`, name], {
    cwd: folder.path,
  });
  expect(stderr).toBe('');
  expect(status).toBe(0);
  return readFileSync(join(folder.path, `${name}.std`), 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.split('|').slice(0, 2).join(' '));
}

/** Both parts of a program: what `main` does, with `worker` made by `start(data)`, and what a worker does. */
function program(main: string, work: string): string {
  return `import { once } from 'node:events';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { read, write } from ${MARKERS};
const start = (data, options = {}) => new Worker(new URL(import.meta.url), { workerData: data, ...options });
if (isMainThread) {
${main}
} else {
${work}
}`;
}

describe('a worker', () => {
  it('is forked where it is made, and joined by whoever waits for its end', () => {
    const trace = recorded(
      'joined.mjs',
      program(
        `await once(start(1), 'exit');
         read('after');
         await start(2, { name: 'second' }).terminate();
         read('after that');`,
        "write('row ' + workerData);",
      ),
    );
    const lines = trace.filter((line) => /^(main|worker 1) [^f]|^main fork\(worker/.test(line));
    expect(lines).toEqual([
      'main fork(worker 1)',
      'worker 1 w(row 1)',
      'main join(worker 1)',
      'main r(after)',
      'main fork(worker 2 (second))',
      'main join(worker 2 (second))',
      'main r(after that)',
    ]);
  });

  // FastTrack says which accesses no order keeps apart.
  it.each([
    ["new Promise((resolve) => worker.on('exit', resolve))", 0],
    ["once(worker, 'exit')", 0],
    ["new Promise((resolve) => worker.once('message', resolve))", 0],
    ["once(worker, 'message')", 0],
    ['new Promise((resolve) => setTimeout(resolve, 50))', 2],
  ])('is waited for by Promise.all of %s', (wait, races) => {
    folder.write(
      'waited.mjs',
      program(
        `const workers = [start(1), start(2)];
         await Promise.all(workers.map((worker) => ${wait}));
         write('row 1');
         write('row 2');`,
        "write('row ' + workerData); parentPort.postMessage('written');",
      ),
    );
    const found = trackside(
      ['run', '--no-live', '--analysis', 'fasttrack', '--reporter', 'json', 'waited.mjs'],
      {
        cwd: folder.path,
      },
    );
    const [{ violations }] = (JSON.parse(found.stdout) as JsonReport).results;
    expect(violations.filter(({ kind }) => kind === 'race')).toHaveLength(races);
  });

  it('loses nothing that it did before it was ended', () => {
    const trace = recorded(
      'ended.mjs',
      program(
        `const worker = start(1000);
         await once(worker, 'message');
         await worker.terminate();
         const other = start(10);
         await once(other, 'message');
         process.exit();`,
        `for (let i = 0; i < workerData; i++) write('row ' + i);
         parentPort.postMessage('done');
         for (;;);`,
      ),
    );
    expect(trace.filter((line) => line.startsWith('worker 1 w(row '))).toHaveLength(1000);
    expect(trace.filter((line) => line.startsWith('worker 2 w(row '))).toHaveLength(10);
  });

  it('sees what was done before there were workers, in the same trace', () => {
    folder.write(
      'replayed.mjs',
      program(
        `let goOn;
         async function transfer() {
           read('account');
           await new Promise((resolve) => { goOn = resolve; });
           write('account');
         }
         const transferred = transfer();
         // What has been logged is handed over before there is a worker.
         for (let i = 0; i < 3; i++) await new Promise((resolve) => setTimeout(resolve, 200));
         await once(start(0), 'exit');
         goOn();
         await transferred;`,
        "write('account');",
      ),
    );
    const found = trackside(['run', '--no-live', 'replayed.mjs'], { cwd: folder.path });
    expect(found.stderr).toContain("block 'transfer'");
    expect(found.stderr).toContain('lost update');
    expect(found.status).toBe(1);
  });
});

describe('messages', () => {
  it('order what is done in isolates, through ports that are handed over, too', () => {
    const trace = recorded(
      'ports.mjs',
      program(
        `const { port1, port2 } = new MessageChannel();
         const inData = new MessageChannel();
         const worker = start({ deep: [inData.port2] }, { transferList: [inData.port2] });
         worker.postMessage({ port2 }, [port2]);
         const answer = once(port1, 'message');
         port1.postMessage('first');
         await answer;
         read('answered');
         const other = once(inData.port1, 'message');
         inData.port1.postMessage('second');
         await other;
         read('answered again');
         port1.close();
         inData.port1.close();`,
        `parentPort.once('message', ({ port2 }) => {
           port2.on('message', () => { write('first'); port2.postMessage(''); });
         });
         workerData.deep[0].on('message', () => { write('second'); workerData.deep[0].postMessage(''); });`,
      ),
    );
    const at = (line: RegExp) => trace.findIndex((each) => line.test(each));
    const inOrder = (...lines: RegExp[]) => {
      const places = lines.map(at);
      expect(places).toEqual([...places].sort((a, b) => a - b));
      expect(places).not.toContain(-1);
    };
    const [first, second] = trace.flatMap(
      (line) => /send\(#1 from port1 of (channel \d+)\)/.exec(line)?.[1] ?? [],
    );
    expect(first).not.toBe(second);
    inOrder(/send\(#1 to worker 1\)/, /worker 1.* receive\(#1 to worker 1\)/);
    for (const [channel, row, answer] of [
      [first, 'first', 'answered'],
      [second, 'second', 'answered again'],
    ])
      inOrder(
        new RegExp(`^main send\\(#1 from port1 of ${channel}`),
        new RegExp(`^worker 1.* receive\\(#1 from port1 of ${channel}`),
        new RegExp(`^worker 1.* w\\(${row}\\)`),
        new RegExp(`^worker 1.* send\\(#1 from port2 of ${channel}`),
        new RegExp(`^main receive\\(#1 from port2 of ${channel}`),
        new RegExp(`^main r\\(${answer}\\)`),
      );
  });
});

describe('while the program runs', () => {
  it('what is not atomic in a worker is told in the report', () => {
    folder.write(
      'live.mjs',
      program(
        "await once(start(0), 'exit');",
        `const state = { n: 0 };
         async function add() { const n = state.n; await null; state.n = n + 1; }
         for (let i = 0; i < 3; i++) await Promise.all([add(), add()]);`,
      ),
    );
    const { stderr } = trackside(['run', 'live.mjs'], { cwd: folder.path });
    expect(stderr).toContain("block 'add' of task 'worker 1: add#");
    expect(stderr).toContain('w(worker 1: state.n)');
  });

  it('a burst of a million events needs no more memory than a ring', () => {
    folder.write(
      'burst.mjs',
      program(
        `const shared = new Int32Array(new SharedArrayBuffer(8));
         const workers = [start(shared), start(shared)];
         await Promise.all(workers.map((worker) => once(worker, 'exit')));
         console.log(process.resourceUsage().maxRSS < 400 * 1024);`,
        `function take(item) {
           const left = workerData[item];
           workerData[item] = left - 1;
         }
         for (let i = 0; i < 125_000; i++) take(0);`,
      ),
    );
    const { stdout, status } = trackside(['record', '--quiet', '-o', 'burst.trk', 'burst.mjs'], {
      cwd: folder.path,
    });
    expect([stdout, status]).toEqual(['true\n', 0]);
    const info = trackside(['info', '--reporter', 'json', 'burst.trk'], { cwd: folder.path });
    expect(Number(/"events": (\d+)/.exec(info.stdout)?.[1])).toBeGreaterThan(1_000_000);
  });
});

describe('node --import trackside/register', () => {
  it('follows workers', () => {
    folder.write(
      'registered.mjs',
      program(
        "console.log(await once(start(0), 'exit'), process.execArgv);",
        `const state = { n: 0 };
         async function add() { const n = state.n; await null; state.n = n + 1; }
         await Promise.all([add(), add()]);`,
      ),
    );
    const { NODE_OPTIONS: _, ...env } = process.env;
    const { stdout, stderr, status } = spawnSync(process.execPath, ['--import', REGISTER, 'registered.mjs'], {
      cwd: folder.path,
      encoding: 'utf8',
      env: { ...env, NO_COLOR: '1' },
    });
    expect(stdout).toBe('[ 0 ] []\n');
    expect(stderr).toMatch(/block 'add' of \w+ 'worker 1: add#/);
    expect(status).toBe(1);
  });
});

describe('--order', () => {
  it('fast is said in the report, and nothing else is taken', () => {
    folder.write('order.mjs', program("await once(start(0), 'exit');", ''));
    const fast = trackside(['run', '--order', 'fast', 'order.mjs'], { cwd: folder.path });
    expect(fast.stderr).toContain('--order fast');
    const exact = trackside(['run', 'order.mjs'], { cwd: folder.path });
    expect(exact.stderr).not.toContain('--order');
    const wrong = trackside(['run', '--order', 'some', 'order.mjs'], { cwd: folder.path });
    expect(wrong.status).toBe(2);
    expect(wrong.stderr).toContain('exact, fast');
  });
});
