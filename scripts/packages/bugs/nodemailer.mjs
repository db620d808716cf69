// Three mails at once, with no token yet: each asks for one. Callbacks alone.
import http from 'node:http';
import { createRequire } from 'node:module';
import { promisify } from 'node:util';

const XOAuth2 = createRequire(import.meta.url)(`nodemailer-${process.argv[2]}/lib/xoauth2`);
let asked = 0;
const server = http.createServer((request, response) => {
  asked++;
  request.resume();
  setTimeout(() => response.end(JSON.stringify({ access_token: 'token', expires_in: 3600 })), 10);
});
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
const tokens = new XOAuth2({
  user: 'ann@example.org',
  clientId: 'id',
  clientSecret: 'secret',
  refreshToken: 'refresh',
  accessUrl: `http://127.0.0.1:${server.address().port}/`,
});
const getToken = promisify(tokens.getToken.bind(tokens, false));
await Promise.all([getToken(), getToken(), getToken()]);
console.log(`asked for ${asked} tokens`);
server.closeAllConnections();
server.close();
