import { describe, expect, it } from 'vitest';
import { dot } from '../../src/report/dot.ts';
import { HOSTILE_NAMES, hostileResult, LONGEST_DOCUMENT, OBEYED } from './hostile.ts';
import { event, rendered, result, violation } from './results.ts';

const pay = { label: 'pay', begin: 1 };

/** The tokens of DOT as far as we write it; throws at anything else. */
function tokens(document: string): string[] {
  const token = /\s+|\/\/[^\n]*\n|"(?:[^"\\\n]|\\[\\"n])*"|[A-Za-z]\w*|->|[{}[\];=,]/y;
  const found: string[] = [];
  while (token.lastIndex < document.length) {
    const at = token.lastIndex;
    const match = token.exec(document);
    if (match === null) throw new Error(`cannot read ${JSON.stringify(document.slice(at, at + 60))}`);
    if (!/^(?:\s|\/\/)/.test(match[0])) found.push(match[0]);
  }
  return found;
}

describe('the DOT report', () => {
  it('draws the cycle: transactions as boxes, the blamed one bold, the closing conflict dashed', () => {
    const first = { ...event(2, 'T0', 'r(balance)', 'Bank.java:12'), transaction: pay };
    const between = { ...event(3, 'T1', 'w(balance)'), transaction: null };
    const last = { ...event(4, 'T0', 'w(balance)', 'Bank.java:14'), transaction: pay };
    const cycle = [
      { from: first, to: between },
      { from: between, to: last },
    ];
    expect(rendered(dot, [[result({ violations: [violation({ cycle })] })]])).toBe(`\
digraph "violation 1" {
  graph [label="block 'pay' of thread 'T0' is broken by thread 'T1' (lost update)", labelloc="t", rankdir="TB"];
  node [shape="box", fontname="monospace"];
  edge [fontname="monospace"];
  t0 [label="pay\\nthread T0, begun at event 1", style="bold", penwidth="3"];
  t1 [label="w(balance)\\nthread T1, event 3"];
  t0 -> t1 [label="2: r(balance) at Bank.java:12\\nbefore 3: w(balance)"];
  t1 -> t0 [label="3: w(balance)\\nbefore 4: w(balance) at Bank.java:14", style="dashed"];
}
// run.std, regiontrack: 1 with a cycle, 0 without
`);
  });

  it('calls the threads of a program tasks', () => {
    const drawn = rendered(dot, [[result({ origin: 'program', violations: [violation()] })]]);
    expect(drawn).toContain('[label="task T0"');
    expect(drawn).not.toContain('thread');
  });

  it('links two transactions of a thread where the path goes on in the later one', () => {
    const log = { label: 'log', begin: 6 };
    const cycle = [
      {
        from: { ...event(2, 'T0', 'w(x)'), transaction: pay },
        to: { ...event(3, 'T1', 'r(x)'), transaction: null },
      },
      {
        from: { ...event(7, 'T1', 'w(y)'), transaction: log },
        to: { ...event(8, 'T0', 'r(y)'), transaction: pay },
      },
    ];
    const drawn = rendered(dot, [[result({ violations: [violation({ cycle, interference: null })] })]]);
    expect(drawn).toContain('[label="later in the thread", style="dotted"];');
    expect(drawn.match(/^ {2}t\d \[/gm)).toHaveLength(3);
  });

  it('names the violated block where it lies inside of its transaction', () => {
    const run = { label: 'run', begin: 1 };
    const cycle = [
      {
        from: { ...event(12, 'T0', 'w(x)'), transaction: run },
        to: { ...event(13, 'T0', 'w(x)'), transaction: run },
      },
    ];
    const nested = violation({ block: { label: 'pay', begin: 11, end: null }, cycle, interference: null });
    expect(rendered(dot, [[result({ violations: [nested] })]])).toContain(
      '"run\\nthread T0, begun at event 1\\nviolated: pay, begun at event 11", style="bold"',
    );
  });

  it('counts what has no cycle to draw', () => {
    const bare = violation({ cycle: [], interference: null });
    expect(rendered(dot, [[result({ violations: [bare] })]])).toBe(
      '// run.std, regiontrack: 0 with a cycle, 1 without\n',
    );
  });

  it.each(HOSTILE_NAMES)('holds against %s', (_, name) => {
    const document = rendered(dot, [[hostileResult(name)]]);
    const found = tokens(document);
    expect(found.filter((token) => token === '->')).toHaveLength(2);
    expect(found.filter((token) => token === '{' || token === '}')).toEqual(['{', '}']);
    expect(document).not.toMatch(OBEYED);
    expect(Buffer.from(document).toString()).toBe(document);
    expect(document.length).toBeLessThan(LONGEST_DOCUMENT);
  });
});
