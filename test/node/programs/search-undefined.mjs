// expect: violation register
const users = [];

async function find(email) {
  await null;
  return users.find((user) => user.email === email); // (1)
}

async function insert(user) {
  await null;
  users.push(user); // (2)
}

async function register(email) {
  const existing = await find(email);
  if (existing) throw new Error('exists');
  await insert({ email });
}

await Promise.all([register('ann@example.org'), register('ann@example.org')]);
console.log(users);
