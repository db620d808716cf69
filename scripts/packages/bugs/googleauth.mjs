// Three parts of a program ask for the client at once.
import { generateKeyPairSync } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const { GoogleAuth } = (await import(`googleauth-${process.argv[2]}`)).default;
const file = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'bug-')), 'key.json');
const { privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
});
fs.writeFileSync(
  file,
  JSON.stringify({
    type: 'service_account',
    client_email: 'a@example.org',
    private_key: privateKey,
    project_id: 'p',
  }),
);
const auth = new GoogleAuth({ keyFile: file, scopes: 'x' });
const clients = await Promise.all([auth.getClient(), auth.getClient(), auth.getClient()]);
console.log(`${new Set(clients).size} clients`);
