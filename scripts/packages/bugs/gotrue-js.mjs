// Three requests at once with a session that has expired.
import { setTimeout as sleep } from 'node:timers/promises';

const { GoTrueClient } = (await import(`gotrue-js-${process.argv[2]}`)).default;
let refreshed = 0;
const user = { id: 'u', aud: 'a' };
const session = (n) => ({
  access_token: 'a.eyJleHAiOjk5OTk5OTk5OTl9.c',
  token_type: 'bearer',
  refresh_token: `r${n}`,
  expires_in: 3600,
  user,
});
const fetch = async (_url) => {
  const n = ++refreshed;
  await sleep(5);
  const body = session(n);
  return new Response(JSON.stringify(body), { status: 200, headers: { 'content-type': 'application/json' } });
};
const client = new GoTrueClient({
  url: 'http://x',
  autoRefreshToken: false,
  persistSession: false,
  detectSessionInUrl: false,
  fetch,
});
if (client.signIn) {
  client._saveSession?.({ ...session(0), expires_at: 1 });
} else {
  await client.initialize?.();
  await client._saveSession({ ...session(0), expires_at: 1 });
  client.inMemorySession ??= { ...session(0), expires_at: 1 };
}
if (process.argv[2] === 'bad') await Promise.all([1, 2, 3].map(() => client.refreshSession()));
else await Promise.all([1, 2, 3].map(() => client._callRefreshToken('r0')));
console.log(`refreshed ${refreshed} times`);
process.exit();
