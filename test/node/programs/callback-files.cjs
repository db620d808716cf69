// expect: ok
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { promisify } = require('node:util');

const writeFile = promisify(fs.writeFile);
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'files-'));

async function save(name, text) {
  const file = path.join(folder, name);
  await writeFile(file, text);
  return (await fs.promises.stat(file)).size;
}

Promise.all([save('a', 'one'), save('b', 'three')])
  .then((sizes) => console.log(sizes))
  .finally(() => fs.rmSync(folder, { recursive: true }));
