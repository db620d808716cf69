// expect: ok
const totals = { sum: 0, text: '' };

async function add(n) {
  totals.sum = totals.sum + n;
  await null;
  totals.sum = totals.sum + n;
  totals.text = totals.text + n;
}

await Promise.all([add(1), add(2)]);
console.log(totals);
