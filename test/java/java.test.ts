import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { trackside } from '../cli/run.ts';
import { javaPrograms, javas, runJava, UNWATCHED } from './jvm.ts';

const programs = javaPrograms(
  'Bank',
  'Collected',
  'Faithful',
  'Handed',
  'HandedInSteps',
  'JdkBugs',
  'Killed',
  'Pairs',
  'Turns',
);

describe.each(javas())('with %s', (java) => {
  it('a payment in two steps is broken, at the lines of its read and its write', () => {
    const { status, stdout, results } = runJava(programs, 'Bank', {
      java,
      options: ['--atomic', 'Bank.pay'],
    });
    expect(stdout).toBe('paid\n');
    expect(status).toBe(1);
    const { block, interference } =
      results[0].violations.find(({ pattern }) => pattern === 'lost-update') ?? results[0].violations[0];
    expect(block?.label).toBe('Bank.pay');
    expect([interference?.first.location, interference?.last.location]).toEqual([
      'Bank.java:6',
      'Bank.java:10',
    ]);
    expect(interference?.first.op).toMatch(/^r\(Bank\.balance of Bank@[0-9a-f]+\)$/);
    expect(['first', 'second']).toContain(interference?.between.thread);
  });

  it('a payment in one step is a block by itself, and holds', () => {
    const { status, stdout, results } = runJava(programs, 'Bank', { java, args: ['safe'] });
    expect(stdout).toBe('600\n');
    expect(status).toBe(0);
    expect(results[0]).toMatchObject({ verdict: 'ok', violations: [] });
    expect(results[0].blocks.checked).toBeGreaterThan(500);
  });

  it('no way to hand data from thread to thread is taken for a race', () => {
    const { status, results, stderr } = runJava(programs, 'Handed', {
      java,
      options: ['--analysis', 'fasttrack'],
    });
    expect(results[0]?.violations.map(({ message }) => message)).toEqual([]);
    expect(status, stderr).toBe(0);
  });

  it('of what programs do with the JDK, the bad way is broken and its healthy twin is not', () => {
    const parts = ['Pairs$Bad', 'Pairs$Mixed', 'Pairs$Good', 'Collected$Bad', 'Collected$Good'];
    const options = parts.flatMap((name) => ['--atomic', `${name}.*`]);
    const { stdout, violated, results } = runJava(programs, 'Pairs', { java, options });
    expect(stdout).toBe('done\n');
    const bad = [
      ...[
        'bounded',
        'hash',
        'linked',
        'list',
        'own',
        'points',
        'set',
        'sorted',
        'table',
        'vector',
        'wrapped',
      ].map((name) => `Collected$Bad.${name}`),
      ...[
        ...['borrow', 'cache', 'checkThenAct', 'checkedOnce', 'getAndSet', 'id', 'iterate', 'lazily', 'put'],
        ...['putIn', 'stage', 'stamp', 'subscribe', 'takeHead', 'takeOut'],
      ].map((name) => `Pairs$Bad.${name}`),
    ];
    expect(violated).toEqual([...bad, 'Pairs$Mixed.address', 'Pairs$Mixed.unchecked']);
    const errors = results[0].violations.filter(({ severity }) => severity === 'error');
    expect([...new Set(errors.map(({ block }) => block?.label))].sort()).toEqual(bad);
  });

  it.each([[[]], [['fails']]])('a program says of itself what it says unwatched: %s', (args) => {
    const alone = spawnSync(java, ['-cp', programs.classes, 'Faithful', ...args], { encoding: 'utf8' });
    const { status, stdout, stderr } = runJava(programs, 'Faithful', {
      java,
      args,
      options: ['--atomic-all'],
    });
    expect(stdout).toBe(alone.stdout);
    expect(status).toBe(alone.status);
    expect(stderr).toContain(alone.stderr);
  });
});

describe('classes of the JDK in which every method is synchronized', () => {
  it('a list of which each method is synchronized is looked at and added to in two steps', () => {
    const options = ['--atomic', 'JdkBugs.addIfAbsent*'];
    const { violated, stdout } = runJava(programs, 'JdkBugs', { args: ['absent'], options });
    expect(stdout).toBe('done\n');
    expect(violated).toContain('JdkBugs.addIfAbsent');
  });

  it('under one lock, and copied by a constructor that takes a copy, they are', () => {
    for (const args of ['absent safely', 'copy']) {
      const options = ['--atomic', 'JdkBugs.*Safely', '--atomic', 'JdkBugs.copy'];
      const { results, violated } = runJava(programs, 'JdkBugs', { args: [args], options });
      expect(violated).toEqual([]);
      expect(results[0].blocks.checked).toBeGreaterThan(0);
    }
  });
});

it('a program that is killed is reported on, by what it had done', () => {
  const { status, results } = runJava(programs, 'Killed', { options: ['--atomic', 'Killed.add'] });
  expect(status).toBe(137);
  expect(results[0].violations.length).toBeGreaterThan(0);
  expect(results[0].notes?.join()).toContain('without finishing its trace');
});

it('a recorded trace says the same as the check of the running program', () => {
  const trace = join(programs.classes, 'run.trk');
  const run = trackside([
    ...['java', '--record', trace, ...UNWATCHED, '--atomic', 'Bank.pay'],
    ...['--', 'java', '-cp', programs.classes, 'Bank'],
  ]);
  expect(run).toMatchObject({ status: 0, stdout: 'paid\n' });
  expect(trackside(['check', trace]).stdout).toContain("block 'Bank.pay' of thread");
});

it('every JVM that a command starts is watched', () => {
  const shell = `java -cp ${programs.classes} Bank safe && java -cp ${programs.classes} Bank`;
  const { stderr, status } = trackside([
    ...['java', ...UNWATCHED, '--atomic', 'Bank.pay', '--', 'sh', '-c', shell],
  ]);
  expect(stderr).toContain('Bank: ');
  expect(stderr.match(/blocks (?:checked|violated)/g)).toHaveLength(2);
  expect(status).toBe(1);
});

it('the option for those who start Java themselves writes a trace', () => {
  const { stdout } = trackside(['java', '--print-agent']);
  expect(stdout).toMatch(/^-javaagent:.*trackside-agent\.jar=record=trackside-%p\.trk\n$/);
  const trace = join(programs.classes, 'own.trk');
  const option = stdout.trim().replace(/record=.*/, `record=${trace}`);
  expect(spawnSync('java', [option, '-cp', programs.classes, 'Bank'], { encoding: 'utf8' }).stdout).toBe(
    'paid\n',
  );
  expect(trackside(['info', trace]).stdout).toContain('threads');
});

it('without a JVM one is told what to install', () => {
  const { status, stderr } = trackside(['java', '--', '/nowhere/java', '-version']);
  expect(status).toBe(2);
  expect(stderr).toContain('no such command; expected a JDK or JRE, 17 or newer');
});

it('a command that starts no JVM is refused', () => {
  const { status, stderr } = trackside(['java', '--', 'true']);
  expect(status).toBe(2);
  expect(stderr).toContain('no Java program was watched');
});
