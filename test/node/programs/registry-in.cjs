// expect: violation register
const registry = Object.create(null);

async function make(name) {
  await null;
  return { name };
}

module.exports.register = async function register(name) {
  if (!(name in registry)) registry[name] = await make(name); // (1) (2)
  return registry[name];
};

const { register } = module.exports;
Promise.all([register('a'), register('a')]).then(([a, b]) => console.log(a === b));
