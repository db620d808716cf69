import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadAnalyses } from '../../src/analyses/load.ts';
import type { AnalysisResult } from '../../src/check/result.ts';
import {
  checkExternal,
  type ExternalEnding,
  type ExternalProgram,
  recordExternal,
} from '../../src/cli/external-run.ts';
import { Progress } from '../../src/cli/progress.ts';
import { Specification } from '../../src/spec/specification.ts';
import { trace } from '../support/notation.ts';
import { trkBytes } from '../support/trk-bytes.ts';

/** A watched process: says who it is, sends the bytes of a file, and ends as it is told to. */
const PROCESS = `
import { Socket, connect } from 'node:net';
import { readFileSync, writeFileSync } from 'node:fs';
const [file, how] = process.argv.slice(2);
const path = process.env.TEST_SOCKET;
const bytes = readFileSync(file);
const isInherited = process.env.TEST_INHERITED === '1';
const socket = isInherited ? new Socket({ fd: 3 }) : connect(path);
if (isInherited) send();
else socket.once('connect', send);
function send() {
  socket.write(JSON.stringify({ pid: process.pid, name: 'Bank' }) + '\\n');
  if (how === 'notes') writeFileSync(path + '.' + process.pid + '.notes', 'Left out: Huge, as it is too large.\\n');
  if (how !== 'killed') socket.end(bytes, () => process.exit(how === 'fails' ? 7 : 0));
  // All but the end chunk: what a process leaves behind that was killed between two chunks.
  else socket.write(bytes.subarray(0, bytes.length - 17), () => process.kill(process.pid, 'SIGKILL'));
}
`;

let folder: string;
let runs = 0;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'external-'));
  await writeFile(join(folder, 'process.mjs'), PROCESS);
  const bytes = await trkBytes(trace('t1: begin A, r x; t2: w x; t1: w x, end'));
  await writeFile(join(folder, 'trace.trk'), bytes);
});

afterAll(() => rm(folder, { recursive: true }));

function program(how: string, socket: string) {
  return {
    command: process.execPath,
    args: [join(folder, 'process.mjs'), join(folder, 'trace.trk'), how],
    env: { TEST_SOCKET: socket },
  };
}

async function checked(
  how: string,
  given: Partial<ExternalProgram> = {},
): Promise<ExternalEnding & { results: AnalysisResult[] }> {
  const socket = join(folder, `socket${runs++}`);
  const results: AnalysisResult[] = [];
  const ended = await checkExternal(
    { ...program(how, socket), ...given },
    socket,
    {
      analyses: await loadAnalyses('regiontrack', 'edge'),
      specification: new Specification(),
      forkJoin: 'edge',
      first: false,
      confirm: false,
      subtraces: false,
      sourceRoot: [],
      onResults: async (found) => void results.push(...found),
    },
    new Progress({ write: () => true }, { quiet: true }),
  );
  return { ...ended, results };
}

describe('a program in another language', () => {
  it('is checked while it runs, by what it sends', async () => {
    const { code, results } = await checked('ends');
    expect(code).toBe(0);
    expect(results).toMatchObject([
      { trace: 'Bank', origin: 'process', verdict: 'violation', violations: [{ pattern: 'lost-update' }] },
    ]);
  });

  it('keeps its exit code', async () => {
    expect(await checked('fails')).toMatchObject({ code: 7, traces: 1 });
  });

  it('that is killed is reported on by what it had sent', async () => {
    const { code, results } = await checked('killed');
    expect(code).toBe(137);
    expect(results).toMatchObject([{ verdict: 'violation', events: 5, repairs: [] }]);
    expect(results[0].notes?.join()).toContain('without finishing its trace');
  });

  it.skipIf(process.platform === 'win32')('may use a connection that it is left, and need not', async () => {
    const used = await checked('ends', { inherits: true, env: { TEST_INHERITED: '1' } });
    expect(used.results).toMatchObject([{ trace: 'Bank', verdict: 'violation' }]);
    const { traces, results } = await checked('ends', { inherits: true });
    expect(traces).toBe(1);
    expect(results).toMatchObject([{ trace: 'Bank', verdict: 'violation' }]);
  });

  it('says what it did not watch', async () => {
    const { results } = await checked('notes');
    expect(results[0].notes).toEqual(['Left out: Huge, as it is too large.']);
  });

  it('can be recorded only, byte by byte', async () => {
    const socket = join(folder, `socket${runs++}`);
    const file = join(folder, 'copy.trk');
    const { files } = await recordExternal(program('ends', socket), socket, file);
    expect(files).toEqual([file]);
    expect(await readFile(file)).toEqual(await readFile(join(folder, 'trace.trk')));
  });

  it('that cannot be started is refused with what was tried', async () => {
    const socket = join(folder, `socket${runs++}`);
    const missing = { command: 'no-such-program', args: [], env: {} };
    await expect(recordExternal(missing, socket, 'x.trk')).rejects.toThrow('no-such-program cannot be run');
  });
});
