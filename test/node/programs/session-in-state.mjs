// expect: violation handle
// A session is copied into the state of a request, and written back as a whole.
import { setImmediate as turn } from 'node:timers/promises';

const sessions = new Map([['s1', { views: 0 }]]);

async function handle(context) {
  context.state.session = { ...sessions.get('s1') };
  await turn();
  context.state.session.views++;
  sessions.set('s1', context.state.session);
}

await Promise.all([handle({ state: {} }), handle({ state: {} })]);
