// expect: ok
async function check(name) {
  await null;
  if (name === 'bad') process.exitCode = 3;
  else process.exitCode ??= 0;
}

await Promise.all(['good', 'bad', 'fine'].map(check));
console.log(process.exitCode);
