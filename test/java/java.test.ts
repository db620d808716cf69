import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { CheckReport } from '../../src/check/result.ts';
import { trackside } from '../cli/run.ts';
import { javaPrograms, javas, runJava, UNWATCHED } from './jvm.ts';

const programs = javaPrograms(
  'Again',
  'Bank',
  'Collected',
  'Defaults',
  'Depot',
  'Faithful',
  'Followed',
  'Given',
  'Handed',
  'HandedInSteps',
  'Judged',
  'Killed',
  'Looked',
  'Pairs',
  'Provoked',
  'Stepped',
  'Turns',
  'Unnamed',
  'Unseen',
);

describe.each(javas())('with %s', (java) => {
  it('no way to hand data from thread to thread is taken for a race', () => {
    const { status, results, stderr } = runJava(programs, 'Handed', {
      java,
      options: ['--analysis', 'fasttrack'],
    });
    expect(results[0]?.violations.map(({ message }) => message)).toEqual([]);
    expect(status, stderr).toBe(0);
  });

  it('of what programs do with the JDK, the bad way is broken and its healthy twin is not', () => {
    const parts = [
      'Pairs$Bad',
      'Pairs$Mixed',
      'Pairs$Good',
      'Collected$Bad',
      'Collected$Mixed',
      'Collected$Good',
      'Given$Bad',
      'Given$Mixed',
      'Given$Good',
      'Judged$Bad',
      'Judged$Mixed',
      'Judged$Good',
    ];
    const options = parts.flatMap((name) => ['--atomic', `${name}.*`]);
    const { stdout, violated, results } = runJava(programs, 'Pairs', { java, options });
    expect(stdout).toBe('done\n');
    const bad = [
      ...[
        ...['bounded', 'hash', 'linked', 'list', 'own', 'points', 'set', 'sorted', 'sum', 'table', 'vector'],
        ...['skipping', 'weak', 'wrapped', 'wrappedList'],
      ].map((name) => `Collected$Bad.${name}`),
      ...[
        ...['borrow', 'cache', 'checkThenAct', 'checkedOnce', 'getAndSet', 'id', 'iterate', 'lazily', 'put'],
        ...['putIn', 'stage', 'stamp', 'subscribe', 'takeHead', 'takeOut'],
      ].map((name) => `Pairs$Bad.${name}`),
      ...['all', 'async', 'parts', 'single', 'submit'].map((name) => `Given$Bad.${name}`),
      ...[...['draft', 'draw', 'layers', 'lookedTooEarly', 'overloads', 'rename', 'serve', 'takeOut']].map(
        (name) => `Judged$Bad.${name}`,
      ),
    ].sort();
    const mixed = [
      'Collected$Mixed.append',
      'Collected$Mixed.copy',
      'Given$Mixed.told',
      ...['draft', 'draw', 'fill', 'layers', 'rename', 'takeOut', 'twice'].map(
        (name) => `Judged$Mixed.${name}`,
      ),
      'Pairs$Mixed.address',
      'Pairs$Mixed.unchecked',
    ];
    expect(violated).toEqual([...bad, ...mixed].sort());
    const errors = results[0].violations.filter(({ severity }) => severity === 'error');
    expect([...new Set(errors.map(({ block }) => block?.label))].sort()).toEqual(bad);
  });

  it('with --provoke, threads meet in windows of a few instructions, and nothing healthy breaks', () => {
    const { stdout, violated } = runJava(programs, 'Provoked', { java, options: ['--provoke'] });
    expect(stdout).toBe('300 300\n');
    expect(violated).toEqual(['Provoked.hit', 'Provoked.pay', 'Provoked.take']);
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

it('without being told, what looks and then changes what threads share is found in any form, and a second look under a lock is fine', () => {
  const { stdout, violated, results } = runJava(programs, 'Defaults');
  expect(stdout).toBe('done\n');
  const bad = [
    ...['Buffer.badPut', 'Cache.badUse', '.badGuarded', '.badHit', '.badLimit', '.badPay', '.badSerial'],
    '.badVisible',
  ];
  expect(violated).toEqual(bad.map((name) => `Defaults${name.startsWith('.') ? '' : '$'}${name}`).sort());
  expect(results[0].violations.filter(({ severity }) => severity !== 'error')).toEqual([]);
});

it('steps are found in classes above, in functions, in copies, before a wait, behind a flag, by the order of keys, in bits and in pieces of work', () => {
  const { stdout, results } = runJava(programs, 'Stepped');
  expect(stdout).toBe('done\n');
  const errors = results[0].violations.filter(({ severity }) => severity === 'error');
  const bad = ['bits', 'byFlag', 'byRecord', 'copied', 'due', 'first', 'fitting', 'inFunctions', 'inherited'];
  const labels = [...bad, 'lambda$task', 'lowest', 'waited'].map((name) => `Stepped$Bad.${name}`);
  // The number of a lambda is up to the compiler.
  const found = errors.map(({ block }) => block?.label?.replace(/\$\d+$/, ''));
  expect([...new Set(found)].sort()).toEqual([...labels, 'Stepped$Counter.count']);
});

it('what is claimed by a look, and what looks at sizes, properties, handles and repositories and then changes them, is found', () => {
  const { stdout, results } = runJava(programs, 'Looked');
  expect(stdout).toBe('done\n');
  expect(results[0].notes).toBeUndefined();
  const errors = results[0].violations.filter(({ severity }) => severity === 'error');
  const bad = ['handle', 'join', 'next', 'register', 'start', 'withdraw'].map((name) => `Looked$Bad.${name}`);
  const further = ['arrive', 'byReference', 'checkout', 'enter', 'evict', 'format', 'reset', 'vote'];
  expect([...new Set(errors.map(({ block }) => block?.label))].sort()).toEqual([
    ...bad,
    ...further.map((name) => `Looked$Further.${name}`),
  ]);
  const others = results[0].violations.filter(({ severity }) => severity !== 'error');
  expect(others.map(({ block }) => block?.label).filter((label) => label?.startsWith('Looked$Good'))).toEqual(
    ['Looked$Good.enter', 'Looked$Good.start'],
  );
});

it('a block is broken by what it goes by, in its own code or in what that calls, and by what undoes what others did', () => {
  const { stdout, violated, results } = runJava(programs, 'Followed');
  expect(stdout).toBe('done\n');
  const bad = ['add', 'called', 'drain', 'hit', 'limit', 'make', 'reset'].map(
    (name) => `Followed$Bad.${name}`,
  );
  const mixed = ['again', 'apart', 'far', 'note', 'use'].map((name) => `Followed$Mixed.${name}`);
  expect(violated).toEqual([...bad, ...mixed]);
  const errors = results[0].violations.filter(({ severity }) => severity === 'error');
  expect([...new Set(errors.map(({ block }) => block?.label))].sort()).toEqual(bad);
});

it('what a class that is not watched keeps in a collection of the JDK is not judged, as its locks are not seen', () => {
  const options = ['--instrument', '!Unseen$Library', '--atomic', 'Unseen.uses*'];
  const { stdout, violated } = runJava(programs, 'Unseen', { options });
  expect(stdout).toBe('done\n');
  expect(violated).toEqual(['Unseen.usesOwn']);
});

it('a program that is killed is reported on, by what it had done', () => {
  const { status, results } = runJava(programs, 'Killed', { options: ['--atomic', 'Killed.add'] });
  expect(status).toBe(137);
  expect(results[0].violations.length).toBeGreaterThan(0);
  expect(results[0].notes?.join()).toContain('without finishing its trace');
});

it('a class whose name its loader leaves to the class file is watched', () => {
  const { results } = runJava(programs, 'Unnamed', { options: ['--atomic', 'Unnamed$Counter.run'] });
  expect(results[0].blocks.checked).toBeGreaterThan(0);
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

it('every JVM that a command starts is watched: a payment in two steps is broken at its lines, one in one step holds', () => {
  const report = join(programs.classes, 'several.json');
  const shell = `java -cp ${programs.classes} Bank safe && java -cp ${programs.classes} Bank`;
  const { stdout, status } = trackside([
    ...[
      'java',
      ...UNWATCHED,
      '--atomic',
      'Bank.pay',
      '--reporter',
      `json=${report}`,
      '--',
      'sh',
      '-c',
      shell,
    ],
  ]);
  expect(stdout).toBe('600\npaid\n');
  expect(status).toBe(1);
  const { results } = JSON.parse(readFileSync(report, 'utf8')) as CheckReport;
  expect(results).toHaveLength(2);
  const [holds] = results.filter(({ verdict }) => verdict === 'ok');
  expect(holds.blocks.checked).toBeGreaterThan(500);
  const [broken] = results.filter(({ verdict }) => verdict !== 'ok');
  const { block, interference } =
    broken.violations.find(({ pattern }) => pattern === 'lost-update') ?? broken.violations[0];
  expect(block?.label).toBe('Bank.pay');
  const lines = [interference?.first.location, interference?.last.location];
  expect(lines).toEqual(['Bank.java:6', 'Bank.java:10']);
  expect(interference?.first.op).toMatch(/^r\(Bank\.balance of Bank@[0-9a-f]+\)$/);
  expect(['first', 'second']).toContain(interference?.between.thread);
});

it('a JVM that a program starts with its own options is watched by itself', () => {
  const { stdout, results } = runJava(programs, 'Again', { args: ['Bank'] });
  expect(stdout).toBe('paid\n');
  expect(results.map(({ trace }) => trace)).toEqual(['Bank']);
});

it('a trace for which the disk has no room is said to be so, when the program has come to its end', () => {
  const command = ['java', '-cp', programs.classes, 'Bank'];
  const { status, stdout, stderr } = trackside([
    'java',
    ...UNWATCHED,
    '--record',
    '/dev/full',
    '--',
    ...command,
  ]);
  expect(stdout).toBe('paid\n');
  expect(stderr).toContain('/dev/full: the disk is full');
  expect(status).toBe(2);
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

it('a jar alone is run, wherever it lies', () => {
  const jar = join(programs.classes, 'my jär.jar');
  const made = spawnSync('jar', ['cfe', jar, 'Bank', '-C', programs.classes, '.'], { encoding: 'utf8' });
  expect(made.stderr).toBe('');
  expect(trackside(['java', ...UNWATCHED, jar])).toMatchObject({ stdout: 'paid\n' });
  const { status, stderr } = trackside(['java', '--provoke', jar]);
  expect(status).toBe(2);
  expect(stderr).toContain('expected -- before the program');
});

it('without a JVM one is told what to install', () => {
  const { status, stderr } = trackside(['java', '--', '/nowhere/java', '-version']);
  expect(status).toBe(2);
  expect(stderr).toContain('no such command; expected a JDK or JRE, 17 or newer');
});

it.each([
  [['-jar', 'app.jar'], '-jar is an option of java; expected -- before the program'],
  [['nosuch.jar'], 'nosuch.jar: there is no such file'],
  [['Bank'], 'a class is started by java: trackside java -- java -cp classes Main'],
])('what is not how a program is started is refused: %s', (words, message) => {
  const { status, stderr } = trackside(['java', ...words]);
  expect(status).toBe(2);
  expect(stderr).toContain(message);
});

it('a source file alone is run', () => {
  const source = join(programs.classes, 'Single.java');
  writeFileSync(source, SINGLE);
  expect(trackside(['java', source])).toMatchObject({ stdout: 'done\n', status: 0 });
});

const SINGLE = 'class Single { public static void main(String[] args) { System.out.println("done"); } }';

it('a command that starts no JVM is refused', () => {
  const { status, stderr } = trackside(['java', '--', 'true']);
  expect(status).toBe(2);
  expect(stderr).toContain('no Java program was watched');
});
