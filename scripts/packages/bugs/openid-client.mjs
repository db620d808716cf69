// Three tokens to be verified at once, with no keys yet.

import { generateKeyPairSync } from 'node:crypto';
import http from 'node:http';

const { Issuer } = (await import(`openid-client-${process.argv[2]}`)).default;
const jwk = {
  ...generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey.export({ format: 'jwk' }),
  kid: 'a',
  use: 'sig',
  alg: 'RS256',
};
let fetched = 0;
const server = http.createServer((_req, res) => {
  fetched++;
  setTimeout(() => {
    res.setHeader('content-type', 'application/json');
    res.end(JSON.stringify({ keys: [jwk] }));
  }, 10);
});
await new Promise((r) => server.listen(0, r));
const issuer = new Issuer({ issuer: 'me', jwks_uri: `http://127.0.0.1:${server.address().port}/jwks` });
let ask = () => issuer.queryKeyStore({ kid: 'a', use: 'sig', alg: 'RS256' });
if (process.argv[2] === 'good') {
  const { queryKeyStore } = (await import('./node_modules/openid-client-good/lib/helpers/issuer.js')).default;
  ask = () => queryKeyStore.call(issuer, { kid: 'a', use: 'sig', alg: 'RS256' });
}
await Promise.all([ask(), ask(), ask()]);
console.log(`fetched ${fetched} times`);
process.exit();
