// because: overwritten
const turn = () => new Promise((resolve) => setImmediate(resolve));
// A module's variable holds the user of whoever came last.
let currentUser;
const log = [];
const authorise = async () => {
  await turn();
  return currentUser !== 'eve';
};
async function handle(req) {
  currentUser = req.user;
  if (!(await authorise())) return 403;
  log.push(`${currentUser} ok`);
  return 200;
}
module.exports = Promise.all([handle({ user: 'ann' }), handle({ user: 'bob' })]);
