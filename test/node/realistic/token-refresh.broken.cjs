// because: stale-act duplicate-work
const turn = () => new Promise((resolve) => setImmediate(resolve));
// Everybody who finds the token expired refreshes it.
const auth = { token: 'old', expires: 0 };
let refreshes = 0;
const request = async () => {
  await turn();
  refreshes++;
  return { token: `new${refreshes}`, expires: 10 };
};
async function token(now) {
  if (now < auth.expires) return auth.token;
  const fresh = await request();
  auth.token = fresh.token;
  auth.expires = fresh.expires;
  return auth.token;
}
module.exports = Promise.all([token(1), token(1), token(1)]);
