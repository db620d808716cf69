// expect: ok
const log = [];

async function flaky(state) {
  await null;
  state.tries += 1;
  if (state.tries < 3) throw new Error(`try ${state.tries}`);
  return state.name;
}

async function retry(name) {
  const state = { name, tries: 0 };
  for (let attempt = 0; ; attempt++) {
    try {
      return await flaky(state);
    } catch (error) {
      if (attempt === 5) throw error;
      log.push(error.message);
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
  }
}

console.log(await Promise.all([retry('a'), retry('b')]), log.length);
