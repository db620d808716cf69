// expect: violation hit
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'counter-'));
const file = path.join(folder, 'hits.txt');
fs.writeFileSync(file, '0');

const hit = async () => {
  const hits = Number(fs.readFileSync(file, 'utf8')); // (1)
  await new Promise(setImmediate);
  fs.writeFileSync(file, String(hits + 1)); // (2)
};

Promise.all([hit(), hit()]).then(() => {
  console.log(fs.readFileSync(file, 'utf8'));
  fs.rmSync(folder, { recursive: true });
});
