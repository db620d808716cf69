import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { temporaryFolder, trackside } from '../cli/run.ts';

/*
 * The tutorial, followed to the letter. A block of code with the name of a file is that file; with `(edit)` it takes the place
 * of what is there from its first line up to the last statement of `transfer`; with `(restore)` it is the first version
 * again. In a `console` block, lines with `$` are run, and what stands below them must be in what they print, in this order;
 * `…` stands for anything.
 */

const PAGE = readFileSync(fileURLToPath(new URL('../../docs/tutorial/bank.md', import.meta.url)), 'utf8');
const PACKAGE = fileURLToPath(new URL('../../', import.meta.url));

interface Step {
  readonly info: string;
  readonly code: string;
}

function stepsIn(page: string): Step[] {
  return [...page.matchAll(/^```(ts bank\.ts[^\n]*|console)\n(.*?)^```/gms)].map(([, info, code]) => ({
    info,
    code,
  }));
}

/** The text with the await of `transfer`, and what follows it up to the last change, in new words. */
function edited(text: string, code: string): string {
  const [first] = code.split('\n');
  const start = text.indexOf(first);
  const end = text.indexOf('  target.balance += amount;');
  expect([start, end]).not.toContain(-1);
  return text.slice(0, start) + code + text.slice(end);
}

it('the tutorial does what it says, command by command', () => {
  const folder = temporaryFolder();
  folder.write('package.json', '{ "name": "bank", "private": true }');
  mkdirSync(join(folder.path, 'node_modules'));
  symlinkSync(PACKAGE, join(folder.path, 'node_modules', 'trackside'));
  const [{ code: original }] = stepsIn(PAGE);
  let bank = original;
  let status: number | null = null;
  let commands = 0;
  for (const { info, code } of stepsIn(PAGE)) {
    if (info !== 'console') {
      bank = info.endsWith('(edit)') ? edited(bank, code) : original;
      folder.write('bank.ts', bank);
      continue;
    }
    for (const [, command, shown] of code.matchAll(/^\$ (.*)\n((?:(?!\$ ).*\n)*)/gm)) {
      if (command === 'echo $?') {
        expect(`${status}\n`).toBe(shown);
        continue;
      }
      const [npx, name, ...args] = command.split(' ');
      expect([npx, name]).toEqual(['npx', 'trackside']);
      const run = trackside(args, { cwd: folder.path });
      status = run.status;
      commands++;
      expectInOrder(run.stdout + run.stderr, shown);
    }
  }
  expect(commands).toBe(6);
});

function expectInOrder(output: string, shown: string): void {
  let rest = output.replaceAll(/\n\s+/g, '\n');
  for (const line of shown.split('\n')) {
    if (line === '' || line === '…') continue;
    expect(rest).toContain(line);
    rest = rest.slice(rest.indexOf(line) + line.length);
  }
}
