import { describe, expect, it } from 'vitest';
import { displayWidth } from '../../src/report/layout.ts';
import { COLOURED, PLAIN } from '../../src/report/style.ts';
import { text } from '../../src/report/text.ts';
import { OBEYED } from './hostile.ts';
import { event, rendered, result, TOOL, violation } from './results.ts';

describe('the text report of a violation', () => {
  it('has a headline, a sentence, the interleaving, why it is wrong, what to change, and what to run next', () => {
    expect(rendered(text, [[result({ violations: [violation()] })]])).toBe(`\
error: block 'pay' of thread 'T0' is broken by thread 'T1' (lost update)
  pay (thread T0) is not atomic

    event     T0                        T1
        1     begin(pay)
        2  ┌─ r(balance)  Bank.java:12
        3  ├──────────────────────────> w(balance)  Bank.java:20
        4  └> w(balance)  Bank.java:14
        5     end(pay)

  why: 'T0' writes 'balance' (event 4) based on a stale read (event 2): 'T1'
       changed it in between (event 3). Either that change is lost, or 'T0' acts
       on a check that no longer holds (check-then-act).
  fix: Hold one lock from event 2 to event 4; a lock for each access alone does
       not help. Or use one atomic operation, such as compare-and-set, or read
       'balance' again right before writing it and start over if it has changed.

run.std: not serializable from event 4 on: 1 of 12 blocks violated (1,234
  events, 20 ms, regiontrack)
  For the smallest trace that shows it, to mail or to check again:
    trackside explain run.std --event 4 -o small.std
  If 'pay' is not meant to be atomic:
    trackside check run.std --exclude 'pay'
`);
  });

  it('shows the code, with what happened below each line', () => {
    const lines = [
      '  int get() {',
      '    return balance;',
      '  }',
      '',
      '  void set(int b) {',
      '    balance = b;',
    ];
    const sources = [{ path: 'Bank.java', excerpts: [{ firstLine: 11, lines }] }];
    const places = violation({
      cycle: [],
      interference: {
        first: event(2, 'T0', 'r(balance)', 'Bank.java:12'),
        between: event(3, 'T1', 'w(balance)', 'Bank.java:16'),
        last: event(4, 'T0', 'w(balance)', 'Bank.java:16'),
      },
      block: { label: 'pay', begin: 1, end: 5, location: 'Unknown.java:1' },
    });
    expect(rendered(text, [[result({ violations: [places], sources })]])).toContain(`
    Bank.java
      11 │ int get() {
      12 │   return balance;
         │   ^ event 2: T0 reads balance
      13 │ }
       ⋮
      15 │ void set(int b) {
      16 │   balance = b;
         │   ^ event 3: T1 writes balance
         │   ^ event 4: T0 writes balance

  why: `);
  });

  it('leaves out locks that were taken before the first of the accesses', () => {
    const locks = (at: number) => ({
      from: event(at, 'T0', 'rel(l)'),
      to: event(at + 1, 'T1', 'acq(l)'),
    });
    const first = event(20, 'T0', 'r(x)');
    const between = event(30, 'T1', 'w(x)');
    const last = event(40, 'T0', 'w(x)');
    const mixed = violation({ cycle: [locks(11), locks(21)], interference: { first, between, last } });
    const report = rendered(text, [[result({ violations: [mixed] })]]);
    const shown = [...report.matchAll(/^ +(\d+) [ │┌├└]/gm)].map(([, number]) => Number(number));
    expect(shown).toEqual([1, 5, 20, 21, 22, 30, 40]);
  });

  it('says so when no block is to blame', () => {
    const nobody = violation({
      kind: 'trace',
      block: null,
      severity: 'warning',
      pattern: 'multi-variable-cycle',
    });
    expect(rendered(text, [[result({ violations: [nobody] })]])).toMatch(
      /^warning: a cycle of transactions closes at event 4, and no block is blamed for\n {2}it \(multi-variable cycle\)\n/,
    );
  });

  it('does without a cycle where none was looked for', () => {
    const bare = violation({ cycle: [], interference: null, pattern: null, message: 'pay is not atomic' });
    expect(rendered(text, [[result({ violations: [bare] })]])).toMatch(
      /^error: block 'pay' of thread 'T0' is not atomic\n {2}pay is not atomic\n\n {2}fix: .*\n.*\n\nrun\.std: /,
    );
  });

  it('puts whole locations on lines of their own where columns are narrow, further left if need be', () => {
    const long = 'src/main/java/com/example/Bank.java:20';
    const cycle = [{ from: event(2, 'T0', 'r(balance)', long), to: event(3, 'T1', 'w(balance)', long) }];
    const report = rendered(text, [[result({ violations: [violation({ cycle, interference: null })] })]]);
    expect(report).toContain(`
        2  ┌─ r(balance)
           │    src/main/java/com/example/Bank.java:20
        3  └──────────────────────────────────> w(balance)
                                          src/main/java/com/example/Bank.java:20
`);
  });

  it('lists events instead of columns where there are many threads', () => {
    const threads = ['T0', 'T1', 'T2', 'T3', 'T4'];
    const cycle = threads.map((thread, i) => ({
      from: event(i + 2, thread, `w(x${i})`, `${i}.js:1`),
      to: event(i + 3, threads[(i + 1) % 5], `r(x${i})`, `${i}.js:2`),
    }));
    const report = rendered(text, [[result({ violations: [violation({ cycle, interference: null })] })]]);
    expect(report).toContain(`
    event     thread
        1     T0  begin(pay)
        2  ┌─ T0  w(x0)  0.js:1
        3  ├> T1  w(x1)  1.js:1
        4  ├> T2  w(x2)  2.js:1
`);
  });
});

describe('the text report of many violations', () => {
  it('shows one example of each block, the worst first, and counts the others', () => {
    const of = (label: string, begin: number, severity: 'error' | 'warning') =>
      violation({ block: { label, begin, end: begin + 4 }, severity, event: begin + 3 });
    const violations = [
      ...Array.from({ length: 1000 }, (_, i) => of('read', 10 * i, 'warning')),
      ...Array.from({ length: 2 }, (_, i) => of('pay', 20_000 + 10 * i, 'error')),
      of('log', 30_000, 'warning'),
    ];
    const report = rendered(text, [[result({ violations, blocks: { checked: 5000, leftOut: 0 } })]]);
    expect(report.match(/^(error|warning): block '\w+'/gm)).toEqual([
      "error: block 'pay'",
      "warning: block 'read'",
      "warning: block 'log'",
    ]);
    expect(report).toContain(
      "\n  and 999 more violations of block 'read'; --reporter json lists every one\n",
    );
    expect(report).toContain("\n  and 1 more violation of block 'pay'; --reporter json lists every one\n");
    expect(report).toContain('1,003 of 5,000 blocks violated');
    expect(report).toContain("\n  To look at it alone:\n    trackside check run.std --only 'pay'\n");
  });

  it('shows the eleventh block and those after it only by numbers', () => {
    const violations = Array.from({ length: 12 }, (_, i) =>
      violation({ block: { label: `block${i}`, begin: 10 * i, end: null }, event: 10 * i + 3 }),
    );
    const report = rendered(text, [[result({ violations })]]);
    expect(report.match(/^error: /gm)).toHaveLength(10);
    expect(report).toContain(`
severity  pattern      block    count  event
error     lost update  block10      1    103
error     lost update  block11      1    113
`);
  });
});

describe('the text report of a trace without violations', () => {
  it('says what that means and what it does not', () => {
    expect(rendered(text, [[result()]])).toBe(`\
run.std: serializable (1,234 events, 20 ms, regiontrack)
  Every block behaved as if it had run alone. That holds for this run: another
  schedule of the same program may still break one.
`);
  });

  it('says how to look for another schedule, if the program can be run in one', () => {
    const command = 'trackside run --schedule provoke --seed 1 app.mjs';
    expect(rendered(text, [[result()]], { provoking: command })).toContain(
      `  To look for one:\n    ${command}\n`,
    );
    expect(rendered(text, [[result()]], { provoking: '--provoke' })).toContain(
      '  To look for one, add to the command:\n    --provoke\n',
    );
  });

  it('warns when nothing was checked', () => {
    expect(rendered(text, [[result({ blocks: { checked: 0, leftOut: 7 } })]])).toMatch(
      /No block was checked\. The specification leaves all of them out, so this says\n {2}nothing\./,
    );
    expect(rendered(text, [[result({ blocks: { checked: 0, leftOut: 0 } })]])).toMatch(
      /The trace has none, so/,
    );
  });

  it('shows the figures of an analysis that decides nothing', () => {
    const count = result({ analysis: 'count', serializable: null, statistics: { reads: 1234, writes: 5 } });
    expect(rendered(text, [[count]])).toBe(
      'run.std: read to the end (1,234 events, 20 ms, count)\n  reads 1,234\n  writes 5\n',
    );
  });

  it('lists what was repaired', () => {
    const repairs = [{ what: 'an end with no open block is dropped', count: 2 }];
    expect(rendered(text, [[result({ repairs })]])).toContain(
      '\n  repaired 2 times: an end with no open block is dropped\n',
    );
  });
});

describe('the text report of several traces', () => {
  it('ends with a count, and tells what could not be read', () => {
    const error = { message: 'bad.std:6:4: odd; found …', line: 6, column: 4, summary: 'odd' };
    const bad = result({
      trace: 'bad.std',
      verdict: 'error',
      error,
      violations: [violation()],
      complete: false,
    });
    const report = rendered(text, [[result()], [bad], [result({ trace: '-' })]]);
    expect(report).toContain('bad.std: not read to the end: odd at line 6; before that, 1 block violated');
    expect(report).toMatch(/^standard input: serializable/m);
    expect(report).toMatch(/\n\n3 traces: 0 with violations, 2 without, 1 not read to the end\n$/);
  });
});

describe('the text report of an analysis that did not look at everything', () => {
  it('says so before anything else about what the verdict is worth', () => {
    const notes = ['the search was given up: 2 of 7 contended transactions are undecided'];
    const report = rendered(text, [[result({ verdict: 'ok', serializable: null, predictive: true, notes })]]);
    expect(report).toContain('  the search was given up: 2 of 7 contended transactions are undecided\n');
  });
});

describe('the text report of several analyses', () => {
  it('compares them, and names what each missed or wrongly blamed', () => {
    const at = (label: string, begin: number) => violation({ block: { label, begin, end: null } });
    const trace = violation({ kind: 'trace' });
    const report = rendered(text, [
      [
        result({
          violations: [at('pay', 1), at('log', 11)],
          statistics: { joins: 1234 },
          allocatedBytes: 36_000,
        }),
        result({ analysis: 'atomsanitizer', violations: [trace] }),
        result({ analysis: 'velodrome', violations: [at('pay', 1)] }),
        result({ analysis: 'doublechecker', violations: [at('pay', 1), at('log', 11), at('get', 31)] }),
      ],
    ]);
    expect(report.slice(report.indexOf('run.std:'))).toBe(`\
run.std: not serializable from event 4 on: 2 of 12 blocks violated (1,234
  events, 20 ms)
  analysis       verdict    event  found  missed  wrong    time  memory
  regiontrack    violation      4      2       -      -  3.0 ms   36 kB
  atomsanitizer  violation      4      1       -      -  3.0 ms       -
  velodrome      violation      4      1       1      0  3.0 ms       -
  doublechecker  violation      4      3       0      1  3.0 ms       -
  velodrome missed 'log' of 'T0' (event 11)
  doublechecker wrongly blamed 'get' of 'T0' (event 31)
  regiontrack: joins 1,234
  For the smallest trace that shows the first one, to mail or to check again:
    trackside explain run.std --event 4 -o small.std
  If 'pay' is not meant to be atomic:
    trackside check run.std --exclude 'pay'
  To look at it alone:
    trackside check run.std --only 'pay'
`);
  });
});

describe('every text report', () => {
  const nasty = `\x1b[31m${'long'.repeat(300_000)}\u202e\n`;
  const hostile = violation({
    thread: nasty,
    block: { label: nasty, begin: 1, end: 5 },
    cycle: [
      { from: event(2, nasty, `r(${nasty})`, nasty), to: event(3, `🦊${nasty}`, `w(${nasty})`, nasty) },
    ],
    interference: null,
    message: nasty,
  });

  it('keeps hostile and endless names out of the terminal and inside 80 columns', () => {
    const report = rendered(text, [[result({ trace: nasty, violations: [hostile] })]]);
    expect(report).not.toMatch(/[\x00-\x09\x0b-\x1f\u202e]/);
    expect(report.length).toBeLessThan(5000);
    for (const line of report.split('\n')) expect(line.length, line).toBeLessThanOrEqual(80);
  });

  it('makes the code of a hostile file visible, too', () => {
    const path = 'evil\x1b[2J\u202e.js';
    const sources = [{ path, excerpts: [{ firstLine: 1, lines: ['\x1b]0;title\x07\u2066', '\x9b31m'] }] }];
    const first = event(2, 'T0', 'r(x)', `${path}:1:2`);
    const between = event(3, 'T1', 'w(x)', `${path}:2`);
    const found = violation({ interference: { first, between, last: first } });
    const report = rendered(text, [[result({ violations: [found], sources })]]);
    expect(report).toContain(String.raw`1 │ \x1b]0;title\x07\u2066`);
    expect(report).not.toMatch(OBEYED);
  });

  it('suggests no command that a name could turn into another', () => {
    for (const label of [nasty, "'; rm -rf ~; '", '-x']) {
      const found = violation({ block: { label, begin: 1, end: 5 } });
      const report = rendered(text, [[result({ violations: [found], trace: label })]]);
      expect(report).toContain('\n    trackside check <trace> --exclude <label>\n');
      expect(report).toContain('\n    trackside explain <trace> --event 4 ');
    }
    const odd = violation({ block: { label: 'a*b?(\\I)', begin: 1, end: 5 } });
    expect(rendered(text, [[result({ violations: [odd], trace: 'my run.std' })]])).toContain(
      String.raw`trackside check 'my run.std' --exclude 'a\*b\?(\\I)'`,
    );
  });

  it('repeats the options that decide what is found in the commands it suggests', () => {
    const repeated = ['--fork-join', 'family', '--only', 'Bank.*'];
    expect(rendered(text, [[result({ violations: [violation()] })]], { repeated })).toContain(
      "\n    trackside explain run.std --fork-join family --only 'Bank.*' --event 4 -o small.std\n",
    );
  });

  it('suggests no command about what came from standard input but to check it again', () => {
    const report = rendered(text, [[result({ violations: [violation()], trace: '-' })]]);
    expect(report).toContain('trackside check - --exclude');
    expect(report).not.toContain('trackside explain');
  });

  it('shows violations that are alike by one of them, from two on', () => {
    const report = rendered(text, [[result({ violations: [violation(), violation({ event: 14 })] })]]);
    expect(report.match(/^error:/gm)).toHaveLength(1);
    expect(report).toContain("  and 1 more violation of block 'pay'");
  });

  it('says that a run with warnings only does not fail, where it does not', () => {
    const warned = [[result({ origin: 'program', violations: [violation({ severity: 'warning' })] })]];
    expect(rendered(text, warned, { failOn: 'error' })).toContain(
      'run.std: 1 warning, not failing: 1 of 12 blocks violated',
    );
    expect(rendered(text, warned, { failOn: 'warning' })).toContain('run.std: 1 of 12 blocks violated');
  });

  it.each([40, 60, 80, 120])('fits %i columns', (width) => {
    const wide = violation({
      thread: '線程'.repeat(30),
      block: { label: '🦊'.repeat(30), begin: 1, end: 5 },
    });
    const sources = [
      { path: 'Bank.java', excerpts: [{ firstLine: 11, lines: ['漢'.repeat(90), `\t${'x'.repeat(200)}`] }] },
    ];
    const report = rendered(text, [[result({ violations: [wide, violation()], sources })]], { width });
    for (const line of report.split('\n')) {
      if (!line.startsWith('    trackside')) expect(displayWidth(line), line).toBeLessThanOrEqual(width);
    }
  });

  it('is the same with colour, but for the colour', () => {
    const traces = [[result({ violations: [violation()] })], [result()]];
    const coloured = rendered(text, traces, { style: COLOURED });
    expect(coloured).toContain('\x1b[31merror\x1b[39m');
    expect(coloured.replace(/\x1b\[\d+m/g, '')).toBe(rendered(text, traces));
  });
});

describe('the text report with a baseline', () => {
  const report = (results: Parameters<typeof rendered>[1][number]) =>
    rendered(text, [results], { width: 120 });

  it('counts what is hidden and shows what is new', () => {
    const fresh = violation({ block: { label: 'audit', begin: 1, end: null } });
    const shown = report([result({ known: 3, violations: [fresh] })]);
    expect(shown).toMatch(/^error: block 'audit' of thread 'T0' is broken/);
    expect(shown).toContain('not serializable from event 4 on: 1 new violation, 3 known violations hidden (');
  });

  it('does not call a trace serializable only because what is wrong with it is known', () => {
    const hidden = result({ known: 1, verdict: 'violation', serializable: false, firstEvent: 4 });
    expect(report([hidden])).toMatch(
      /^run\.std: not serializable from event 4 on: 0 new violations, 1 known violation hidden/,
    );
    const predicted = result({ ...hidden, predictive: true, serializable: null, firstEvent: null });
    expect(report([predicted])).toMatch(/^run\.std: 0 new violations, 1 known violation hidden/);
  });

  it('counts only traces with something new', () => {
    const hidden = result({ known: 1, verdict: 'violation', serializable: false });
    const traces = [[hidden], [result({ known: 0, violations: [violation()] })]];
    expect(rendered(text, traces)).toMatch(/\n2 traces: 1 with new violations, 1 without\n$/);
  });

  it('names what is gone, up to ten', () => {
    const fixed = Array.from({ length: 12 }, (_, i) => ({
      fingerprint: String(i),
      analysis: 'regiontrack',
      trace: 'run.std',
      count: 1,
      violation: violation({ block: { label: `pay\x1b${i}`, begin: 1, end: null } }),
    }));
    const lines = [...text.start({ tool: TOOL, style: PLAIN, width: 120 }).finish({ fixed })]
      .join('')
      .split('\n');
    expect(lines[1]).toBe('12 known violations fixed, or at least not seen in this run:');
    expect(lines[2]).toBe(
      "  regiontrack: block 'pay\\x1b0' of thread 'T0' is broken by thread 'T1' (lost update)",
    );
    expect(lines[12]).toBe('  and 2 more; --reporter json lists every one');
  });
});
