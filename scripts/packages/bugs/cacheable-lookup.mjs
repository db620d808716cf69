// Three lookups of one host at once: get, resolve, set.
const CacheableLookup = (await import(`cacheable-lookup-${process.argv[2]}`)).default;
let queries = 0;
const answer = (addresses) => (_host, _options, done) => {
  queries++;
  setTimeout(() => done(null, addresses), 5);
};
const resolver = {
  resolve4: answer([{ address: '10.0.0.1', ttl: 60 }]),
  resolve6: answer([]),
  getServers: () => [],
  setServers() {},
};
const cache = new CacheableLookup({ resolver });
await Promise.all([1, 2, 3].map(() => cache.lookupAsync('db.internal')));
console.log(`${queries} queries`);
