// expect: ok
function once(make) {
  let result;
  return () => (result ??= make());
}

let made = 0;
const settings = once(async () => {
  made++;
  await null;
  return Object.freeze({ theme: 'dark', size: 3 });
});

async function render(name) {
  const { theme, size } = await settings();
  return `${name} ${theme} ${size}`;
}

console.log(await Promise.all([render('a'), render('b')]), made);
