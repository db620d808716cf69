// Compares what is announced while programs run with what the report says in the end: traces are cut off at several places, as if
// somebody had looked then, and each announcement has to be in the report, once.
//
//   node scripts/live.mjs [--keep <folder of traces>] [folder or program…]
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { temporaryFolder } from '../bench/javascript/modules.mjs';
import { Announcements, programsIn, tracesOf, violationsIn } from './judging/traces.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { keep: { type: 'string' } },
});
const LOOKS = [0.3, 0.5, 0.7, 0.85, 1];
const cut = path.join(temporaryFolder('live'), 'cut.trk');

let traces = 0;
let announced = 0;
let wrong = 0;
for (const { program, trace } of tracesOf(programsIn(positionals), values.keep)) {
  const bytes = readFileSync(trace);
  const announcements = new Announcements();
  const lines = [];
  for (const share of LOOKS) {
    writeFileSync(cut, bytes.subarray(0, Math.ceil(share * bytes.length)));
    lines.push(...announcements.found(await violationsIn(cut).catch(() => [])));
  }
  lines.push(...announcements.unchanged());
  const report = await violationsIn(trace).catch(() => []);
  const known = new Set(report.map(({ severity, block }) => `${severity}: '${block?.label}'`));
  traces++;
  announced += lines.length;
  for (const line of lines) {
    const isKnown = [...known].some((about) => line.startsWith(`trackside: ${about}`));
    if (isKnown && new Set(lines).size === lines.length) continue;
    wrong++;
    console.log(`${program}: ${line.trim()}`);
  }
}
console.log(
  `${traces} programs, ${announced} announcements, ${wrong} that the report does not say, or twice`,
);
process.exitCode = wrong === 0 ? 0 : 1;
