// One measurement in a process of its own: `node bench/measure.mjs <subject> <trace>` prints a line of JSON.
// A fresh process each time, so that no subject profits from code or memory that another left behind.
import { openSync, readSync } from 'node:fs';
import { analysesNamed } from '../dist/analyses/registry.js';
import { checkTrace } from '../dist/check/check.js';
import { TraceReader } from '../dist/formats/read.js';
import { Specification } from '../dist/spec/specification.js';

const [subject, path] = process.argv.slice(2);

/** The floor: what it costs to read a text trace and count its lines, and nothing else. */
function countNewlines() {
  const file = openSync(path, 'r');
  const bytes = new Uint8Array(1 << 20);
  let lines = 0;
  for (;;) {
    const count = readSync(file, bytes, 0, bytes.length, null);
    if (count === 0) return lines;
    for (let i = 0; i < count; i++) if (bytes[i] === 10) lines++;
  }
}

async function readOnly() {
  let events = 0;
  const reader = await TraceReader.open(path);
  for await (const batch of reader.batches()) events += batch.length;
  return events;
}

async function analyse() {
  const check = await checkTrace(path, {
    analyses: analysesNamed(subject),
    forkJoin: 'edge',
    first: false,
    specification: new Specification(),
  });
  if (check.problem !== null) throw check.problem;
  return check.events;
}

const start = performance.now();
const events = subject === 'floor' ? countNewlines() : await (subject === 'read' ? readOnly() : analyse());
const milliseconds = performance.now() - start;
console.log(JSON.stringify({ events, milliseconds, peakMegabytes: process.resourceUsage().maxRSS / 1024 }));
