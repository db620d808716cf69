// because: stale-act
const turn = () => new Promise((resolve) => setImmediate(resolve));
const users = [];
const hash = async (password) => {
  await turn();
  return `#${password}`;
};
async function register(email, password) {
  if (users.some((user) => user.email === email)) throw new Error('taken');
  const hashed = await hash(password);
  const user = { id: users.length + 1, email, hashed };
  users.push(user);
  return user;
}
module.exports = Promise.allSettled([register('a@b', 'x'), register('a@b', 'y')]);
