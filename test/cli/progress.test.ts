import { spawn, spawnSync } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Progress } from '../../src/cli/progress.ts';
import { LOST_UPDATE, MAIN, temporaryFolder } from './run.ts';

/** A terminal that keeps what is written to it, and a clock that is set by hand. */
function terminal({ isTTY = true, quiet = false, columns = 80 } = {}) {
  const written: string[] = [];
  const clock = { now: 0 };
  const stream = { isTTY, columns, write: (text: string) => written.push(text) };
  return { written, clock, progress: new Progress(stream, { quiet, now: () => clock.now }) };
}

const HALF = { position: 50, total: 100 };

describe('Progress', () => {
  it('says nothing about work of less than a second', () => {
    const { progress, clock, written } = terminal();
    progress.start('run.std');
    clock.now = 999;
    progress.update(1_000_000, HALF);
    progress.clear();
    expect(written).toEqual([]);
  });

  it('then says how far it is, how fast, and how long it will take, and erases itself', () => {
    const { progress, clock, written } = terminal();
    progress.start('run.std');
    clock.now = 2000;
    progress.update(3_000_000, HALF);
    progress.clear();
    progress.clear();
    expect(written).toEqual([
      '\r\x1b[Krun.std  3,000,000 events  1.5 M events/s  50%  2.0 s left',
      '\r\x1b[K',
    ]);
  });

  it('gives no estimate where the length is not known', () => {
    const { progress, clock, written } = terminal();
    progress.start('-');
    clock.now = 2000;
    progress.update(1000, { position: 50, total: null });
    expect(written).toEqual(['\r\x1b[Kstandard input  1,000 events  500 events/s']);
  });

  it('draws ten times a second at most', () => {
    const { progress, clock, written } = terminal();
    progress.start('run.std');
    for (clock.now = 1000; clock.now < 2000; clock.now += 5) progress.update(1, HALF);
    expect(written).toHaveLength(10);
  });

  it('shortens a hostile or long name to fit the line', () => {
    const { progress, clock, written } = terminal({ columns: 60 });
    progress.start(`${'x'.repeat(500)}\x1b[31m.std`);
    clock.now = 2000;
    progress.update(1000, HALF);
    const line = written[0].slice('\r\x1b[K'.length);
    expect(line.length).toBeLessThan(60);
    expect(line).toMatch(/^…x+\\x1b\[31m\.std {2}1,000 events/);
  });

  it('is silent where there is no terminal, and where it is told to be quiet', () => {
    for (const options of [{ isTTY: false }, { quiet: true }]) {
      const { progress, clock, written } = terminal(options);
      progress.start('run.std');
      clock.now = 5000;
      progress.update(1000, HALF);
      progress.clear();
      expect(written).toEqual([]);
    }
  });
});

const missing = ['script', 'mkfifo'].filter((tool) => spawnSync('which', [tool]).status !== 0);

describe('on a real terminal', () => {
  const folder = temporaryFolder();

  // The trace is a named pipe that is fed until the bar appears: as long as that takes, and no longer.
  it.skipIf(missing.length > 0)(
    `the bar appears after a second and is erased at the end${missing.map((tool) => ` (needs ${tool})`)}`,
    async () => {
      const pipe = join(folder.path, 'endless.std');
      spawnSync('mkfifo', [pipe]);
      const command = `'${process.execPath}' '${MAIN}' check '${pipe}' --analysis count`;
      const child = spawn('script', ['-qec', command, '/dev/null'], { stdio: ['ignore', 'pipe', 'inherit'] });
      let screen = '';
      let isShown = () => {};
      const shown = new Promise<void>((resolve) => {
        isShown = resolve;
      });
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        screen += text;
        if (screen.includes('events/s')) isShown();
      });
      const closed = new Promise((resolve) => child.on('close', resolve));
      const feed = createWriteStream(pipe);
      const lines = LOST_UPDATE.repeat(20_000);
      let waiting = true;
      shown.then(() => {
        waiting = false;
      });
      while (waiting) await new Promise((resolve) => feed.write(lines, resolve));
      feed.end();
      expect(await closed).toBe(0);
      expect(screen).toMatch(/\r\x1b\[K\S*endless\.std {2}[\d,]+ events {2}[\d.,]+( M)? events\/s/);
      const report = screen.slice(screen.lastIndexOf('\r\x1b[K') + '\r\x1b[K'.length);
      expect(report).toMatch(/^\x1b\[1m\S*endless\.std:\x1b\[22m/);
      expect(report).not.toMatch(/events\/s/);
    },
  );
});
