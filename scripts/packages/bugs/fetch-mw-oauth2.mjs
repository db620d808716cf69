// Three requests at once, with no token yet.
import http from 'node:http';

const { OAuth2 } = (await import(`fetch-mw-oauth2-${process.argv[2]}`)).default;
let refreshed = 0;
const server = http.createServer((req, res) => {
  req.resume();
  req.on('end', () => {
    if (req.url === '/token') {
      const n = ++refreshed;
      setTimeout(() => {
        res.setHeader('content-type', 'application/json');
        res.end(JSON.stringify({ access_token: `t${n}`, expires_in: 3600, refresh_token: `r${n}` }));
      }, 10);
    } else res.end(req.headers.authorization);
  });
});
await new Promise((r) => server.listen(0, r));
const url = `http://127.0.0.1:${server.address().port}`;
const oauth2 = new OAuth2({
  clientId: 'c',
  clientSecret: 's',
  grantType: 'client_credentials',
  tokenEndpoint: `${url}/token`,
});
const answers = await Promise.all([1, 2, 3].map(async () => (await oauth2.fetch(`${url}/x`)).text()));
console.log(`refreshed ${refreshed} times`, answers.length);
server.closeAllConnections();
server.close();
process.exit();
