import { spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Option } from 'commander';
import type { ReportRequest } from './reports.ts';

export function openOption(): Option {
  return new Option(
    '--open',
    'show the HTML report in a browser; without --reporter html=<path>, it goes to a temporary file',
  ).default(false);
}

/** The requests, with one for a page to be opened. */
export function withPage(requests: readonly ReportRequest[]): ReportRequest[] {
  if (requests.some(({ name, path }) => name === 'html' && path !== null)) return [...requests];
  return [...requests, { name: 'html', path: join(tmpdir(), `trackside-${process.pid}.html`) }];
}

/** The program that opens a page on this system; `BROWSER` names another one. */
function opener(): readonly [command: string, ...args: string[]] {
  const { BROWSER } = process.env;
  if (BROWSER) return [BROWSER];
  if (process.platform === 'darwin') return ['open'];
  return process.platform === 'win32' ? ['cmd', '/c', 'start', ''] : ['xdg-open'];
}

/** Opens a page and does not wait; where that cannot be done, says where it is. */
export async function openPage(path: string): Promise<void> {
  const page = resolve(path);
  const [command, ...args] = opener();
  const isOpened = await new Promise<boolean>((done) => {
    const child = spawn(command, [...args, page], { detached: true, stdio: 'ignore' });
    child.once('error', () => done(false));
    child.once('spawn', () => {
      child.unref();
      done(true);
    });
  });
  const how = isOpened ? 'opened in a browser' : `there is no ${command} to open it with`;
  process.stderr.write(`report: ${page} (${how})\n`);
}
