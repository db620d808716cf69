import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { atomsanitizer } from '../../src/analyses/atomsanitizer/index.ts';
import { regiontrack } from '../../src/analyses/regiontrack/index.ts';
import { compileTrace } from '../../src/compile/compile.ts';
import { executedEvents } from '../../src/compile/executed.ts';
import { readEvents } from '../../src/compile/read-events.ts';
import { MNEMONICS, Op } from '../../src/trace/operation.ts';
import { temporaryFolder, trackside } from '../cli/run.ts';
import { events, printEvents } from '../support/notation.ts';
import { randomTrace } from '../support/random-traces.ts';
import { asOfProgram, installIn, verdict } from './round-trip.ts';

const folder = temporaryFolder();
installIn(folder.path);

/** What a program prints; it has to end well. */
function output(program: string): string {
  const path = folder.write('program.mjs', program);
  const { status, stdout, stderr } = spawnSync(process.execPath, [path], { encoding: 'utf8' });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return stdout;
}

function executed(notation: string): string {
  return printEvents(executedEvents(events(notation)));
}

describe('what is executed', () => {
  it('is the trace, if all that it begins comes to an end', () => {
    const notation = 't1: begin A, acq l, r x; t2: w x; t1: rel l, w x, end, join t2';
    expect(executed(notation)).toBe(notation);
  });

  it('ends blocks and releases locks after the last event', () => {
    expect(executed('t1: begin A, begin B, acq l; t2: begin C, w x')).toBe(
      't1: begin A, begin B, acq l; t2: begin C, w x; t1: rel l, end, end; t2: end',
    );
  });

  it('ends them before the thread is joined', () => {
    expect(executed('t1: fork t2; t2: begin A, acq l; t1: join t2, w x')).toBe(
      't1: fork t2; t2: begin A, acq l, rel l, end; t1: join t2, w x',
    );
  });

  it('leaves out the join of a thread that is forked only then', () => {
    expect(executed('t1: join t2, w x, fork t2')).toBe('t1: w x, fork t2');
  });

  it('is as serializable as the trace', () => {
    for (let seed = 1; seed <= 3000; seed++) {
      const trace = asOfProgram(randomTrace(seed, { messages: 0, volatiles: 0 }));
      for (const analysis of [regiontrack, atomsanitizer]) {
        const told = `${seed}: ${verdict(analysis, trace, 'edge')}`;
        expect(`${seed}: ${verdict(analysis, executedEvents(trace), 'edge')}`).toBe(told);
      }
    }
  });
});

describe('a program with tasks', () => {
  it('prints what the variables hold in the end', () => {
    const program = compileTrace(events('t1: begin A, w x; t2: w x, u y; t1: u y, r x, end'), 'tasks');
    expect(output(program)).toBe('[Object: null prototype] { x: 3, y: 2 }\n');
  });

  it('is the same program each time', () => {
    const trace = randomTrace(7, { messages: 0, volatiles: 0 });
    expect(compileTrace(trace, 'tasks')).toBe(compileTrace(trace, 'tasks'));
  });

  it('can be made of nothing', () => {
    expect(output(compileTrace([], 'tasks'))).toBe('[Object: null prototype] {}\n');
  });
});

describe('a program with workers', () => {
  it('prints the trace that it has executed', () => {
    const trace = events(`
      t1: begin A, acq l, w x, fork t2; t2: r x, begin B; t1: rel l; t2: acq l; t3: u x
      t2: rel l, end; t1: join t2, r x, end; t4: w y; t1: join t4, arrive b; t3: arrive b, leave b; t1: leave b
    `);
    const lines = trace.map(({ thread, op, operand }) => `${thread}|${MNEMONICS[op]}(${operand})\n`);
    expect(output(compileTrace(trace, 'workers'))).toBe(lines.join(''));
  });

  it('executes random traces', () => {
    for (const seed of [3, 8]) {
      const trace = asOfProgram(randomTrace(seed));
      const lines = executedEvents(trace).map(
        ({ thread, op, operand }) => `${thread}|${MNEMONICS[op]}(${operand})\n`,
      );
      expect(output(compileTrace(trace, 'workers'))).toBe(lines.join(''));
    }
  });

  it('is refused for more threads than a machine should have', () => {
    const trace = events(Array.from({ length: 64 }, (_, k) => `t${k}: w x`).join('; '));
    expect(() => compileTrace(trace, 'workers')).toThrow('this trace has too many threads for workers');
  });
});

/** Names that would end a string, a comment or the program, or mean something else. */
const HOSTILE = [
  '__proto__',
  'constructor',
  '',
  '0',
  'a.b',
  "'",
  '"',
  '`\x24{process.exit(3)}`',
  '\\',
  '*/',
  '\n// x',
  '\u2028process.exit(4)',
  '\u202ereversed',
  '</script>',
  'größe 😀',
];

describe('names', () => {
  const hostile = HOSTILE.flatMap(
    (name) =>
      [
        { thread: `t${name}`, op: Op.begin, operand: name },
        { thread: `t${name}`, op: Op.acquire, operand: name },
        { thread: `t${name}`, op: Op.write, operand: name },
        { thread: 'other', op: Op.read, operand: name },
      ] as const,
  );

  it('of any kind are kept, and hidden characters written as escapes', async () => {
    const program = compileTrace(hostile, 'tasks');
    expect(program).not.toMatch(/[^\P{C}\n]/u);
    output(program);
    const args = ['record', '--quiet', '-o', 'hostile.trk', 'program.mjs'];
    expect(trackside(args, { cwd: folder.path })).toMatchObject({ status: 0, stderr: '' });
    const recorded = await readEvents(join(folder.path, 'hostile.trk'), {}, 'workers');
    const operands = (op: Op) => recorded.filter((event) => event.op === op).map(({ operand }) => operand);
    // A function without a name is called that.
    expect(operands(Op.begin)).toEqual(HOSTILE.map((name) => name || 'anonymous'));
    expect(operands(Op.acquire)).toEqual(HOSTILE);
    expect(operands(Op.read)).toHaveLength(HOSTILE.length);
    expect(operands(Op.read)).toEqual(operands(Op.write).slice(-HOSTILE.length));
  });

  it('of any kind are those of workers, messages and conditions, too', () => {
    const trace = HOSTILE.flatMap(
      (name) =>
        [
          { thread: `t${name}`, op: Op.begin, operand: name },
          { thread: `t${name}`, op: Op.send, operand: name },
          { thread: `t${name}`, op: Op.notify, operand: name },
          { thread: 'other', op: Op.receive, operand: name },
          { thread: 'other', op: Op.wait, operand: name },
        ] as const,
    );
    const program = compileTrace(trace, 'workers');
    expect(program).not.toMatch(/[^\P{C}\n]/u);
    expect(output(program).trimEnd().split('\n')).toHaveLength(6 * HOSTILE.length);
  });

  it('that differ in bytes but not as text are told apart', async () => {
    const lines = [Buffer.from('t|w(Ã()\n'), Buffer.from('t|w(Ã()\n', 'latin1')];
    const path = folder.write('bytes.std', Buffer.concat(lines));
    expect((await readEvents(path, {}, 'tasks')).map(({ operand }) => operand)).toEqual(['Ã(', 'Ã(~2']);
  });
});
