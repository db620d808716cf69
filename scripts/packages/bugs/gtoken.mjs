// Three callers that want a token when there is none.
import { generateKeyPairSync } from 'node:crypto';
import { createRequire } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';

const require = createRequire(import.meta.url);
const name = `gtoken-${process.argv[2]}`;
const { GoogleToken } = require(name);
const gaxios = require(require.resolve('gaxios', { paths: [require.resolve(name)] }));
let asked = 0;
gaxios.instance.defaults.adapter = async (config) => {
  asked++;
  await sleep(5);
  const data = { access_token: `token ${asked}`, expires_in: 3600, token_type: 'Bearer' };
  return { config, data, headers: {}, status: 200, statusText: 'OK' };
};
const { privateKey: key } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
});
const token = new GoogleToken({ email: 'ann@example.org', scope: ['all'], key });
await Promise.all([token.getToken(), token.getToken(), token.getToken()]);
console.log(`asked for ${asked} tokens`);
