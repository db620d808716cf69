// expect: violation send
const failures = { count: 0 };

async function post() {
  await null;
  throw new Error('offline');
}

async function send(message) {
  const { count } = failures; // (1)
  try {
    await post(message);
  } catch {
    failures.count = count + 1; // (2)
  }
}

await Promise.all([send('a'), send('b')]);
console.log(failures);
