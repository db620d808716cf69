// Measures what each rule of the judgement is worth: records programs once, judges each trace with all rules, and again
// without each rule that has decided something in it. The table is that of docs/appendix/rules.md.
//
//   node scripts/rules.mjs [--keep <folder of traces>] [folder or program…]
import { parseArgs } from 'node:util';
import { programsIn, RULES, tracesOf, violationsIn } from './judging/traces.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { keep: { type: 'string' } },
});

/** How bad what was found in each block is, by label. */
async function judged(trace) {
  const violations = await violationsIn(trace);
  return violations.map(({ severity, block }) => `${severity} ${block?.label}`).sort();
}

const fired = new Set();
for (const rule of RULES) {
  const { applies } = rule;
  rule.applies = (it) => {
    const does = applies(it);
    if (does) fired.add(rule);
    return does;
  };
}

const count = new Map(RULES.map((rule) => [rule.name, { decided: 0, changed: 0, errors: 0 }]));
let traces = 0;
for (const { trace } of tracesOf(programsIn(positionals), values.keep)) {
  fired.clear();
  let all;
  try {
    all = await judged(trace);
  } catch {
    continue;
  }
  traces++;
  for (const rule of [...fired]) {
    const counted = count.get(rule.name);
    counted.decided++;
    const at = RULES.indexOf(rule);
    RULES.splice(at, 1);
    try {
      const without = await judged(trace);
      if (without.join('\n') !== all.join('\n')) {
        counted.changed++;
        const errors = (found) => found.filter((text) => text.startsWith('error')).join('\n');
        if (errors(without) !== errors(all)) counted.errors++;
      }
    } catch {
      // Nothing else says anything of it.
      counted.changed++;
    }
    RULES.splice(at, 0, rule);
  }
}

console.log(`${traces} programs\n`);
console.log('| rule | verdict | decides in | changes without it | of these, which errors there are |');
console.log('|---|---|---|---|---|');
for (const { name, verdict } of RULES) {
  const { decided, changed, errors } = count.get(name);
  console.log(`| \`${name}\` | ${verdict} | ${decided} | ${changed} | ${errors} |`);
}
