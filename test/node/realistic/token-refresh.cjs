const turn = () => new Promise((resolve) => setImmediate(resolve));
// One refresh for all who find the token expired.
const auth = { token: 'old', expires: 0, refreshing: null };
let refreshes = 0;
const request = async () => {
  await turn();
  refreshes++;
  return { token: `new${refreshes}`, expires: 10 };
};
async function token(now) {
  if (now < auth.expires) return auth.token;
  auth.refreshing ??= request().finally(() => {
    auth.refreshing = null;
  });
  const fresh = await auth.refreshing;
  auth.token = fresh.token;
  auth.expires = fresh.expires;
  return auth.token;
}
module.exports = Promise.all([token(1), token(1), token(1)]);
