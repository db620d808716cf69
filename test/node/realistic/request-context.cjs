const turn = () => new Promise((resolve) => setImmediate(resolve));
// What belongs to a request is passed along.
const log = [];
const authorise = async (user) => {
  await turn();
  return user !== 'eve';
};
async function handle(req) {
  const user = req.user;
  if (!(await authorise(user))) return 403;
  log.push(`${user} ok`);
  return 200;
}
module.exports = Promise.all([handle({ user: 'ann' }), handle({ user: 'eve' })]);
