// expect: violation login
exports.current = null;
exports.logins = 0;

exports.login = async function login(name) {
  const logins = exports.logins; // (1)
  await Promise.resolve(name);
  exports.current = name;
  exports.logins = logins + 1; // (2)
};

async function main() {
  await Promise.all([exports.login('ann'), exports.login('bob')]);
  console.log(exports.logins);
}

if (require.main === module) main();
