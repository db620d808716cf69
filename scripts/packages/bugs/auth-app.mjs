// Three requests that need a token of one installation at the same time.
import { generateKeyPairSync } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

const { createAppAuth } = await import(`auth-app-${process.argv[2]}`);
const { privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
});
let asked = 0;
const request = Object.assign(
  async () => {
    asked++;
    await sleep(3);
    const expires_at = new Date(Date.now() + 3_600_000).toISOString();
    const permissions = { metadata: 'read' };
    return { data: { token: `token ${asked}`, expires_at, permissions, repository_selection: 'all' } };
  },
  { endpoint: { defaults: {}, merge: () => ({}) }, defaults: () => request },
);
const auth = createAppAuth({ appId: 1, privateKey, request });
await Promise.all([1, 2, 3].map(() => auth({ type: 'installation', installationId: 123 })));
console.log(`asked for ${asked} tokens`);
