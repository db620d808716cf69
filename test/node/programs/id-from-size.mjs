// expect: violation addUser
const users = new Map();

async function addUser(name) {
  const id = users.size + 1; // (1)
  await null;
  users.set(id, name); // (2)
  return id;
}

console.log(await Promise.all([addUser('ann'), addUser('bob')]), users);
