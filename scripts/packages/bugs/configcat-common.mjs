// Three flags are asked for at once, with no configuration yet.
import { setTimeout as sleep } from 'node:timers/promises';

const lib = (await import(`configcat-common-${process.argv[2]}`)).default;
let fetched = 0;
const config = { p: {}, f: { flag: { v: true, t: 0, p: [], r: [], i: 'x' } } };
const isBad = process.argv[2] === 'bad';
const configFetcher = isBad
  ? {
      fetchLogic(_options, _last, done) {
        const n = ++fetched;
        setTimeout(
          () => done({ Timestamp: Date.now(), ConfigJSON: config, HttpETag: `${n}`, ETag: `${n}` }),
          5,
        );
      },
    }
  : {
      async fetchLogic() {
        const n = ++fetched;
        await sleep(5);
        return { statusCode: 200, reasonPhrase: 'OK', eTag: `${n}`, body: JSON.stringify(config) };
      },
    };
const cache = {
  values: new Map(),
  get(k) {
    return this.values.get(k);
  },
  set(k, v) {
    this.values.set(k, v);
  },
};
const client = isBad
  ? lib.createClientWithLazyLoad(
      'k'.repeat(20),
      { configFetcher, cache },
      { cacheTimeToLiveSeconds: 60, logger: lib.createConsoleLogger(-1) },
    )
  : lib.getClient(
      `configcat-sdk-1/${'k'.repeat(22)}/${'k'.repeat(22)}`,
      lib.PollingMode.LazyLoad,
      { cacheTimeToLiveSeconds: 60, logger: lib.createConsoleLogger(-1) },
      { configFetcher, sdkType: 'x', sdkVersion: '1' },
    );
await Promise.all([1, 2, 3].map(() => client.getValueAsync('flag', false)));
console.log(`fetched ${fetched} times`);
process.exit();
