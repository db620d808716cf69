// One measurement in a process of its own: `node bench/measure.mjs <subject> <trace>` prints a line of JSON.
// A fresh process each time, so that no subject profits from code or memory that another left behind.
import { analysesNamed, checkTrace, Specification, TraceReader } from '../dist/library.js';
import { countNewlines } from './floor.mjs';

const [subject, path] = process.argv.slice(2);

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
const events =
  subject === 'floor' ? countNewlines(path) : await (subject === 'read' ? readOnly() : analyse());
const milliseconds = performance.now() - start;
console.log(JSON.stringify({ events, milliseconds, peakMegabytes: process.resourceUsage().maxRSS / 1024 }));
