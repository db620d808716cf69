import { describe, expect, it } from 'vitest';
import { github, withoutCommands } from '../../src/report/github.ts';
import { PLAIN } from '../../src/report/style.ts';
import { text } from '../../src/report/text.ts';
import { HOSTILE_NAMES, hostileResult, LONGEST_DOCUMENT, OBEYED } from './hostile.ts';
import { rendered, result, TOOL, violation } from './results.ts';

describe('the GitHub report', () => {
  it('annotates the line where a violation was noticed', () => {
    expect(rendered(github, [[result({ violations: [violation()] })]])).toBe(
      "::error file=Bank.java,line=14,title=trackside%3A lost update (regiontrack)::block 'pay' of thread 'T0' is broken by thread 'T1' (lost update)%0Apay (thread T0) is not atomic\n",
    );
  });

  it('says nothing where nothing was found', () => {
    expect(rendered(github, [[result()]])).toBe('');
  });

  it('has a warning for what is only that, without a place where none is known', () => {
    const bare = violation({ severity: 'warning', cycle: [], interference: null, message: '' });
    expect(rendered(github, [[result({ violations: [bare] })]])).toBe(
      "::warning title=trackside%3A lost update (regiontrack)::block 'pay' of thread 'T0' is not atomic (lost update)\n",
    );
  });

  it('annotates a trace that could not be read', () => {
    const error = { message: 'run.std:6:4: no', summary: 'no', line: 6, column: 4 };
    expect(rendered(github, [[result({ verdict: 'error', error })]])).toBe(
      '::error file=run.std,line=6,col=4,title=trackside%3A the trace cannot be read::run.std:6:4: no\n',
    );
  });

  it('has one annotation for a block, and as many as GitHub shows', () => {
    const violations = Array.from({ length: 36 }, (_, i) =>
      violation({ block: { label: `block ${i % 12}`, begin: i, end: null } }),
    );
    const lines = rendered(github, [[result({ violations })]]).split('\n');
    expect(lines.filter((line) => line.startsWith('::error'))).toHaveLength(10);
    expect(lines[0]).toContain('%0Aand 2 more violations of the same block');
    expect(lines[10]).toBe(
      '::notice title=trackside::2 more annotations left out, as GitHub shows 10 of a level',
    );
  });

  it.each(HOSTILE_NAMES)('holds against %s', (_, name) => {
    const document = rendered(github, [[hostileResult(name)]]);
    const lines = document.trimEnd().split('\n');
    expect(lines).toHaveLength(2);
    for (const line of lines)
      expect(line).toMatch(/^::error (?:(?:file|line|col|title)=[^:,\n]*,?)*::[^\n]*$/);
    expect(document).not.toMatch(OBEYED);
    expect(Buffer.from(document).toString()).toBe(document);
    expect(document.length).toBeLessThan(LONGEST_DOCUMENT);
  });
});

describe('a report in the log of a workflow', () => {
  it('runs between commands that switch commands off and on again', () => {
    const report = withoutCommands(text.start({ tool: TOOL, style: PLAIN, width: 80 }), 'token');
    const written = [...report.trace([result()]), ...report.finish()].join('');
    expect(written).toMatch(
      /^::stop-commands::token\nrun\.std: serializable.*\n::token::\n::stop-commands::token\n::token::\n$/s,
    );
  });
});
