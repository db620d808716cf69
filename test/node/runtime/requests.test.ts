import { channel } from 'node:diagnostics_channel';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { JsonReport } from '../../../src/check/json-results.ts';
import { Activation, CALLBACK } from '../../../src/node/core/activation.ts';
import { Task } from '../../../src/node/core/task.ts';
import { followRequests, IncomingRequest, type Registered } from '../../../src/node/runtime/requests.ts';
import { temporaryFolder, trackside } from '../../cli/run.ts';

const folder = temporaryFolder();

describe('the title of a request', () => {
  const rows: [what: string, request: object, title: string][] = [
    ['is its method and path', { method: 'POST', url: '/orders?id=7' }, 'POST /orders'],
    [
      'is its route, where the framework says which',
      {
        method: 'GET',
        url: '/7',
        originalUrl: '/api/orders/7',
        baseUrl: '/api',
        route: { path: '/orders/:id' },
      },
      'GET /api/orders/:id',
    ],
    [
      'leaves out what may be a secret',
      { method: 'GET', url: '/reset/3f9a1c0d5e7b42f18a6c/confirm' },
      'GET /reset/…/confirm',
    ],
    [
      'runs no code of the program',
      {
        method: 'GET',
        url: '/',
        get route() {
          throw new Error();
        },
      },
      'GET /',
    ],
  ];
  it.each(rows)('%s', (_what, request, title) => {
    expect(new IncomingRequest(request, null, null).takeTitle()).toBe(title);
  });
});

it('keeps no message that is answered, and of a connection only the last requests', () => {
  let store: Registered | undefined;
  const enterWith = (entered: Registered) => {
    store = entered;
  };
  const unfollow = followRequests(
    { getStore: () => store, enterWith, afterwards: () => {}, run: (_, run) => run() },
    () => null,
  );
  const requests: IncomingRequest[] = [];
  for (let i = 0; i < 5; i++) {
    const message = { method: 'GET', url: `/${i}` };
    channel('http.server.request.start').publish({ request: message });
    const incoming = store as IncomingRequest;
    requests.push(incoming);
    channel('http.server.response.finish').publish({ request: message });
    message.url = '/gone';
    const callback = new Activation(CALLBACK, new Task('callback'), null, 0);
    callback.request = incoming;
    callback.isOver = true;
    store = callback;
  }
  unfollow();
  expect(requests.map(({ registeredIn }) => registeredIn !== null)).toEqual([
    false,
    false,
    false,
    true,
    true,
  ]);
  expect(requests.map((request) => request.takeTitle())).toEqual([
    'GET /0',
    'GET /1',
    'GET /2',
    'GET /3',
    'GET /4',
  ]);
});

it('names the tasks of a server by the requests that they work for, in a recorded trace, too', () => {
  const program = folder.write(
    'server.mjs',
    `import { createServer } from 'node:http';
const stock = { lamp: 2 };
const waiting = [];
const both = () => new Promise((resolve) => {
  waiting.push(resolve);
  if (waiting.length === 2) for (const go of waiting) go();
});
async function audit() { stock.lamp; await null; }
const server = createServer(async (request, response) => {
  const left = stock.lamp;
  audit();
  await both();
  stock.lamp = left - 1;
  response.end();
});
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
const url = 'http://127.0.0.1:' + server.address().port + '/lamp';
await Promise.all([fetch(url, { method: 'POST' }), fetch(url, { method: 'POST' })]);
server.closeAllConnections();
server.close();
`,
  );
  const [trace, results] = [`${folder.path}/server.trk`, `${folder.path}/server.json`];
  trackside(['record', '-o', trace, program], { cwd: folder.path });
  trackside(['check', '--reporter', `json=${results}`, trace], { cwd: folder.path });
  const report = JSON.parse(readFileSync(results, 'utf8')) as JsonReport;
  const [{ block, thread, interference }] = report.results[0].violations;
  expect([block?.label, thread, interference?.between.thread]).toEqual([
    'request',
    'POST /lamp #2',
    'POST /lamp #1',
  ]);
  const { stdout } = trackside(['convert', '--to', 'std', trace, '-'], { cwd: folder.path });
  expect(stdout).toContain('audit in POST /lamp #1|begin(audit)');
});
