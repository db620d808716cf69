#!/usr/bin/env node
/*
 * What following workers costs: programs with workers, plain and watched, by the time of the processor that the whole
 * process takes; and how many events pass through a ring into a trace. The best of three rounds each.
 *
 *   npm run build && node bench/javascript/workers.mjs [part of the name of a load, or ring]
 */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { bundle, temporaryFolder } from './modules.mjs';

const ROUNDS = 3;
const dist = process.env.TRACKSIDE_DIST ?? new URL('../../dist', import.meta.url).pathname;

/** Each file plays both parts; `work` is what the worker does, `main` what the main thread does with it. */
const LOADS = [
  {
    name: 'make a worker and wait for its end',
    unit: 'worker',
    size: 20,
    main: 'for (let i = 0; i < size; i++) await once(new Worker(file), "exit");',
    work: '',
  },
  {
    name: 'a message there and back',
    unit: 'round trip',
    size: 5000,
    main: `const worker = new Worker(file);
      for (let i = 0; i < size; i++) { worker.postMessage(i); await once(worker, 'message'); }
      await worker.terminate();`,
    work: 'parentPort.on("message", (n) => parentPort.postMessage(n));',
  },
  {
    name: 'async functions in a worker',
    unit: 'call',
    size: 50_000,
    main: 'await once(new Worker(file), "exit");',
    work: `const state = { n: 0 };
      async function add() { const n = state.n; await null; state.n = n + 1; }
      for (let i = 0; i < size; i += 2) await Promise.all([add(), add()]);`,
  },
  {
    name: 'elements of shared memory, two workers',
    unit: 'increment',
    size: 400_000,
    main: `const data = new Int32Array(new SharedArrayBuffer(4096));
      await Promise.all([0, 1].map(() => once(new Worker(file, { workerData: data }), 'exit')));`,
    work: 'for (let i = 0; i < size / 2; i++) workerData[i & 1023] = workerData[i & 1023] + 1;',
  },
  {
    name: 'Atomics.add, two workers',
    unit: 'addition',
    size: 400_000,
    main: `const data = new Int32Array(new SharedArrayBuffer(4096));
      await Promise.all([0, 1].map(() => once(new Worker(file, { workerData: data }), 'exit')));`,
    work: 'for (let i = 0; i < size / 2; i++) Atomics.add(workerData, i & 1023, 1);',
  },
];

const folder = temporaryFolder('workers');

function programOf({ main, work, size }) {
  return `import { once } from 'node:events';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
const file = new URL(import.meta.url);
const size = ${size};
if (isMainThread) {
  const before = process.cpuUsage();
  ${main}
  const { user, system } = process.cpuUsage(before);
  console.log(user + system);
} else {
  ${work}
}
`;
}

/** Nanoseconds for each unit of the load. */
function cost({ size }, args) {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round++) {
    const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
    if (!/^\d+\n$/.test(stdout)) throw new Error(stdout + stderr);
    best = Math.min(best, Number(stdout));
  }
  return (best * 1000) / size;
}

console.log(`node ${process.version}, nanoseconds of the processor`);
console.log('| load | a | plain | exact | times | fast | times |\n|---|---|---|---|---|---|---|');
for (const load of LOADS.filter(({ name }) => name.includes(process.argv[2] ?? ''))) {
  writeFileSync(path.join(folder, 'load.mjs'), programOf(load));
  const command = [`${dist}/cli/main.js`, 'run', '--no-live', '--quiet'];
  const plain = cost(load, ['load.mjs']);
  const exact = cost(load, [...command, 'load.mjs']);
  const fast = cost(load, [...command, '--order', 'fast', 'load.mjs']);
  const cells = [plain, exact, exact / plain, fast, fast / plain];
  const [a, b, c, d, e] = cells.map((value, i) => value.toFixed(i === 2 || i === 4 ? 1 : 0));
  console.log(`| ${load.name} | ${load.unit} | ${a} | ${b} | ${c} | ${d} | ${e} |`);
}

/** Events through a ring and into a file, from a thread that does nothing but write them. */
async function throughput(events) {
  const urls = await bundle([
    'node/isolates/region',
    'node/isolates/ring',
    'node/isolates/ring-sink',
    'node/isolates/sequence-clock',
    'node/workers/merge',
    'node/workers/merged-trace',
    'node/runtime/sinks/spool',
    'trace/batch',
    'trace/names',
  ]);
  const { Region } = await import(urls['node/isolates/region']);
  const { Merge } = await import(urls['node/workers/merge']);
  const { MergedTrace } = await import(urls['node/workers/merged-trace']);
  const { Spool } = await import(urls['node/runtime/sinks/spool']);
  const region = new Region();
  const index = region.admit(-1);
  const trace = new MergedTrace();
  trace.addSink(new Spool(path.join(folder, 'ring.trk'), trace.names));
  const merge = new Merge(region, trace);
  const writer = new Worker(
    `const { workerData: { buffer, index, events, urls } } = require('node:worker_threads');
    (async () => {
      const { Region } = await import(urls['node/isolates/region']);
      const { RingWriter } = await import(urls['node/isolates/ring']);
      const { RingSink } = await import(urls['node/isolates/ring-sink']);
      const { SequenceClock } = await import(urls['node/isolates/sequence-clock']);
      const { EventBatch } = await import(urls['trace/batch']);
      const { TraceNames } = await import(urls['trace/names']);
      const region = new Region(buffer);
      const names = new TraceNames();
      names.threads.internText('main');
      for (let i = 0; i < 1024; i++) names.variables.internText('v' + i);
      const sink = new RingSink(new RingWriter(region, index), names);
      const clock = new SequenceClock(region, index);
      const batch = new EventBatch();
      const sequences = new Int32Array(batch.capacity);
      const flags = new Uint8Array(batch.capacity);
      for (let i = 0; i < events; ) {
        for (; batch.length < batch.capacity && i < events; i++) {
          sequences[batch.length] = clock.take();
          batch.push(0, i & 1, i & 1023, 0, 0);
        }
        sink.take(batch, [], [], sequences, flags);
        clock.settle();
        batch.advance();
      }
      region.end(index);
    })();`,
    { eval: true, workerData: { buffer: region.buffer, index, events, urls } },
  );
  let seen = 0;
  const start = performance.now();
  while (region.isAlive(index) || seen > 0) {
    seen = merge.round();
    trace.flush();
  }
  const seconds = (performance.now() - start) / 1000;
  trace.finish();
  await writer.terminate();
  return events / seconds;
}

if ((process.argv[2] ?? 'ring') === 'ring') {
  const best = Math.max(await throughput(5_000_000), await throughput(5_000_000));
  console.log(`through a ring into a trace: ${(best / 1e6).toFixed(1)} million events a second`);
}
