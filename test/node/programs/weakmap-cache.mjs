// expect: violation describe
const descriptions = new WeakMap();
let made = 0;

async function describe(object) {
  const known = descriptions.get(object); // (1)
  if (known !== undefined) return known;
  const text = await Promise.resolve(`${object.name} ${++made}`);
  descriptions.set(object, text); // (2)
  return text;
}

const ann = { name: 'ann' };
console.log(await Promise.all([describe(ann), describe(ann), describe({ name: 'bob' })]));
