// because: stale-act
const turn = () => new Promise((resolve) => setImmediate(resolve));
// An id is made of how many there are.
const users = new Map();
const validate = async (name) => {
  await turn();
  return name.trim();
};
async function create(name) {
  const id = users.size + 1;
  const valid = await validate(name);
  users.set(id, { id, name: valid });
  return id;
}
module.exports = Promise.all([create('ann'), create('bob')]);
