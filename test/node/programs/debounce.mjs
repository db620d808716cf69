// expect: ok
function debounce(work, delay) {
  let timer;
  let waiting = [];
  return (value) =>
    new Promise((resolve) => {
      clearTimeout(timer);
      waiting.push(resolve);
      timer = setTimeout(() => {
        const resolvers = waiting;
        waiting = [];
        const result = work(value);
        for (const each of resolvers) each(result);
      }, delay);
    });
}

const search = debounce((text) => text.toUpperCase(), 3);
console.log(await Promise.all(['a', 'ab', 'abc'].map((text) => search(text))));
