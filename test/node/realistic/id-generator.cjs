const turn = () => new Promise((resolve) => setImmediate(resolve));
// An id is drawn in one step.
let next = 1;
const users = new Map();
const validate = async (name) => {
  await turn();
  return name.trim();
};
async function create(name) {
  const id = next++;
  users.set(id, { id, name: await validate(name) });
  return id;
}
module.exports = Promise.all([create('ann'), create('bob')]);
