// Three requests at once with an expired access token; each refreshes it.
import { setTimeout as sleep } from 'node:timers/promises';

const { OAuth2Client } = (await import(`google-auth-library-${process.argv[2]}`)).default;
const client = new OAuth2Client('id', 'secret');
let refreshed = 0;
client.transporter = {
  async request() {
    await sleep(5);
    return { data: { access_token: `token ${++refreshed}`, expires_in: 3600 } };
  },
};
client.setCredentials({ access_token: 'old', refresh_token: 'refresh', expiry_date: Date.now() - 1000 });
await Promise.all([1, 2, 3].map(() => client.getRequestMetadata('https://example.com/')));
console.log(`refreshed ${refreshed} times`);
