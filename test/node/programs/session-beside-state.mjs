// expect: ok
// What is written back is not what was read, which is somewhere else in the state of the request.
import { setImmediate as turn } from 'node:timers/promises';

const sessions = new Map([['s1', { views: 0 }]]);

async function handle(context, time) {
  context.state.session = sessions.get('s1');
  context.state.login = { time };
  await turn();
  sessions.set('s1', context.state.login);
}

await Promise.all([handle({ state: {} }, 1), handle({ state: {} }, 2)]);
