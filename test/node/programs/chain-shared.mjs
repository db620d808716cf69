// expect: violation track
const counters = { views: 0 };

const fetchWeight = (page) => Promise.resolve(page.length);

function track(page) {
  const { views } = counters; // (1)
  return fetchWeight(page).then((weight) => {
    counters.views = views + weight; // (2)
    return weight;
  });
}

await Promise.all([track('home'), track('about')]);
console.log(counters);
